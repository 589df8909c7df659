import { type OutageLog, withOutageLog, type ObservedOperation } from '@homeport/platform/server/observability';
import * as openid from 'openid-client';
import {
  IdentityProvider,
  type SignedInGrant,
  type SignedInPerson,
  type SignInAttempt,
  type TokenGrant,
} from '../../application/identity-provider.port';
import { GrantRefused, GrantUnusable, IdentityProviderUnavailable } from '../../domain/identity.errors';
import { boundedFetch } from './bounded-fetch';
import { discoveryFailureOf } from './discovery-errors';
import { RefreshTokenResponse } from './refresh-token-response';

export interface OpenIdOptions {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent for a public client, which only PKCE protects. */
  readonly clientSecret?: string;
  readonly scopes: string;
  readonly redirectUri: string;
  readonly organizationClaim: string;
  /** The claim of the ID token with the display name of the organization. */
  readonly organizationNameClaim: string;
  /** Notified when the service fails or refuses this client, and when it recovers. */
  readonly outages?: OutageLog;
}

const TIMEOUT_SECONDS = 4;
/** The service may complete a refresh after the client timed out, and has then invalidated the old refresh token. */
const REFRESH_TIMEOUT_SECONDS = 25;

/** Any OpenID Connect issuer, through its discovery document. */
export class OpenIdIdentityProvider extends IdentityProvider {
  #configuration: Promise<openid.Configuration> | undefined;

  constructor(private readonly options: OpenIdOptions) {
    super();
  }

  async authorizationUrl(attempt: SignInAttempt, params: Readonly<Record<string, string>>): Promise<URL> {
    const configuration = await this.#discovered();
    return openid.buildAuthorizationUrl(configuration, {
      ...params,
      redirect_uri: this.options.redirectUri,
      scope: this.options.scopes,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(attempt.codeVerifier),
      code_challenge_method: 'S256',
    });
  }

  async redeem(callback: URL, attempt: SignInAttempt): Promise<SignedInGrant> {
    const configuration = await this.#discovered();
    const checks = {
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.codeVerifier,
      idTokenExpected: true,
    };
    const redeemed = () => openid.authorizationCodeGrant(configuration, callback, checks);
    const tokens = await this.#callTokenEndpoint(redeemed, isRefusedSignIn);
    const claims = tokens.claims();
    if (!claims) throw new GrantRefused();
    return { ...grantOf(tokens), user: userOf(claims, this.options) };
  }

  async refresh(refreshToken: string, subject: string): Promise<TokenGrant> {
    const configuration = withRefreshTimeout(await this.#discovered(), this.options);
    const { issuer } = configuration.serverMetadata();
    const answer = new RefreshTokenResponse();
    configuration[openid.customFetch] = answer.fetch;
    try {
      const tokens = await this.#observedTokenCall(() => openid.refreshTokenGrant(configuration, refreshToken));
      if (answer.matchesIdentity({ issuer, clientId: this.options.clientId, subject })) return grantOf(tokens);
    } catch (error) {
      if (isInvalidGrant(error)) throw new GrantRefused({ cause: error });
      if (answer.refreshToken !== undefined) throw new GrantUnusable(answer.refreshToken, { cause: error });
      throw new IdentityProviderUnavailable({ cause: error });
    }
    throw new GrantRefused({ cause: new Error('the ID token of a renewal belongs to another person') });
  }

  async revoke(refreshToken: string): Promise<void> {
    const configuration = await this.#discovered();
    if (!configuration.serverMetadata().revocation_endpoint) return;
    const revoked = () => openid.tokenRevocation(configuration, refreshToken, { token_type_hint: 'refresh_token' });
    await this.#callTokenEndpoint(revoked, () => false);
  }

  /** Caches a successful discovery; a failed one is dropped, so that the next call tries again. */
  #discovered(): Promise<openid.Configuration> {
    const discovery = { name: 'discovery', isOutage: () => true };
    this.#configuration ??= this.#observed(discovery, () => discover(this.options)).catch((error: unknown) => {
      this.#configuration = undefined;
      throw new IdentityProviderUnavailable({ cause: error });
    });
    return this.#configuration;
  }

  /** Maps failures: a refusal is final; network errors, timeouts and broken responses are temporary. */
  async #callTokenEndpoint<T>(call: () => Promise<T>, isRefusal: (error: unknown) => boolean): Promise<T> {
    try {
      return await this.#observedTokenCall(call);
    } catch (error) {
      throw isRefusal(error) ? new GrantRefused({ cause: error }) : new IdentityProviderUnavailable({ cause: error });
    }
  }

  #observedTokenCall<T>(call: () => Promise<T>): Promise<T> {
    return this.#observed({ name: 'token', isOutage: (error) => !isAboutGrant(error) }, call);
  }

  #observed<T>(operation: ObservedOperation, call: () => Promise<T>): Promise<T> {
    const { outages } = this.options;
    return outages ? withOutageLog(outages, operation, call) : call();
  }
}

