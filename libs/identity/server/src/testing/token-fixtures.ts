import { randomUUID } from 'node:crypto';
import { hashOf } from '../domain/session-handle';
import type { TokenRecord } from '../tokens/domain/token-record';
import { newTokenSecret } from '../tokens/domain/token-secret';
import type { TrustRecord } from '../trusts/domain/trust-record';

/** A token with its secret; by default one of the organization `acme` without an expiry. */
export function newToken(changes: Partial<TokenRecord> = {}): { readonly secret: string; readonly token: TokenRecord } {
  const secret = newTokenSecret();
  const token: TokenRecord = {
    id: randomUUID(),
    hash: hashOf(secret),
    kind: 'organization',
    name: 'Pipeline',
    organization: 'acme',
    issuer: 'https://issuer.example',
    subject: 'ada',
    createdBy: 'Ada',
    scopes: ['apps:read'],
    appId: undefined,
    prefix: undefined,
    trustId: undefined,
    createdAt: new Date('2026-10-01T12:00:00.123Z'),
    expiresAt: undefined,
    lastUsedAt: undefined,
    ...changes,
  };
  return { secret, token };
}

export function newTrust(changes: Partial<TrustRecord> = {}): TrustRecord {
  return {
    id: randomUUID(),
    organization: 'acme',
    appId: randomUUID(),
    issuer: 'https://ci.example',
    claims: { repository: 'acme/shop', ref: 'refs/heads/*' },
    scopes: ['deploys:write'],
    createdBy: 'Ada',
    createdAt: new Date('2026-10-01T12:00:00.123Z'),
    lastUsedAt: undefined,
    ...changes,
  };
}
