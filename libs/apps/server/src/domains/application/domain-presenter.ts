import type { Domain } from '@homeport/apps/contracts';
import { DomainClaim } from '../domain/domain-claim';
import type { DomainClaimRecord } from './domain-claim-repository.port';

/** Presents claims as API responses. */
export class DomainPresenter {
  /** @param needsCertificate whether this installation gets certificates. */
  constructor(private readonly needsCertificate: boolean) {}

  present(record: DomainClaimRecord): Domain {
    const { status, ownership } = new DomainClaim(record, this.needsCertificate);
    return {
      id: record.id,
      kind: record.kind,
      name: record.name,
      app_id: record.appId ?? null,
      status,
      ownership,
      routing: record.routing,
      certificate: record.certificate,
      records: record.records,
      is_primary: record.isPrimary,
      redirect_to: record.redirectTo ?? null,
      certificate_expires_at: record.certificateExpiresAt?.toISOString() ?? null,
      next_check_at: record.nextCheckAt?.toISOString() ?? null,
      price_usd: record.priceUsd,
      created_at: record.createdAt.toISOString(),
    };
  }
}
