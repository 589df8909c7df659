import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type BrowserSession, returnPath, type SignInProvider } from '@homeport/identity/contracts';
import { GrantRefused, IdentityServiceUnavailable, NoSession } from '../domain/identity.errors';
import type { IdentityService, SignInAttempt } from './identity-service.port';
import type { SessionStore, StoredSession } from './session-store.port';

/** One provider as configured: what people see, and what preselects it on the hosted page. */
export interface ConfiguredProvider extends SignInProvider {
  readonly params: Readonly<Record<string, string>>;
}

export interface StartedSignIn {
  readonly attempt: SignInAttempt;
  readonly url: URL;
}

/** A token is renewed this long before it ends, so that no request travels with one about to expire. */
const RENEW_BEFORE_MS = 60_000;
/** Longer than a refresh may take; past it the instance that claimed the renewal is taken for dead. */
const RENEWAL_CLAIM_MS = 10_000;
const RENEWAL_CHECK_MS = 250;
const RENEWAL_CHECKS = 16;
const MAX_SESSION_MS = 30 * 24 * 60 * 60_000;

/**
 * Browser sign-in as a token-mediating back end: the refresh token stays on the server, the browser holds an HttpOnly
 * cookie and, in memory only, a short-lived access token.
 */
export class BrowserSignIn {
  constructor(
    private readonly configured: readonly ConfiguredProvider[],
    private readonly identityService: IdentityService,
    private readonly sessions: SessionStore,
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

  /** @returns the id of the new session. @throws {GrantRefused} @throws {IdentityServiceUnavailable} */
  async finish(callback: URL, attempt: SignInAttempt): Promise<string> {
    const grant = await this.identityService.redeem(callback, attempt);
    const id = secret();
    await this.sessions.add({
      id,
      user: grant.user,
      accessToken: grant.accessToken,
      accessExpiresAt: grant.expiresAt,
      ...(grant.refreshToken === undefined ? {} : { refreshToken: grant.refreshToken }),
      createdAt: new Date(),
    });
    return id;
  }

  /**
   * The session with a token that still works for a while.
   * @throws {NoSession} @throws {IdentityServiceUnavailable} when the token must be renewed and cannot be now.
   */
  async current(id: string): Promise<BrowserSession> {
    const found = await this.sessions.find(id);
    if (!found) throw new NoSession();
    if (found.createdAt.getTime() + MAX_SESSION_MS <= Date.now()) {
      await this.end(id);
      throw new NoSession();
    }
    return wireSession(isFresh(found) ? found : await this.#renewed(id));
  }

  /** Ends the session here at once, and at the identity service as far as it answers. */
  async end(id: string): Promise<void> {
    const removed = await this.sessions.remove(id);
    // The session is gone for the person either way; a refresh token that could not be revoked expires by itself.
    if (removed?.refreshToken) await this.identityService.revoke(removed.refreshToken).catch(() => undefined);
  }

  async #renewed(id: string): Promise<StoredSession> {
    for (let attempt = 0; attempt < RENEWAL_CHECKS; attempt++) {
      const session = await this.sessions.find(id);
      if (!session) throw new NoSession();
      if (isFresh(session)) return session;
      if (await this.sessions.claimRenewal(id, RENEWAL_CLAIM_MS)) return this.#renew(session);
      await setTimeout(RENEWAL_CHECK_MS);
    }
    throw new IdentityServiceUnavailable();
  }

  async #renew(session: StoredSession): Promise<StoredSession> {
    try {
      if (session.refreshToken === undefined) throw new GrantRefused();
      const grant = await this.identityService.refresh(session.refreshToken);
      const renewed = {
        ...session,
        accessToken: grant.accessToken,
        accessExpiresAt: grant.expiresAt,
        refreshToken: grant.refreshToken ?? session.refreshToken,
      };
      await this.sessions.replace(renewed);
      return renewed;
    } catch (error) {
      if (!(error instanceof GrantRefused)) {
        await this.sessions.release(session.id);
        throw error;
      }
      await this.sessions.remove(session.id);
      throw new NoSession();
    }
  }
}

function isFresh(session: StoredSession): boolean {
  return session.accessExpiresAt.getTime() - RENEW_BEFORE_MS > Date.now();
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
