import type { DomainCertificate, DomainKind, DomainRecord, DomainRouting } from '@homeport/apps/contracts';
import { EntitySchema } from 'typeorm';

/** One row of `apps.domain_claims`. */
export interface DomainClaimRow {
  readonly id: string;
  readonly organization: string;
  readonly kind: DomainKind;
  readonly name: string;
  readonly registrableDomain: string;
  readonly appId: string | null;
  readonly token: string;
  readonly createdAt: Date;
  readonly verifiedAt: Date | null;
  readonly failingSince: Date | null;
  readonly noticedAt: Date | null;
  readonly checkedAt: Date | null;
  readonly suspendedAt: Date | null;
  readonly releasedAt: Date | null;
  readonly routing: DomainRouting;
  readonly certificate: DomainCertificate;
  readonly certificateExpiresAt: Date | null;
  readonly isPrimary: boolean;
  readonly redirectTo: string | null;
  readonly hsts: boolean;
  /** A PostgreSQL numeric, which the driver returns as text. */
  readonly priceUsd: string;
  readonly cardVersion: string;
  readonly nextCheckAt: Date | null;
  readonly records: readonly DomainRecord[];
}

const time = (name: string) => ({ name, type: 'timestamptz', nullable: true }) as const;

export const DomainClaimEntity = new EntitySchema<DomainClaimRow>({
  name: 'DomainClaim',
  schema: 'apps',
  tableName: 'domain_claims',
  columns: {
    id: { type: 'uuid', primary: true },
    organization: { type: 'text' },
    kind: { type: 'text' },
    name: { type: 'text' },
    registrableDomain: { name: 'registrable_domain', type: 'text' },
    appId: { name: 'app_id', type: 'uuid', nullable: true },
    token: { type: 'text' },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    verifiedAt: time('verified_at'),
    failingSince: time('failing_since'),
    noticedAt: time('noticed_at'),
    checkedAt: time('checked_at'),
    suspendedAt: time('suspended_at'),
    releasedAt: time('released_at'),
    routing: { type: 'text' },
    certificate: { type: 'text' },
    certificateExpiresAt: time('certificate_expires_at'),
    isPrimary: { name: 'is_primary', type: 'boolean' },
    redirectTo: { name: 'redirect_to', type: 'text', nullable: true },
    hsts: { type: 'boolean' },
    priceUsd: { name: 'price_usd', type: 'numeric' },
    cardVersion: { name: 'card_version', type: 'text' },
    nextCheckAt: time('next_check_at'),
    records: { type: 'jsonb' },
  },
});
