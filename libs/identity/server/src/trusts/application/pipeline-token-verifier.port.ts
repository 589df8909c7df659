import type { Claims } from '../../domain/token-policy';

/** Verifies the tokens that issuers of pipelines sign. */
export abstract class PipelineTokenVerifier {
  /**
   * Verifies signature, issuer, audience and times.
   * @param issuer the expected `iss`, of a trust.
   * @throws {TokenInvalid} @throws {TokenExpired} @throws {KeysUnavailable} when the keys of the issuer cannot be read.
   */
  abstract claimsOf(token: string, issuer: string): Promise<Claims>;
}
