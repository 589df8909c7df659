import * as oidc from 'openid-client';
import { z } from 'zod';
import type { IdentityProviderId } from './people.ts';
import { BROKER_CLIENT_ID } from './upstream.ts';

/** The broker's secrets for one pending sign-in at an upstream provider. */
export const upstreamAttempt = z.object({ provider: z.string(), codeVerifier: z.string(), nonce: z.string() });
export type UpstreamAttempt = z.infer<typeof upstreamAttempt>;

/** The broker as a client of one upstream identity provider. */
export class UpstreamClient {
  readonly provider: IdentityProviderId;
  readonly redirectUri: string;
  readonly #issuer: URL;
  readonly #clientSecret: string;
  #configuration: oidc.Configuration | undefined;

  constructor(options: { provider: IdentityProviderId; issuer: string; clientSecret: string; redirectUri: string }) {
    this.provider = options.provider;
    this.redirectUri = options.redirectUri;
    this.#issuer = new URL(options.issuer);
    this.#clientSecret = options.clientSecret;
  }

  /** Returns the URL of the provider's page and the attempt for `finish`. Always asks for an account. */
  async begin(state: string): Promise<{ location: URL; leg: UpstreamAttempt }> {
    const leg = { provider: this.provider, codeVerifier: oidc.randomPKCECodeVerifier(), nonce: oidc.randomNonce() };
    const location = oidc.buildAuthorizationUrl(await this.#discover(), {
      redirect_uri: this.redirectUri,
      scope: 'openid',
      prompt: 'select_account',
      state,
      nonce: leg.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(leg.codeVerifier),
      code_challenge_method: 'S256',
    });
    return { location, leg };
  }

  /**
   * Completes the sign-in and returns the person's id at this provider.
   * @param answer the query of the provider's redirect.
   * @throws openid-client's errors when the response does not match this request.
   */
  async finish(answer: URLSearchParams, state: string, leg: UpstreamAttempt): Promise<string> {
    const callback = new URL(this.redirectUri);
    callback.search = answer.toString();
    const tokens = await oidc.authorizationCodeGrant(await this.#discover(), callback, {
      expectedState: state,
      expectedNonce: leg.nonce,
      pkceCodeVerifier: leg.codeVerifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new Error(`${this.provider} sent no ID token`);
    return claims.sub;
  }

  async #discover(): Promise<oidc.Configuration> {
    this.#configuration ??= await oidc.discovery(
      this.#issuer,
      BROKER_CLIENT_ID,
      { client_secret: this.#clientSecret, id_token_signed_response_alg: 'ES256' },
      undefined,
      // Plain http on loopback: without TLS, the signature of ID tokens must be checked.
      { execute: [oidc.allowInsecureRequests, oidc.enableNonRepudiationChecks] },
    );
    return this.#configuration;
  }
}
