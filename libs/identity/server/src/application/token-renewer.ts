import { GrantRefused, GrantUnusable, IdentityProviderUnavailable, NoSession } from '../domain/identity.errors';
import { handleOf } from '../domain/session-handle';
import type { Clock } from './clock';
import type { IdentityProvider, TokenGrant } from './identity-provider.port';
import type { TokenRevoker } from './token-revoker';
import type { SessionStore, StoredSession } from './session-store.port';

/** A token is renewed this long before it ends, so that no request travels with one about to expire. */
const RENEW_BEFORE_MS = 60_000;
/** How long a caller waits for a renewal, which goes on without anybody waiting. */
const WAIT_TIMEOUT_MS = 4_000;
/** Longer than a refresh and its storing may take; past it the instance that claimed the renewal is taken for dead. */
const RENEWAL_LEASE_MS = 45_000;
const RENEWAL_POLL_MS = 250;
const RENEWAL_POLLS = 16;
/** The refresh token before this one is used up: losing the new one would end the session. */
const STORE_TRIES = 3;
const STORE_RETRY_MS = 500;

/** One caller's right to renew. */
interface RenewalLease {
  readonly until: Date;
  /** The handle of the token that must not come back. */
  readonly refused: string | undefined;
}

/** Replaces the tokens of sessions in time, once for all instances. */
export class TokenRenewer {
  constructor(
    private readonly identityProvider: IdentityProvider,
    private readonly sessions: SessionStore,
    private readonly revocation: TokenRevoker,
    private readonly clock: Clock,
  ) {}

  /** Whether the token of a session works for a while, and is not the one the API refused. */
  isUsable({ accessToken, accessExpiresAt }: StoredSession, refused: string | undefined): boolean {
    const isFresh = accessExpiresAt.getTime() - RENEW_BEFORE_MS > this.clock.now();
    return isFresh && handleOf(accessToken) !== refused;
  }

  /**
   * The session with a token that is usable. Refresh tokens work once, so one caller renews and everybody else waits for
   * what it gets. A refresh that was sent is never given up: the service may work it off late, and its answer holds the
   * only refresh token that is good from then on.
   * @throws {NoSession} @throws {IdentityProviderUnavailable} @throws {DatabaseUnavailable}
   */
  async renew(id: string, refused: string | undefined): Promise<StoredSession> {
    for (let check = 0; check < RENEWAL_POLLS; check++) {
      const until = await this.sessions.acquireRenewalLease(id, RENEWAL_LEASE_MS);
      if (until) return this.#awaited(this.#renewClaimed(id, { until, refused }));
      await this.clock.wait(RENEWAL_POLL_MS);
      const session = await this.sessions.find(id);
      if (!session) throw new NoSession();
      if (this.isUsable(session, refused)) return session;
    }
    throw new IdentityProviderUnavailable();
  }

  async #awaited(renewal: Promise<StoredSession>): Promise<StoredSession> {
    const renewed = await Promise.race([renewal, this.clock.wait(WAIT_TIMEOUT_MS).then(() => undefined)]);
    if (renewed === undefined) throw new IdentityProviderUnavailable();
    return renewed;
  }

  async #renewClaimed(id: string, claim: RenewalLease): Promise<StoredSession> {
    try {
      // Read anew: somebody may have renewed it before the claim was ours, and the refresh token seen then is used up.
      const session = await this.sessions.find(id);
      if (!session) throw new NoSession();
      if (!this.isUsable(session, claim.refused)) return await this.#refreshed(session, claim);
      await this.sessions.release(id, claim.until);
      return session;
    } catch (error) {
      if (error instanceof GrantRefused) {
        await this.sessions.remove(id);
        throw new NoSession();
      }
      // A claim that cannot be given back now ends by itself.
      await this.sessions.release(id, claim.until).catch(() => undefined);
      throw error;
    }
  }

  async #refreshed(session: StoredSession, claim: RenewalLease): Promise<StoredSession> {
    if (session.refreshToken === undefined) throw new GrantRefused();
    const grant = await this.#granted(session, session.refreshToken, claim);
    const refreshToken = grant.refreshToken ?? session.refreshToken;
    const renewed = {
      ...session,
      accessToken: grant.accessToken,
      accessExpiresAt: grant.expiresAt,
      refreshToken,
      lastUsedAt: new Date(this.clock.now()),
    };
    if (await this.#stored(renewed, claim.until)) return renewed;
    // A try whose answer was lost has stored it, or the claim was over and somebody else took it.
    const there = await this.sessions.find(session.id);
    if (there && this.isUsable(there, claim.refused)) return there;
    if (there) throw new IdentityProviderUnavailable();
    // The person signed out meanwhile, with the token before this one.
    await this.revocation.revoke(renewed);
    throw new NoSession();
  }

  /** Keeps the new refresh token also when the rest of the answer is unusable: the old one works no more. */
  async #granted(session: StoredSession, refreshToken: string, { until }: RenewalLease): Promise<TokenGrant> {
    try {
      return await this.identityProvider.refresh(refreshToken, session.user.sub);
    } catch (error) {
      if (!(error instanceof GrantUnusable)) throw error;
      const kept = { ...session, refreshToken: error.refreshToken };
      // The session was removed meanwhile: nothing may keep its grant alive.
      if (!(await this.#stored(kept, until))) await this.revocation.revoke(kept);
      throw new IdentityProviderUnavailable({ cause: error });
    }
  }

  async #stored(session: StoredSession, until: Date): Promise<boolean> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.sessions.replace(session, until);
      } catch (error) {
        if (tries === STORE_TRIES) throw error;
        await this.clock.wait(STORE_RETRY_MS);
      }
    }
  }
}
