import {
  BrowserSignIn,
  OpenIdIdentityProvider,
  type OpenIdOptions,
  type PostgresSessionStore,
} from '@homeport/identity/server';
import { OutageLog } from '@homeport/platform/server/observability';
import type { Config } from './config';

export function browserSignIn(
  config: Config,
  sessions: PostgresSessionStore,
  log: ConstructorParameters<typeof OutageLog>[1],
): BrowserSignIn | undefined {
  if (config.AUTH_CLIENT_ID === undefined) return undefined;
  const identityProvider = new OpenIdIdentityProvider({
    ...openIdOptions(config, config.AUTH_CLIENT_ID),
    outages: new OutageLog('identity-service', log),
  });
  return new BrowserSignIn(config.AUTH_PROVIDERS, identityProvider, sessions);
}

/** The client of this installation at its identity service. */
export function openIdOptions(config: Config, clientId: string): OpenIdOptions {
  return {
    issuer: config.AUTH_ISSUER,
    clientId,
    ...(config.AUTH_CLIENT_SECRET === undefined ? {} : { clientSecret: config.AUTH_CLIENT_SECRET }),
    scopes: config.AUTH_SCOPES,
    redirectUri: `${config.publicUrl}/auth/callback`,
    organizationClaim: config.AUTH_ORG_CLAIM,
    organizationNameClaim: config.AUTH_ORG_NAME_CLAIM,
  };
}
