import type { ApiToken } from '@homeport/identity/contracts';
import type { TokenRecord } from '../domain/token-record';

/** Converts a token of an organization or a person to its form in the API, without its hash. */
export function presentToken(token: TokenRecord): ApiToken {
  return {
    id: token.id,
    name: token.name,
    kind: token.kind === 'personal' ? 'personal' : 'organization',
    scopes: token.scopes,
    app_id: token.appId ?? null,
    prefix: token.prefix ?? null,
    expires_at: token.expiresAt?.toISOString() ?? null,
    created_at: token.createdAt.toISOString(),
    created_by: token.createdBy,
    last_used_at: token.lastUsedAt?.toISOString() ?? null,
  };
}