function discover(options: OpenIdOptions): Promise<openid.Configuration> {
  // The configuration schema allows plain http on loopback only.
  const execute = isPlainHttp(options) ? [openid.allowInsecureRequests] : [];
  const limits = { execute, timeout: TIMEOUT_SECONDS, [openid.customFetch]: boundedFetch };
  const { issuer, clientId } = options;
  return openid
    .discovery(new URL(issuer), clientId, undefined, authenticationOf(options), limits)
    .catch((error: unknown) => Promise.reject(discoveryFailureOf(error, issuer)));
}

/** Returns the configuration with the longer time limit of a refresh. */
function withRefreshTimeout(discovered: openid.Configuration, options: OpenIdOptions): openid.Configuration {
  const metadata = discovered.serverMetadata();
  const configuration = new openid.Configuration(metadata, options.clientId, undefined, authenticationOf(options));
  if (isPlainHttp(options)) openid.allowInsecureRequests(configuration);
  configuration.timeout = REFRESH_TIMEOUT_SECONDS;
  return configuration;
}

function authenticationOf({ clientSecret }: OpenIdOptions): openid.ClientAuth {
  return clientSecret === undefined ? openid.None() : openid.ClientSecretPost(clientSecret);
}

function isPlainHttp({ issuer }: OpenIdOptions): boolean {
  return new URL(issuer).protocol === 'http:';
}

type Tokens = Awaited<ReturnType<typeof openid.refreshTokenGrant>>;

function grantOf(tokens: Tokens): TokenGrant {
  const lifetime = tokens.expiresIn() ?? 300;
  return {
    accessToken: tokens.access_token,
    expiresAt: new Date(Date.now() + lifetime * 1000),
    ...(tokens.refresh_token === undefined ? {} : { refreshToken: tokens.refresh_token }),
  };
}

function userOf(
  claims: openid.IDToken,
  { organizationClaim, organizationNameClaim }: Pick<OpenIdOptions, 'organizationClaim' | 'organizationNameClaim'>,
): SignedInPerson {
  const organization = claims[organizationClaim];
  const organizationName = claims[organizationNameClaim];
  const hasName = typeof organization === 'string' && typeof organizationName === 'string' && organizationName !== '';
  return {
    sub: claims.sub,
    ...(typeof claims['name'] === 'string' ? { name: claims['name'] } : {}),
    ...(typeof claims['email'] === 'string' ? { email: claims['email'] } : {}),
    ...(typeof organization === 'string' ? { organization } : {}),
    ...(hasName ? { organizationName } : {}),
  };
}

/**
 * Whether the refresh token is no longer valid. Only this ends a session: an unknown client, a wrong secret or a
 * proxy's 403 are configuration faults, which an operator can fix while people stay signed in.
 */
function isInvalidGrant(error: unknown): boolean {
  return error instanceof openid.ResponseBodyError && error.error === 'invalid_grant';
}

/** Whether the service refused one person's code or token, but would accept another one. */
function isAboutGrant(error: unknown): boolean {
  if (error instanceof openid.AuthorizationResponseError || isBadResponse(error)) return true;
  return error instanceof openid.ResponseBodyError && ['invalid_grant', 'invalid_request'].includes(error.error);
}

/** Whether this sign-in cannot be completed. There is no session yet, so the person only has to start again. */
function isRefusedSignIn(error: unknown): boolean {
  return (
    error instanceof openid.AuthorizationResponseError ||
    (error instanceof openid.ResponseBodyError && error.status !== 429) ||
    isBadResponse(error)
  );
}

/**
 * Whether state, nonce, issuer or audience differ from this sign-in attempt. The signature of the ID token is not
 * checked: it comes from the token endpoint over TLS, which is sufficient (OpenID Connect Core 3.1.3.7).
 */
function isBadResponse(error: unknown): boolean {
  return (
    error instanceof openid.ClientError &&
    (error.code === 'OAUTH_INVALID_RESPONSE' || error.code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED')
  );
}
