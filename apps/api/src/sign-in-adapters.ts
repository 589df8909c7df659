import { BrowserSignIn, OpenIdIdentityProvider, type PostgresSessionStore } from '@homeport/identity/server';
import { OutageLog } from '@homeport/platform/server/observability';
import type { Config } from './config';

export function browserSignIn(
  config: Config,
  sessions: PostgresSessionStore,
  log: ConstructorParameters<typeof OutageLog>[1],
): BrowserSignIn | undefined {
  if (config.AUTH_CLIENT_ID === undefined) return undefined;
  const identityProvider = new OpenIdIdentityProvider({
    issuer: config.AUTH_ISSUER,
    clientId: config.AUTH_CLIENT_ID,
    ...(config.AUTH_CLIENT_SECRET === undefined ? {} : { clientSecret: config.AUTH_CLIENT_SECRET }),
    scopes: config.AUTH_SCOPES,
    redirectUri: `${config.publicUrl}/auth/callback`,
    organizationClaim: config.AUTH_ORG_CLAIM,
    organizationNameClaim: config.AUTH_ORG_NAME_CLAIM,
    outages: new OutageLog('identity-service', log),
  });
  return new BrowserSignIn(config.AUTH_PROVIDERS, identityProvider, sessions);
}
