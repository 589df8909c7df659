import {
  allowInsecureRequests,
  type Configuration,
  discovery,
  None,
  refreshTokenGrant,
  tokenRevocation,
  type TokenEndpointResponse,
  type TokenEndpointResponseHelpers,
} from 'openid-client';
import { isSecureUrl } from '@homeport/kernel';
import { CliError } from '../cli.errors';
import type { Credentials } from '../credentials/credentials';

/** The identity service of a server, and the public client that the command line is there. */
export interface IdentityService {
  readonly issuer: string;
  readonly clientId: string;
}

/** @throws {CliError} for an issuer without https that is not on this machine. */
export async function discoverIssuer({ issuer, clientId }: IdentityService): Promise<Configuration> {
  const url = new URL(issuer);
  if (!isSecureUrl(url)) throw new CliError(`The identity service ${issuer} is not protected by https.`, 'failed');
  const execute = url.protocol === 'http:' ? [allowInsecureRequests] : [];
  return discovery(url, clientId, { token_endpoint_auth_method: 'none' }, None(), { execute });
}

export async function renewTokens(service: IdentityService, refreshToken: string): Promise<Credentials> {
  return credentialsFrom(service, await refreshTokenGrant(await discoverIssuer(service), refreshToken));
}

/** Ends the session of the command line. An issuer without revocation lets the tokens expire. */
export async function revokeTokens(service: IdentityService, refreshToken: string): Promise<void> {
  const configuration = await discoverIssuer(service);
  if (configuration.serverMetadata().revocation_endpoint !== undefined)
    await tokenRevocation(configuration, refreshToken);
}

export function credentialsFrom(
  { issuer, clientId }: IdentityService,
  tokens: TokenEndpointResponse & TokenEndpointResponseHelpers,
): Credentials {
  const seconds = tokens.expiresIn();
  const claims = tokens.claims();
  const text = (name: string) => (typeof claims?.[name] === 'string' ? { [name]: claims[name] } : {});
  return {
    access_token: tokens.access_token,
    issuer,
    client_id: clientId,
    ...(seconds !== undefined && { expires_at: Date.now() + seconds * 1_000 }),
    ...(tokens.refresh_token !== undefined && { refresh_token: tokens.refresh_token }),
    ...text('name'),
    ...text('email'),
  };
}
