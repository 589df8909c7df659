import type { SessionUser } from '@homeport/identity/contracts';

/** The signed-in person as sessions store them: without an organization the field is absent. */
export interface SignedInPerson extends Omit<SessionUser, 'organization'> {
  readonly organization?: string;
}

/** What a person brings back from the hosted sign-in page, or a refresh brings anew. */
export interface TokenGrant {
  readonly accessToken: string;
  /** Absent when the identity service keeps the one it gave before. */
  readonly refreshToken?: string;
  readonly expiresAt: Date;
}

export interface SignedInGrant extends TokenGrant {
  readonly user: SignedInPerson;
}

/** The secrets of one sign-in under way. They travel in a sealed cookie, never in an address. */
export interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly returnTo: string;
}

/** The identity service's hosted sign-in: OpenID Connect with code and PKCE. */
export abstract class IdentityProvider {
  /**
   * The address of the hosted page.
   * @param params what else the page is told: which identity provider to take, and whether to ask who is there.
   * @throws {IdentityProviderUnavailable}
   */
  abstract authorizationUrl(attempt: SignInAttempt, params: Readonly<Record<string, string>>): Promise<URL>;

  /**
   * Redeems the code in `callback`. Not repeatable: a code works once.
   * @throws {GrantRefused} when this sign-in cannot be completed, for whatever reason the service gives.
   * @throws {IdentityProviderUnavailable} when it does not answer.
   */
  abstract redeem(callback: URL, attempt: SignInAttempt): Promise<SignedInGrant>;

  /**
   * Gets a new access token. Not repeatable: refresh tokens rotate, and a used one ends the whole session. So it waits for
   * an answer for up to 25 s, however late the service works it off.
   * @param subject whom the new tokens have to be about.
   * @throws {GrantRefused} when this very token is no good any more, or the new ones are about somebody else.
   * @throws {GrantUnusable} when the service used the token up and the rest of its answer is unusable.
   * @throws {IdentityProviderUnavailable} for everything else, a set-up the service refuses included.
   */
  abstract refresh(refreshToken: string, subject: string): Promise<TokenGrant>;

  /** Ends the grant behind a refresh token. Repeating it is harmless. @throws {IdentityProviderUnavailable} */
  abstract revoke(refreshToken: string): Promise<void>;
}
