import {
  IdentityProvider,
  type SignedInGrant,
  type SignInAttempt,
  type TokenGrant,
} from '../application/identity-provider.port';
import { GrantRefused } from '../domain/identity.errors';

/** A fake identity service: rotates refresh tokens, refuses reused ones and fails on demand. */
export class FakeIdentityProvider extends IdentityProvider {
  rotates = true;
  lifetimeMs = 60 * 60_000;
  failure: Error | undefined;
  /** Runs during a refresh. */
  meanwhile: () => Promise<unknown> = () => Promise.resolve();
  readonly urls: { attempt: SignInAttempt; params: Readonly<Record<string, string>> }[] = [];
  readonly redeemed: URL[] = [];
  readonly revoked: string[] = [];
  refreshes = 0;
  #live = 'refresh-0';

  /** @param now milliseconds since the epoch. */
  constructor(private readonly now: () => number = () => Date.now()) {
    super();
  }

  async authorizationUrl(attempt: SignInAttempt, params: Readonly<Record<string, string>>): Promise<URL> {
    if (this.failure) throw this.failure;
    this.urls.push({ attempt, params });
    return new URL(`https://idp.example/authorize?${new URLSearchParams({ ...params, state: attempt.state })}`);
  }

  async redeem(callback: URL): Promise<SignedInGrant> {
    this.redeemed.push(callback);
    if (this.failure) throw this.failure;
    return { ...this.#grant(), refreshToken: this.#live, user: { sub: 'person-1', organization: 'org-1' } };
  }

  async refresh(refreshToken: string): Promise<TokenGrant> {
    this.refreshes++;
    await this.meanwhile();
    if (this.failure) throw this.failure;
    if (refreshToken !== this.#live) throw new GrantRefused();
    if (!this.rotates) return this.#grant();
    this.#live = `refresh-${this.refreshes}`;
    return { ...this.#grant(), refreshToken: this.#live };
  }

  async revoke(refreshToken: string): Promise<void> {
    this.revoked.push(refreshToken);
    if (this.failure) throw this.failure;
  }

  #grant(): TokenGrant {
    return { accessToken: `access-${this.refreshes}`, expiresAt: new Date(this.now() + this.lifetimeMs) };
  }
}
