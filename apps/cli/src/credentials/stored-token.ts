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
  const mustRenew = (stored: Credentials) => hasExpired(stored) || stored.access_token === rejected;
  const stored = await store.find(url);
  // Another command, or another request of this one, may renew the tokens meanwhile.
  const current =
    stored && mustRenew(stored)
      ? await store.update(url, async (latest) => (mustRenew(latest) ? renewed(latest) : latest))
      : stored;
  return current?.access_token;
}

/** @returns the same credentials when they cannot be renewed; the API then answers 401. */
async function renewed(credentials: Credentials): Promise<Credentials> {
  const { refresh_token, issuer, client_id } = credentials;
  if (refresh_token === undefined || issuer === undefined || client_id === undefined) return credentials;
  try {
    return { ...credentials, ...(await renewTokens({ issuer, clientId: client_id }, refresh_token)) };
  } catch (error) {
    if (isRejection(error)) return credentials;
    throw error;
  }
}

function hasExpired({ expires_at }: Credentials): boolean {
  return expires_at !== undefined && expires_at - RENEW_BEFORE_MS < Date.now();
}

/** The identity service answered that the refresh token does not work. */
function isRejection(error: unknown): boolean {
  return (error as { error?: unknown }).error === 'invalid_grant';
}
