import { CodedFailure, isSecureUrl } from '@homeport/platform/server';
import { fetchBoundedJson, ISSUER_LIMITS } from '../jwks/bounded-json';
import { issuerMismatch } from './discovery-errors';

/**
 * The key set address an issuer names in its discovery document.
 * @throws {Error} when the document cannot be read, is another issuer's, or names no address that keys may come from:
 * https, or http on this machine.
 */
export async function discoverJwksUri(issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const document = (await fetchBoundedJson(url, ISSUER_LIMITS)) as { issuer?: unknown; jwks_uri?: unknown } | null;
  if (document?.issuer !== issuer) throw issuerMismatch(issuer, document?.issuer);
  const { jwks_uri: jwksUri } = document;
  if (typeof jwksUri !== 'string' || !URL.canParse(jwksUri) || !isSecureUrl(new URL(jwksUri))) {
    throw new CodedFailure('UNSAFE_KEY_SET', 'the discovery document names no safe key set');
  }
  return jwksUri;
}
