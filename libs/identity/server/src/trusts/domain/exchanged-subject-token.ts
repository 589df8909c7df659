import type { Claims } from '../../domain/token-policy';
import { hashOf } from '../../domain/session-handle';

/** The last second of the year 9999: a later date has no common notation. */
const MAX_SECONDS = 253_402_300_799;

/** A pipeline's token that was exchanged for an access token to an app. */
export interface ExchangedSubjectToken {
  /** SHA-256 of what the issuer signed. */
  readonly digest: Buffer;
  readonly appId: string;
  readonly expiresAt: Date;
}

/**
 * @param token a verified compact JWS. Its signature is not part of the digest: ECDSA has several signatures for one
 *   text.
 */
export function exchangedSubjectToken(token: string, { exp }: Claims, appId: string): ExchangedSubjectToken {
  const expiresAt = new Date(Math.min(Number(exp), MAX_SECONDS) * 1_000);
  return { digest: hashOf(token.slice(0, token.lastIndexOf('.'))), appId, expiresAt };
}
