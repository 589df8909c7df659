import {
  IdentityService,
  type SignedInGrant,
  type SignInAttempt,
  type TokenGrant,
} from '../application/identity-service.port';

/** An identity service that says what a test wants, and gives another access token with each grant. */
export class ScriptedIdentityService extends IdentityService {
  failure: Error | undefined;
  lifetimeMs = 60 * 60_000;
  readonly redeemed: URL[] = [];
  readonly revoked: string[] = [];
  #grants = 0;

  async signInUrl(attempt: SignInAttempt, params: Readonly<Record<string, string>>): Promise<URL> {
    if (this.failure) throw this.failure;
    return new URL(`https://idp.example/authorize?${new URLSearchParams({ ...params, state: attempt.state })}`);
  }

  async redeem(callback: URL): Promise<SignedInGrant> {
    this.redeemed.push(callback);
    return { ...(await this.refresh()), user: { sub: 'person-1' } };
  }

  async refresh(): Promise<TokenGrant> {
    if (this.failure) throw this.failure;
    const accessToken = `access-${++this.#grants}`;
    return { accessToken, refreshToken: 'refresh', expiresAt: new Date(Date.now() + this.lifetimeMs) };
  }

  async revoke(refreshToken: string): Promise<void> {
    this.revoked.push(refreshToken);
  }
}
