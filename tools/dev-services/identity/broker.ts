import { errors, interactionPolicy, Provider } from 'oidc-provider';
import type { Configuration, Grant, KoaContextWithOIDC } from 'oidc-provider';
import { commonConfiguration, DAY, INTERACTION_SECONDS, showPage, UNUSED_FEATURES } from './issuer-settings.ts';
import type { IssuerSettings } from './issuer-settings.ts';
import { deviceCancelledPage, deviceCodePage, deviceConfirmPage, deviceDonePage } from './device-pages.ts';
import { signedOutPage, signOutPage } from './pages.ts';
import { findIdentityProvider, findPerson, ORGANIZATION_NAMES } from './people.ts';
import type { Person } from './people.ts';

export interface BrokerSettings extends IssuerSettings {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly audience: string;
  readonly accessTokenSeconds: number;
}

/** The public client of the command line. */
export const CLI_CLIENT_ID = 'homeport-cli';
/** Native clients may use any port of it (RFC 8252, section 7.3). */
const CLI_REDIRECT_URI = 'http://127.0.0.1/callback';

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

const SCOPES = ['openid', 'profile', 'email', 'org', 'offline_access'];
/** The scopes in access tokens for the API. */
const API_SCOPES = 'openid profile email org';

/** Creates the issuer that the product trusts: a web client and the command line, whose users sign in with an upstream identity provider. */
export function createBroker(issuer: string, settings: BrokerSettings): Provider {
  return new Provider(issuer, {
    ...commonConfiguration(settings),
    clients: [
      {
        client_id: settings.clientId,
        client_secret: settings.clientSecret,
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: settings.redirectUris,
        post_logout_redirect_uris: settings.postLogoutRedirectUris,
      },
      {
        client_id: CLI_CLIENT_ID,
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token', DEVICE_GRANT],
        redirect_uris: [CLI_REDIRECT_URI],
      },
    ],
    scopes: SCOPES,
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'], org: ['org_id', 'org_name'] },
    extraParams: ['identity_provider'],
    interactions: { url: (_ctx, interaction) => `/sign-in/${interaction.uid}`, policy: signInPolicy() },
    findAccount: (_ctx, sub) => accountOf(sub),
    extraTokenClaims: (_ctx, token) => ('accountId' in token ? profileOf(findPerson(token.accountId)) : undefined),
    ...grantConfiguration(settings),
    features: {
      ...UNUSED_FEATURES,
      deviceFlow: DEVICE_SIGN_IN,
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => showPage(ctx, signOutPage(form, ctx.oidc.client !== undefined)),
        postLogoutSuccessSource: (ctx) => showPage(ctx, signedOutPage(settings.signInUrl)),
      },
      resourceIndicators: accessTokensFor(settings),
    },
  });
}

/** The pages of a sign-in on a device without a browser (RFC 8628). */
const DEVICE_SIGN_IN: NonNullable<Configuration['features']>['deviceFlow'] = {
  enabled: true,
  userCodeInputSource: (ctx, form, _out, error) => {
    const isCancelled = error?.name === 'AbortedError';
    showPage(ctx, isCancelled ? deviceCancelledPage() : deviceCodePage(form, error !== undefined));
  },
  // The last parameter is the code.
  userCodeConfirmSource: (ctx, form, ...more) => showPage(ctx, deviceConfirmPage(form, more[2])),
  successSource: (ctx) => showPage(ctx, deviceDonePage()),
};

function grantConfiguration(settings: BrokerSettings): Configuration {
  return {
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    // Signing out of the identity service revokes the refresh tokens of that session.
    expiresWithSession: () => true,
    loadExistingGrant: (ctx) => loadGrant(ctx, settings.audience),
    ttl: {
      AccessToken: settings.accessTokenSeconds,
      AuthorizationCode: 60,
      DeviceCode: INTERACTION_SECONDS,
      IdToken: settings.accessTokenSeconds,
      Interaction: INTERACTION_SECONDS,
      RefreshToken: 14 * DAY,
      Session: 30 * DAY,
      Grant: 30 * DAY,
    },
  };
}

/**
 * Returns the grant of this session and client. Every sign-in must reuse it: a new grant would orphan refresh tokens
 * issued earlier. It is created without a consent screen, because the client is first-party.
 */
async function loadGrant(ctx: KoaContextWithOIDC, audience: string): Promise<Grant> {
  const { client, session, account, provider } = ctx.oidc;
  if (!client || !session || !account) throw new Error('a grant is loaded for a client and a signed-in person');
  const grantId = session.grantIdFor(client.clientId);
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant =
    known?.accountId === account.accountId
      ? known
      : new provider.Grant({ clientId: client.clientId, accountId: account.accountId });
  // An older grant may lack scopes configured since, and there is no consent screen to add them.
  grant.addOIDCScope(SCOPES);
  grant.addResourceScope(audience, API_SCOPES);
  await grant.save();
  return grant;
}

/** Every access token is a JWT for the API, even if the client does not name the API. */
function accessTokensFor({ audience, accessTokenSeconds }: BrokerSettings) {
  return {
    enabled: true,
    defaultResource: () => audience,
    useGrantedResource: () => true,
    getResourceServerInfo: (_ctx: KoaContextWithOIDC, resource: string) => {
      if (resource !== audience) throw new errors.InvalidTarget();
      return {
        scope: API_SCOPES,
        audience,
        accessTokenFormat: 'jwt' as const,
        accessTokenTTL: accessTokenSeconds,
        jwt: { sign: { alg: 'RS256' as const } },
      };
    },
  };
}

function signInPolicy(): interactionPolicy.DefaultPolicy {
  const { Check, Prompt } = interactionPolicy;
  const policy = interactionPolicy.base();
  policy.add(new Prompt({ name: 'select_account', requestable: true }), 0);
  policy.get('login')?.checks.add(
    new Check('unknown_person', 'the signed-in person no longer exists', 'login_required', ({ oidc }) => {
      return oidc.session?.accountId !== undefined && !findPerson(oidc.session.accountId);
    }),
  );
  policy.get('login')?.checks.add(
    new Check('other_provider', 'the person signed in with another provider', 'login_required', ({ oidc }) => {
      const requested = findIdentityProvider(oidc.params?.['identity_provider']);
      const person = oidc.session?.accountId === undefined ? undefined : findPerson(oidc.session.accountId);
      return requested !== undefined && person !== undefined && person.provider !== requested.id;
    }),
  );
  return policy;
}

function accountOf(sub: string) {
  const person = findPerson(sub);
  return person && { accountId: sub, claims: () => ({ sub, email_verified: true, ...profileOf(person) }) };
}

function profileOf(person: Person | undefined) {
  if (!person) return undefined;
  const { name, email, organization } = person;
  if (organization === undefined) return { name, email };
  return { name, email, org_id: organization, org_name: ORGANIZATION_NAMES[organization] };
}
