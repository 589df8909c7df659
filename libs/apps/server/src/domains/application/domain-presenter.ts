import type { Domain, DomainRecord } from '@homeport/apps/contracts';
import { DomainClaim, type DomainDeadlines } from '../domain/domain-claim';
import type { DomainClaimRecord } from './domain-claim-repository.port';

/** Presents claims as API responses. */
export class DomainPresenter {
  /** @param needsCertificate whether this installation gets certificates. */
  constructor(private readonly needsCertificate: boolean) {}

  present(record: DomainClaimRecord): Domain {
    const { status, ownership, deadlines } = new DomainClaim(record, this.needsCertificate);
    return {
      id: record.id,
      kind: record.kind,
      name: record.name,
      app_id: record.appId ?? null,
      status,
      ownership,
      routing: record.routing,
      certificate: record.certificate,
      records: deadlines ? record.records.map((each) => withNotice(each, deadlines)) : record.records,
      is_primary: record.isPrimary,
      redirect_to: record.redirectTo ?? null,
      hsts: record.hsts ? 'on' : 'off',
      certificate_expires_at: record.certificateExpiresAt?.toISOString() ?? null,
      next_check_at: record.nextCheckAt?.toISOString() ?? null,
      price_usd: record.priceUsd,
      created_at: record.createdAt.toISOString(),
    };
  }
}

/** Adds what happens while the ownership record is missing, and when. */
function withNotice(record: DomainRecord, { suspension, release }: DomainDeadlines): DomainRecord {
  if (record.purpose !== 'ownership') return record;
  const consequence = suspension
    ? `Without this record, the domain is suspended on ${dateOf(suspension)} and released on ${dateOf(release)}.`
    : `The domain is suspended, because this record is missing. It is released on ${dateOf(release)}.`;
  return { ...record, hint: record.hint === null ? consequence : `${record.hint} ${consequence}` };
}

/** RFC 3339, UTC. */
function dateOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
