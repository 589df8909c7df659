import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type BrowserSession, returnPath, type SessionList, type SignInProvider } from '@homeport/identity/contracts';
import { GrantRefused, IdentityServiceUnavailable, NoSession } from '../domain/identity.errors';
import type { IdentityService, SignInAttempt } from './identity-service.port';
import { handleOf } from '../domain/session-handle';
import { MAX_IDLE_MS, MAX_SESSION_MS } from '../domain/session-life';
import type { SessionStore, StoredSession } from './session-store.port';

/** One provider as configured: what people see, and what preselects it on the hosted page. */
export interface ConfiguredProvider extends SignInProvider {
  readonly params: Readonly<Record<string, string>>;
}

export interface StartedSignIn {
  readonly attempt: SignInAttempt;
  readonly url: URL;
}

/** The passing of time, so that nothing but the product has to wait for it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  wait(ms: number): Promise<unknown>;
}

/** A wait keeps no process running. */
const SYSTEM_CLOCK: Clock = { now: () => Date.now(), wait: (ms) => setTimeout(ms, undefined, { ref: false }) };
/** A token is renewed this long before it ends, so that no request travels with one about to expire. */
const RENEW_BEFORE_MS = 60_000;
/** Longer than a refresh may take; past it the instance that claimed the renewal is taken for dead. */
const RENEWAL_CLAIM_MS = 20_000;
const RENEWAL_CHECK_MS = 250;
const RENEWAL_CHECKS = 16;
const MAX_DEVICE_LENGTH = 256;
/** How long the end of a session waits for the identity service. */
const REVOCATION_MS = 2_000;
/** The refresh token before this one is used up: losing the new one would end the session. */
const STORE_TRIES = 3;
const STORE_AGAIN_MS = 500;

/**
 * Browser sign-in as a token-mediating back end: the refresh token stays on the server, the browser holds an HttpOnly
 * cookie and, in memory only, a short-lived access token.
 */
export class BrowserSignIn {
  constructor(
    private readonly configured: readonly ConfiguredProvider[],
    private readonly identityService: IdentityService,
    private readonly sessions: SessionStore,
    private readonly clock: Clock = SYSTEM_CLOCK,
  ) {}

  providers(): SignInProvider[] {
    return this.configured.map(({ id, label }) => ({ id, label }));
  }

  /** @param returnTo where the person wanted to go; anything but a path of ours becomes `/`. */
  async start(providerId: string | undefined, returnTo: string | undefined): Promise<StartedSignIn> {
    const provider = this.configured.find(({ id }) => id === providerId);
    const attempt: SignInAttempt = {
      state: secret(),
      nonce: secret(),
      codeVerifier: secret(),
      returnTo: returnPath(returnTo),
    };
    return { attempt, url: await this.identityService.signInUrl(attempt, provider?.params ?? {}) };
  }

  /**
   * @param device what the browser calls itself.
   * @returns the id of the new session. @throws {GrantRefused} @throws {IdentityServiceUnavailable}
   * @throws {DatabaseUnavailable}
   */
  async finish(callback: URL, attempt: SignInAttempt, device = ''): Promise<string> {
    const grant = await this.identityService.redeem(callback, attempt);
    const id = secret();
    const now = new Date(this.clock.now());
    const session: StoredSession = {
      id,
      user: grant.user,
      accessToken: grant.accessToken,
      accessExpiresAt: grant.expiresAt,
      ...(grant.refreshToken === undefined ? {} : { refreshToken: grant.refreshToken }),
      createdAt: now,
      lastUsedAt: now,
      device: device.slice(0, MAX_DEVICE_LENGTH),
    };
    try {
      await this.sessions.add(session);
    } catch (error) {
      await this.#revokeAt(session);
      throw error;
    }
    return id;
  }

  /**
   * Removes what nobody uses any more once somebody has signed in: the session this browser had before, and the ones that
   * were idle for too long. Those that are too old and still used end with their next use. Repeating it is harmless.
   */
  async tidy(before: string | undefined): Promise<void> {
    // Not revoked: at the identity service, the new session may stand on the same grant.
    if (before !== undefined) await this.sessions.remove(before);
    await this.sessions.removeIdle(new Date(this.clock.now() - MAX_IDLE_MS));
  }

