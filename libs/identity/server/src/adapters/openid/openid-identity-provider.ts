import { type OutageLog, withOutageLog, type ObservedOperation } from '@homeport/platform/server';
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
  /** Absent for a public client, which PKCE alone protects. */
  readonly clientSecret?: string;
  readonly scopes: string;
  readonly redirectUri: string;
  readonly organizationClaim: string;
  /** Told when the service fails or refuses this client, and when it works again. */
  readonly outages?: OutageLog;
}

const TIMEOUT_SECONDS = 4;
/** A refresh that is given up may be worked off all the same, and then the refresh token is used up. */
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
    const tokens = await this.#asked(redeemed, isRefusedSignIn);
    const claims = tokens.claims();
    if (!claims) throw new GrantRefused();
    return { ...grantOf(tokens), user: userOf(claims, this.options.organizationClaim) };
  }

  async refresh(refreshToken: string, subject: string): Promise<TokenGrant> {
    const configuration = patient(await this.#discovered(), this.options);
    const { issuer } = configuration.serverMetadata();
    const answer = new RefreshTokenResponse();
    configuration[openid.customFetch] = answer.fetch;
    try {
      const tokens = await this.#watchedToken(() => openid.refreshTokenGrant(configuration, refreshToken));
      if (answer.matchesIdentity({ issuer, clientId: this.options.clientId, subject })) return grantOf(tokens);
    } catch (error) {
      if (isUsedUp(error)) throw new GrantRefused({ cause: error });
      if (answer.refreshToken !== undefined) throw new GrantUnusable(answer.refreshToken, { cause: error });
      throw new IdentityProviderUnavailable({ cause: error });
    }
    throw new GrantRefused({ cause: new Error('the ID token of a renewal is about somebody else') });
  }

  async revoke(refreshToken: string): Promise<void> {
    const configuration = await this.#discovered();
    if (!configuration.serverMetadata().revocation_endpoint) return;
    const revoked = () => openid.tokenRevocation(configuration, refreshToken, { token_type_hint: 'refresh_token' });
    await this.#asked(revoked, () => false);
  }

  /** Discovery is kept once it worked; a failed one is forgotten, so that the next call tries again. */
  #discovered(): Promise<openid.Configuration> {
    const discovery = { name: 'discovery', isOutage: () => true };
    this.#configuration ??= this.#watched(discovery, () => discover(this.options)).catch((error: unknown) => {
      this.#configuration = undefined;
      throw new IdentityProviderUnavailable({ cause: error });
    });
    return this.#configuration;
  }

  /** Names what went wrong: a refusal is final, everything else (network, time limit, a broken answer) may work later. */
  async #asked<T>(call: () => Promise<T>, isRefusal: (error: unknown) => boolean): Promise<T> {
    try {
      return await this.#watchedToken(call);
    } catch (error) {
      throw isRefusal(error) ? new GrantRefused({ cause: error }) : new IdentityProviderUnavailable({ cause: error });
    }
  }

  #watchedToken<T>(call: () => Promise<T>): Promise<T> {
    return this.#watched({ name: 'token', isOutage: (error) => !isAboutGrant(error) }, call);
  }

  #watched<T>(operation: ObservedOperation, call: () => Promise<T>): Promise<T> {
    const { outages } = this.options;
    return outages ? withOutageLog(outages, operation, call) : call();
  }
}

function discover(options: OpenIdOptions): Promise<openid.Configuration> {
  // The configuration lets plain http through on loopback only.
  const execute = isPlain(options) ? [openid.allowInsecureRequests] : [];
  const limits = { execute, timeout: TIMEOUT_SECONDS, [openid.customFetch]: boundedFetch };
  const { issuer, clientId } = options;
  return openid
    .discovery(new URL(issuer), clientId, undefined, authenticationOf(options), limits)
    .catch((error: unknown) => Promise.reject(discoveryFailureOf(error, issuer)));
}

/** The same service, given the time that a refresh needs. */
function patient(discovered: openid.Configuration, options: OpenIdOptions): openid.Configuration {
  const metadata = discovered.serverMetadata();
  const configuration = new openid.Configuration(metadata, options.clientId, undefined, authenticationOf(options));
  if (isPlain(options)) openid.allowInsecureRequests(configuration);
  configuration.timeout = REFRESH_TIMEOUT_SECONDS;
  return configuration;
}

function authenticationOf({ clientSecret }: OpenIdOptions): openid.ClientAuth {
  return clientSecret === undefined ? openid.None() : openid.ClientSecretPost(clientSecret);
}

function isPlain({ issuer }: OpenIdOptions): boolean {
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

function userOf(claims: openid.IDToken, organizationClaim: string): SignedInPerson {
  const organization = claims[organizationClaim];
  return {
    sub: claims.sub,
    ...(typeof claims['name'] === 'string' ? { name: claims['name'] } : {}),
    ...(typeof claims['email'] === 'string' ? { email: claims['email'] } : {}),
    ...(typeof organization === 'string' ? { organization } : {}),
  };
}

/**
 * Whether a refresh token is no good any more. Nothing else ends a session: an unknown client, a wrong secret or a
 * proxy's 403 are faults of the set-up, which somebody mends while people stay signed in.
 */
function isUsedUp(error: unknown): boolean {
  return error instanceof openid.ResponseBodyError && error.error === 'invalid_grant';
}

/** Whether the service refused one person's code or token, and would serve the next one. */
function isAboutGrant(error: unknown): boolean {
  if (error instanceof openid.AuthorizationResponseError || isBadResponse(error)) return true;
  return error instanceof openid.ResponseBodyError && ['invalid_grant', 'invalid_request'].includes(error.error);
}

/** Whether this sign-in cannot be completed. Nobody has a session yet, and beginning anew costs a click. */
function isRefusedSignIn(error: unknown): boolean {
  return (
    error instanceof openid.AuthorizationResponseError ||
    (error instanceof openid.ResponseBodyError && error.status !== 429) ||
    isBadResponse(error)
  );
}

/**
 * State, nonce, issuer or audience are not those this sign-in was started with. The ID token's signature is not looked
 * at: it comes from the token endpoint itself, over TLS, which is proof enough (OpenID Connect Core 3.1.3.7).
 */
function isBadResponse(error: unknown): boolean {
  return (
    error instanceof openid.ClientError &&
    (error.code === 'OAUTH_INVALID_RESPONSE' || error.code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED')
  );
}
