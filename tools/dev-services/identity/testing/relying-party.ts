import * as oidc from 'openid-client';
import { completeSignIn } from './sign-in-driver.ts';
import type { SignInChoice, SignInOutcome, SignInDriverOptions } from './sign-in-driver.ts';

/** No server listens here: the sign-in driver stops before a request to these URLs. */
export const REDIRECT_URI = 'http://localhost:9/auth/callback';
export const POST_LOGOUT_URI = 'http://localhost:9/login';
export const CLIENT = { clientId: 'test-web', clientSecret: 'a secret of the tests' };

type Tokens = Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>;

interface Request {
  readonly url: string;
  readonly verifier: string;
  readonly nonce: string;
}

/** A client of the identity service, for its tests. */
export class RelyingParty {
  readonly configuration: oidc.Configuration;

  private constructor(configuration: oidc.Configuration) {
    this.configuration = configuration;
  }

  static async discover(issuer: string): Promise<RelyingParty> {
    const { clientId, clientSecret } = CLIENT;
    return new RelyingParty(
      await oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
        execute: [oidc.allowInsecureRequests],
      }),
    );
  }

  /** Builds an authorization request; `params` override its defaults. */
  async request(params: Readonly<Record<string, string>> = {}): Promise<Request> {
    const verifier = oidc.randomPKCECodeVerifier();
    const nonce = oidc.randomNonce();
    const url = oidc.buildAuthorizationUrl(this.configuration, {
      redirect_uri: REDIRECT_URI,
      scope: 'openid profile email org offline_access',
      state: 'the-state',
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...params,
    });
    return { url: url.href, verifier, nonce };
  }

  async driveSignIn(
    choose: SignInChoice,
    options: SignInDriverOptions & { params?: Readonly<Record<string, string>> } = {},
  ): Promise<SignInOutcome> {
    const { url } = await this.request(options.params);
    return completeSignIn(url, choose, { stopBefore: REDIRECT_URI, ...options });
  }

  async signIn(
    choose: SignInChoice,
    options: SignInDriverOptions & { params?: Readonly<Record<string, string>> } = {},
  ): Promise<{ tokens: Tokens; walk: SignInOutcome }> {
    const { url, verifier, nonce } = await this.request(options.params);
    const walk = await completeSignIn(url, choose, { stopBefore: REDIRECT_URI, ...options });
    const tokens = await oidc.authorizationCodeGrant(this.configuration, new URL(walk.finalUrl), {
      pkceCodeVerifier: verifier,
      expectedNonce: nonce,
      expectedState: 'the-state',
      idTokenExpected: true,
    });
    return { tokens, walk };
  }

  refresh(refreshToken: string | undefined): Promise<Tokens> {
    return oidc.refreshTokenGrant(this.configuration, refreshToken ?? '');
  }

  revoke(refreshToken: string | undefined): Promise<void> {
    return oidc.tokenRevocation(this.configuration, refreshToken ?? '');
  }

  signOutUrl(params: Readonly<Record<string, string>> = {}): string {
    return oidc.buildEndSessionUrl(this.configuration, { post_logout_redirect_uri: POST_LOGOUT_URI, ...params }).href;
  }
}
