import { fetchBoundedJson } from '../jwks/bounded-json';

const LIMITS = { timeoutMs: 1_500, maxBytes: 256 * 1024 };

/**
 * The key set address an issuer names in its discovery document.
 * @throws {Error} when the document cannot be read, is another issuer's, or names no address.
 */
export async function discoverJwksUri(issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const document = (await fetchBoundedJson(url, LIMITS)) as { issuer?: unknown; jwks_uri?: unknown } | null;
  if (document?.issuer !== issuer) throw new Error('the discovery document belongs to another issuer');
  if (typeof document.jwks_uri !== 'string') throw new Error('the discovery document names no key set');
  return document.jwks_uri;
}