  /**
   * The session with a token that still works for a while.
   * @param refused the handle of a token that the API did not take, however long it should work: never given again.
   * @throws {NoSession} @throws {IdentityServiceUnavailable} when the token must be renewed and cannot be now.
   */
  async current(id: string, refused?: string): Promise<BrowserSession> {
    const found = await this.sessions.find(id);
    if (!found) throw new NoSession();
    if (this.#isOver(found)) {
      await this.end(id);
      throw new NoSession();
    }
    return wireSession(this.#isUsable(found, refused) ? found : await this.#renewed(id, refused));
  }

  /** Whether there is a session with this id that has not ended. */
  async isLiving(id: string): Promise<boolean> {
    const found = await this.sessions.find(id);
    return found !== undefined && !this.#isOver(found);
  }

  /** Ends the session here at once, and at the identity service as far as it answers. */
  async end(id: string): Promise<void> {
    await this.#revokeAt(await this.sessions.remove(id));
  }

  /** Where the person of this session is signed in. @throws {NoSession} */
  async list(id: string): Promise<SessionList> {
    const { user } = await this.#living(id);
    const all = await this.sessions.listOf(user.sub);
    return {
      items: all
        .filter((each) => !this.#isOver(each))
        .map(({ handle, device, createdAt, lastUsedAt }) => ({
          id: handle,
          device,
          created_at: createdAt.toISOString(),
          last_used_at: lastUsedAt.toISOString(),
          current: handle === handleOf(id),
        })),
    };
  }

  /** Ends another session of the same person; absent already is success. @throws {NoSession} */
  async revoke(id: string, handle: string): Promise<void> {
    const { user } = await this.#living(id);
    await this.#revokeAt(await this.sessions.removeNamed(user.sub, handle));
  }

  async #living(id: string): Promise<StoredSession> {
    const found = await this.sessions.find(id);
    if (!found || this.#isOver(found)) throw new NoSession();
    return found;
  }

  /**
   * The session is gone for the person either way, so nobody waits for long; a refresh token that could not be revoked
   * expires by itself.
   */
  async #revokeAt(removed: Pick<StoredSession, 'refreshToken'> | undefined): Promise<void> {
    if (!removed?.refreshToken) return;
    const revoked = this.identityService.revoke(removed.refreshToken).catch(() => undefined);
    await Promise.race([revoked, this.clock.wait(REVOCATION_MS)]);
  }

  /** Refresh tokens work once, so one caller renews and everybody else waits for what it gets. */
  async #renewed(id: string, refused: string | undefined): Promise<StoredSession> {
    for (let check = 0; check < RENEWAL_CHECKS; check++) {
      if (await this.sessions.claimRenewal(id, RENEWAL_CLAIM_MS)) return this.#renewClaimed(id, refused);
      await this.clock.wait(RENEWAL_CHECK_MS);
      const session = await this.sessions.find(id);
      if (!session) throw new NoSession();
      if (this.#isUsable(session, refused)) return session;
    }
    throw new IdentityServiceUnavailable();
  }

  async #renewClaimed(id: string, refused: string | undefined): Promise<StoredSession> {
    try {
      // Read anew: somebody may have renewed it before the claim was ours, and the refresh token seen then is used up.
      const session = await this.sessions.find(id);
      if (!session) throw new NoSession();
      if (!this.#isUsable(session, refused)) return await this.#refreshed(session);
      await this.sessions.release(id);
      return session;
    } catch (error) {
      if (error instanceof GrantRefused) {
        await this.sessions.remove(id);
        throw new NoSession();
      }
      // A claim that cannot be given back now ends by itself.
      await this.sessions.release(id).catch(() => undefined);
      throw error;
    }
  }

  async #refreshed(session: StoredSession): Promise<StoredSession> {
    if (session.refreshToken === undefined) throw new GrantRefused();
    const grant = await this.identityService.refresh(session.refreshToken);
    const refreshToken = grant.refreshToken ?? session.refreshToken;
    const renewed = {
      ...session,
      accessToken: grant.accessToken,
      accessExpiresAt: grant.expiresAt,
      refreshToken,
      lastUsedAt: new Date(this.clock.now()),
    };
    if (await this.#stored(renewed)) return renewed;
    // The person signed out meanwhile, with the token before this one.
    await this.#revokeAt(renewed);
    throw new NoSession();
  }

  async #stored(session: StoredSession): Promise<boolean> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.sessions.replace(session);
      } catch (error) {
        if (tries === STORE_TRIES) throw error;
        await this.clock.wait(STORE_AGAIN_MS);
      }
    }
  }

  #isOver({ createdAt, lastUsedAt }: Pick<StoredSession, 'createdAt' | 'lastUsedAt'>): boolean {
    const now = this.clock.now();
    return createdAt.getTime() + MAX_SESSION_MS <= now || lastUsedAt.getTime() + MAX_IDLE_MS <= now;
  }

  #isUsable({ accessToken, accessExpiresAt }: StoredSession, refused: string | undefined): boolean {
    const isFresh = accessExpiresAt.getTime() - RENEW_BEFORE_MS > this.clock.now();
    return isFresh && handleOf(accessToken) !== refused;
  }
}

function wireSession(session: StoredSession): BrowserSession {
  return {
    access_token: session.accessToken,
    expires_at: session.accessExpiresAt.toISOString(),
    user: session.user,
  };
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}
