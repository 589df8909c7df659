import { renewTokens } from '../sign-in/identity-client';
import type { Credentials, CredentialsStore } from './credentials';

/** A token is renewed this long before it expires, in milliseconds. */
const RENEW_BEFORE_MS = 30_000;

/**
 * Returns the stored access token, and renews it when it has expired or was rejected.
 * @returns undefined without credentials.
 */
export async function storedToken(
  store: CredentialsStore,
  url: string,
  rejected?: string,
): Promise<string | undefined> {
  const credentials = await store.find(url);
  if (!credentials || (!hasExpired(credentials) && credentials.access_token !== rejected))
    return credentials?.access_token;
  const { refresh_token, issuer, client_id } = credentials;
  if (refresh_token === undefined || issuer === undefined || client_id === undefined) return credentials.access_token;
  try {
    const renewed = await renewTokens({ issuer, clientId: client_id }, refresh_token);
    await store.save(url, { ...credentials, ...renewed });
    return renewed.access_token;
  } catch (error) {
    // Another command may have renewed the tokens meanwhile, and a refresh token works once.
    const current = await store.find(url);
    if (current && current.refresh_token !== refresh_token) return current.access_token;
    if (isRejection(error)) return credentials.access_token;
    throw error;
  }
}

function hasExpired({ expires_at }: Credentials): boolean {
  return expires_at !== undefined && expires_at - RENEW_BEFORE_MS < Date.now();
}

/** The identity service answered that the refresh token does not work; the API then answers 401. */
function isRejection(error: unknown): boolean {
  return (error as { error?: unknown }).error === 'invalid_grant';
}
