import type { Trust } from '@homeport/identity/contracts';
import { issuerNameOf } from '../domain/issuers';
import type { TrustRecord } from '../domain/trust-record';

export function presentTrust(trust: TrustRecord): Trust {
  return {
    id: trust.id,
    app_id: trust.appId,
    issuer: issuerNameOf(trust.issuer),
    claims: trust.claims,
    scopes: trust.scopes,
    created_at: trust.createdAt.toISOString(),
    created_by: trust.createdBy,
    last_used_at: trust.lastUsedAt?.toISOString() ?? null,
  };
}
