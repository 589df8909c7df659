import { randomBytes } from 'node:crypto';
import { type BrowserSession, returnPath, type SessionList, type SignInProvider } from '@homeport/identity/contracts';
import { NoSession } from '../domain/identity.errors';
import { handleOf } from '../domain/session-handle';
import { MAX_IDLE_MS, MAX_SESSION_MS } from '../domain/session-life';
import { type Clock, SYSTEM_CLOCK } from './clock';
import type { IdentityService, SignInAttempt } from './identity-service.port';
import { Revocation } from './revocation';
import type { SessionStore, StoredSession } from './session-store.port';
import { TokenRenewal } from './token-renewal';

/** One provider as configured: what people see, and what preselects it on the hosted page. */
export interface ConfiguredProvider extends SignInProvider {
  readonly params: Readonly<Record<string, string>>;
}

export interface StartedSignIn {
  readonly attempt: SignInAttempt;
  readonly url: URL;
}

const MAX_DEVICE_LENGTH = 256;
/** `login` and not `select_account`, which Keycloak passes over. */
const ASK_WHO = { prompt: 'login' } as const;

/**
 * Browser sign-in as a token-mediating back end: the refresh token stays on the server, the browser holds an HttpOnly
 * cookie and, in memory only, a short-lived access token.
 */
export class BrowserSignIn {
  readonly #revocation: Revocation;
  readonly #renewal: TokenRenewal;

  constructor(
    private readonly configured: readonly ConfiguredProvider[],
    private readonly identityService: IdentityService,
    private readonly sessions: SessionStore,
    private readonly clock: Clock = SYSTEM_CLOCK,
  ) {
    this.#revocation = new Revocation(identityService, clock);
    this.#renewal = new TokenRenewal(identityService, sessions, this.#revocation, clock);
  }

  providers(): SignInProvider[] {
    return this.configured.map(({ id, label }) => ({ id, label }));
  }

  /**
   * @param returnTo where the person wanted to go; anything but a path of ours becomes `/`.
   * @param asksWho whether the hosted page has to ask, also when it remembers somebody.
   */
  async start(providerId: string | undefined, returnTo: string | undefined, asksWho = false): Promise<StartedSignIn> {
    const provider = this.configured.find(({ id }) => id === providerId);
    const attempt: SignInAttempt = {
      state: secret(),
      nonce: secret(),
      codeVerifier: secret(),
      returnTo: returnPath(returnTo),
    };
    const params = { ...(asksWho ? ASK_WHO : {}), ...provider?.params };
    return { attempt, url: await this.identityService.signInUrl(attempt, params) };
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
      await this.#revocation.of(session);
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
    return wireSession(this.#renewal.isUsable(found, refused) ? found : await this.#renewal.renewed(id, refused));
  }

  /** Ends the session here at once, and at the identity service as far as it answers. */
  async end(id: string): Promise<void> {
    await this.#revocation.of(await this.sessions.remove(id));
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
    await this.#revocation.of(await this.sessions.removeNamed(user.sub, handle));
  }

  async #living(id: string): Promise<StoredSession> {
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
  return {
    access_token: session.accessToken,
    expires_at: session.accessExpiresAt.toISOString(),
    user: { ...session.user, organization: session.user.organization ?? null },
  };
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}
