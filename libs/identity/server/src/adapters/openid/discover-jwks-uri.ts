import { CodedFailure } from '@homeport/platform/server/observability';
import { isSecureUrl } from '@homeport/kernel';
import { type Fetch, fetchBoundedJson, ISSUER_LIMITS } from '../jwks/bounded-json';
import { issuerMismatch } from './discovery-errors';

export interface DiscoveryOptions {
  /** Whether keys may be read from a URL; by default https, and http on the loopback interface. */
  readonly isAllowed?: (url: URL) => boolean;
  /** The global `fetch` by default. */
  readonly fetch?: Fetch | undefined;
}

/**
 * Reads the key set URL from the issuer's discovery document.
 * @throws {Error} when the document cannot be read, belongs to another issuer, or names a URL that is not allowed.
 */
export async function discoverJwksUri(
  issuer: string,
  { isAllowed = isSecureUrl, fetch: send }: DiscoveryOptions = {},
): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const document = (await fetchBoundedJson(url, ISSUER_LIMITS, send)) as {
    issuer?: unknown;
    jwks_uri?: unknown;
  } | null;
  if (document?.issuer !== issuer) throw issuerMismatch(issuer, document?.issuer);
  const { jwks_uri: jwksUri } = document;
  if (typeof jwksUri !== 'string' || !URL.canParse(jwksUri) || !isAllowed(new URL(jwksUri))) {
    throw new CodedFailure('UNSAFE_KEY_SET', 'the discovery document names no safe key set');
  }
  return jwksUri;
}
