import { randomBytes } from 'node:crypto';
import { type BrowserSession, returnPath, type SessionList, type SignInProvider } from '@homeport/identity/contracts';
import { NoSession } from '../domain/identity.errors';
import { handleOf } from '../domain/session-handle';
import { MAX_IDLE_MS, MAX_SESSION_MS } from '../domain/session-lifetime';
import { type Clock, SYSTEM_CLOCK } from './clock';
import type { IdentityProvider, SignInAttempt } from './identity-provider.port';
import { TokenRevoker } from './token-revoker';
import type { SessionStore, StoredSession } from './session-store.port';
import { TokenRenewer } from './token-renewer';

/** A provider as configured; `params` preselect it on the hosted page. */
export interface ConfiguredProvider extends SignInProvider {
  readonly params: Readonly<Record<string, string>>;
}

export interface StartedSignIn {
  readonly attempt: SignInAttempt;
  readonly url: URL;
}

const MAX_DEVICE_LENGTH = 256;
/** `login` and not `select_account`, which Keycloak ignores. */
const FORCE_LOGIN = { prompt: 'login' } as const;

/**
 * Browser sign-in as a token-mediating back end: the refresh token stays on the server, the browser holds an HttpOnly
 * cookie and, in memory only, a short-lived access token.
 */
export class BrowserSignIn {
  readonly #revocation: TokenRevoker;
  readonly #renewal: TokenRenewer;

  constructor(
    private readonly configured: readonly ConfiguredProvider[],
    private readonly identityProvider: IdentityProvider,
    private readonly sessions: SessionStore,
    private readonly clock: Clock = SYSTEM_CLOCK,
  ) {
    this.#revocation = new TokenRevoker(identityProvider, clock);
    this.#renewal = new TokenRenewer(identityProvider, sessions, this.#revocation, clock);
  }

  providers(): SignInProvider[] {
    return this.configured.map(({ id, label }) => ({ id, label }));
  }

  /**
   * Starts a sign-in.
   * @param returnTo the path to open afterwards; anything but a same-origin path becomes `/`.
   * @param forcesLogin whether the hosted page must ask for a login even if it remembers a person.
   */
  async start(
    providerId: string | undefined,
    returnTo: string | undefined,
    forcesLogin = false,
  ): Promise<StartedSignIn> {
    const provider = this.configured.find(({ id }) => id === providerId);
    const attempt: SignInAttempt = {
      state: secret(),
      nonce: secret(),
      codeVerifier: secret(),
      returnTo: returnPath(returnTo),
    };
    const params = { ...(forcesLogin ? FORCE_LOGIN : {}), ...provider?.params };
    return { attempt, url: await this.identityProvider.authorizationUrl(attempt, params) };
  }

  /**
   * Completes a sign-in.
   * @param device the browser's `User-Agent`.
   * @returns the id of the new session.
   * @throws {GrantRefused} @throws {IdentityProviderUnavailable} @throws {DatabaseUnavailable}
   */
  async finish(callback: URL, attempt: SignInAttempt, device = ''): Promise<string> {
    const grant = await this.identityProvider.redeem(callback, attempt);
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
      await this.#revocation.revoke(session);
      throw error;
    }
    return id;
  }

  /**
   * Removes the previous session of this browser and all idle sessions after a sign-in. Idempotent. Sessions beyond
   * their maximum age end with their next use.
   */
  async removeStaleSessions(before: string | undefined): Promise<void> {
    // Not revoked: at the identity service, the new session may share its grant.
    if (before !== undefined) await this.sessions.remove(before);
    await this.sessions.removeIdle(new Date(this.clock.now() - MAX_IDLE_MS));
  }

  /**
   * Returns the session with a fresh access token.
   * @param refused the handle of a token that the API refused; this token is never returned again.
   * @throws {NoSession} @throws {IdentityProviderUnavailable} when the token must be renewed and cannot be renewed now.
   */
  async current(id: string, refused?: string): Promise<BrowserSession> {
    const found = await this.sessions.find(id);
    if (!found) throw new NoSession();
    if (this.#isOver(found)) {
      await this.end(id);
      throw new NoSession();
    }
    return wireSession(this.#renewal.isUsable(found, refused) ? found : await this.#renewal.renew(id, refused));
  }

  /** Removes the session, then revokes its grant at the identity service (best-effort). */
  async end(id: string): Promise<void> {
    await this.#revocation.revoke(await this.sessions.remove(id));
  }

  /** Lists the active sessions of this session's person. @throws {NoSession} */
  async list(id: string): Promise<SessionList> {
    const { user } = await this.#activeSession(id);
    const all = await this.sessions.listBySubject(user.sub);
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

  /** Ends another session of the same person; succeeds if it does not exist. @throws {NoSession} */
  async revoke(id: string, handle: string): Promise<void> {
    const { user } = await this.#activeSession(id);
    await this.#revocation.revoke(await this.sessions.removeByHandle(user.sub, handle));
  }

  /**
   * Ends all sessions of this session's person, this one included, and revokes their grants (best-effort).
   * @throws {NoSession} @throws {DatabaseUnavailable} when no session has ended.
   */
  async endAll(id: string): Promise<void> {
    const { user } = await this.#activeSession(id);
    await this.#revocation.revokeAll(await this.sessions.removeBySubject(user.sub));
  }

  /** Records that a session is in use now. @throws {DatabaseUnavailable} */
  async recordUse(id: string): Promise<void> {
    await this.sessions.recordUse(id, new Date(this.clock.now()));
  }

  async #activeSession(id: string): Promise<StoredSession> {
    const found = await this.sessions.find(id);
    if (!found || this.#isOver(found)) throw new NoSession();
    return found;
  }

  #isOver({ createdAt, lastUsedAt }: Pick<StoredSession, 'createdAt' | 'lastUsedAt'>): boolean {
    const now = this.clock.now();
    return createdAt.getTime() + MAX_SESSION_MS <= now || lastUsedAt.getTime() + MAX_IDLE_MS <= now;
  }
}

function wireSession(session: StoredSession): BrowserSession {
  const { organization, organizationName, ...person } = session.user;
  return {
    access_token: session.accessToken,
    expires_at: session.accessExpiresAt.toISOString(),
    user: {
      ...person,
      organization: organization ?? null,
      ...(organizationName === undefined ? {} : { organization_name: organizationName }),
    },
  };
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}
