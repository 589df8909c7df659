import { retry } from '@homeport/kernel';
import { GrantRefused, GrantUnusable, IdentityProviderUnavailable, NoSession } from '../domain/identity.errors';
import { handleOf } from '../domain/session-handle';
import type { Clock } from './clock';
import type { IdentityProvider, TokenGrant } from './identity-provider.port';
import type { TokenRevoker } from './token-revoker';
import type { SessionStore, StoredSession } from './session-store.port';

/** Tokens are renewed this long before they expire, so that no request carries a token that expires on the way. */
const RENEW_BEFORE_MS = 60_000;
/** How long a caller waits for a renewal; the renewal itself continues. */
const WAIT_TIMEOUT_MS = 4_000;
/** Longer than a refresh and its storage may take; after this time the leaseholder is considered dead. */
const RENEWAL_LEASE_MS = 45_000;
const RENEWAL_POLL_MS = 250;
const RENEWAL_POLLS = 16;
/** The previous refresh token is already invalid: losing the new one would end the session. */
const STORE_TRIES = 3;
const STORE_RETRY_MS = 500;

/** The lease of one caller to renew. */
interface RenewalLease {
  readonly until: Date;
  /** The handle of the token that must not be returned again. */
  readonly refused: string | undefined;
}

/** Renews the tokens of sessions before they expire, coordinated between instances. */
export class TokenRenewer {
  constructor(
    private readonly identityProvider: IdentityProvider,
    private readonly sessions: SessionStore,
    private readonly revocation: TokenRevoker,
    private readonly clock: Clock,
  ) {}

  /** Whether the token stays valid long enough and is not the one the API refused. */
  isUsable({ accessToken, accessExpiresAt }: StoredSession, refused: string | undefined): boolean {
    const isFresh = accessExpiresAt.getTime() - RENEW_BEFORE_MS > this.clock.now();
    return isFresh && handleOf(accessToken) !== refused;
  }

  /**
   * Returns the session with a usable token. Refresh tokens work once, so one caller renews and all others wait for its
   * result. A started refresh is never aborted: the service may complete it late, and its response holds the only valid
   * refresh token.
   * @throws {NoSession} @throws {IdentityProviderUnavailable} @throws {DatabaseUnavailable}
   */
  async renew(id: string, refused: string | undefined): Promise<StoredSession> {
    for (let check = 0; check < RENEWAL_POLLS; check++) {
      const until = await this.sessions.acquireRenewalLease(id, RENEWAL_LEASE_MS);
      if (until) return this.#withTimeout(this.#renewWithLease(id, { until, refused }));
      await this.clock.wait(RENEWAL_POLL_MS);
      const session = await this.sessions.find(id);
      if (!session) throw new NoSession();
      if (this.isUsable(session, refused)) return session;
    }
    throw new IdentityProviderUnavailable();
  }

  async #withTimeout(renewal: Promise<StoredSession>): Promise<StoredSession> {
    const renewed = await Promise.race([renewal, this.clock.wait(WAIT_TIMEOUT_MS).then(() => undefined)]);
    if (renewed === undefined) throw new IdentityProviderUnavailable();
    return renewed;
  }

  async #renewWithLease(id: string, lease: RenewalLease): Promise<StoredSession> {
    try {
      // Read again: another caller may have renewed before this lease and used up the refresh token read earlier.
      const session = await this.sessions.find(id);
      if (!session) throw new NoSession();
      if (!this.isUsable(session, lease.refused)) return await this.#refresh(session, lease);
      await this.sessions.release(id, lease.until);
      return session;
    } catch (error) {
      if (error instanceof GrantRefused) {
        await this.sessions.remove(id);
        throw new NoSession();
      }
      // A lease that cannot be released now expires by itself.
      await this.sessions.release(id, lease.until).catch(() => undefined);
      throw error;
    }
  }

  async #refresh(session: StoredSession, lease: RenewalLease): Promise<StoredSession> {
    if (session.refreshToken === undefined) throw new GrantRefused();
    const grant = await this.#requestGrant(session, session.refreshToken, lease);
    const refreshToken = grant.refreshToken ?? session.refreshToken;
    const renewed = {
      ...session,
      accessToken: grant.accessToken,
      accessExpiresAt: grant.expiresAt,
      refreshToken,
      lastUsedAt: new Date(this.clock.now()),
    };
    if (await this.#store(renewed, lease.until)) return renewed;
    // An earlier attempt stored it and its response was lost, or the lease expired and another caller acquired it.
    const current = await this.sessions.find(session.id);
    if (current && this.isUsable(current, lease.refused)) return current;
    if (current) throw new IdentityProviderUnavailable();
    // The person signed out during the renewal; sign-out revoked only the previous token.
    await this.revocation.revoke(renewed);
    throw new NoSession();
  }

  /**
   * Refreshes; stores the new refresh token even if the rest of the response is unusable, since the old one is invalid.
   */
  async #requestGrant(session: StoredSession, refreshToken: string, { until }: RenewalLease): Promise<TokenGrant> {
    try {
      return await this.identityProvider.refresh(refreshToken, session.user.sub);
    } catch (error) {
      if (!(error instanceof GrantUnusable)) throw error;
      const updated = { ...session, refreshToken: error.refreshToken };
      // The session was removed during the refresh: its grant must not stay alive.
      if (!(await this.#store(updated, until))) await this.revocation.revoke(updated);
      throw new IdentityProviderUnavailable({ cause: error });
    }
  }

  #store(session: StoredSession, until: Date): Promise<boolean> {
    return retry(() => this.sessions.replace(session, until), {
      attempts: STORE_TRIES,
      delayMs: () => STORE_RETRY_MS,
      wait: (ms) => this.clock.wait(ms),
    });
  }
}
