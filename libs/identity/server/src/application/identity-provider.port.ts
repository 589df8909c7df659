import type { SessionUser } from '@homeport/identity/contracts';

/** The signed-in person as stored with a session; `organization` is absent without one. */
export interface SignedInPerson extends Pick<SessionUser, 'sub' | 'name' | 'email'> {
  readonly organization?: string;
  /** For display; absent without an organization. */
  readonly organizationName?: string;
}

/** The tokens of a sign-in or a refresh. */
export interface TokenGrant {
  readonly accessToken: string;
  /** Absent when the identity service does not rotate refresh tokens. */
  readonly refreshToken?: string;
  readonly expiresAt: Date;
}

export interface SignedInGrant extends TokenGrant {
  readonly user: SignedInPerson;
}

/** The secrets of a pending sign-in. They travel in a sealed cookie, never in a URL. */
export interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly returnTo: string;
}

/** The identity service's hosted sign-in: OpenID Connect with code and PKCE. */
export abstract class IdentityProvider {
  /**
   * Builds the URL of the hosted page.
   * @param params extra parameters: the preselected provider, and whether to force a login.
   * @throws {IdentityProviderUnavailable}
   */
  abstract authorizationUrl(attempt: SignInAttempt, params: Readonly<Record<string, string>>): Promise<URL>;

  /**
   * Redeems the code in `callback`. Not repeatable: a code works once.
   * @throws {GrantRefused} when this sign-in cannot be completed.
   * @throws {IdentityProviderUnavailable} when the service is unavailable.
   */
  abstract redeem(callback: URL, attempt: SignInAttempt): Promise<SignedInGrant>;

  /**
   * Gets a new access token. Not repeatable: refresh tokens rotate, and reuse ends the whole session. Waits up to 25 s,
   * because the service may complete the refresh after the client timed out.
   * @param subject the `sub` that the new tokens must name.
   * @throws {GrantRefused} when this token is no longer valid, or the new ones belong to another person.
   * @throws {GrantUnusable} when the service invalidated the token and the rest of its response is unusable.
   * @throws {IdentityProviderUnavailable} for every other failure,
   * also when the service refuses the client's configuration.
   */
  abstract refresh(refreshToken: string, subject: string): Promise<TokenGrant>;

  /** Revokes the grant of a refresh token. Idempotent. @throws {IdentityProviderUnavailable} */
  abstract revoke(refreshToken: string): Promise<void>;
}
