import {
  type BrowserSession,
  REFUSED_TOKEN_HEADER,
  returnPath,
  type SessionList,
  type SignInProvider,
} from '@homeport/identity/contracts';
import { InvalidRequest, MethodNotAllowed, RateLimited, rawQueryOf } from '@homeport/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { BrowserSignIn } from '../../application/browser-sign-in';
import { CrossOriginRefused, GrantRefused, NoSession, SignInDisabled } from '../../domain/identity.errors';
import { handleOf } from '../../domain/session-handle';
import { USE_INTERVAL_MS } from '../../domain/session-lifetime';
import type { SessionCookies } from './session-cookies';

/** The query of `GET /auth/sign-in`. */
export interface SignInQuery {
  readonly provider?: string;
  readonly return_to?: string;
}

/** Directives for sign-out: the browser deletes HTTP cache, IndexedDB, local storage, caches and the service worker. */
const CLEAR_SITE_DATA = '"cache", "storage"';
/** For a session that expired or was ended elsewhere: drafts stay in the storage until another person signs in. */
const CLEAR_CACHE = '"cache"';

/** Beyond this number of active sessions, some uses are recorded more often. */
const MAX_RECENT_USES = 20_000;

/** Connects the sign-in use case to cookies and redirects; `signIn` is undefined where sign-in is not configured. */
export class SignInHandler {
  /** The sealed cookies of the sessions whose use was recorded within the interval. */
  readonly #recentUses = new LRUCache<string, true>({ max: MAX_RECENT_USES, ttl: USE_INTERVAL_MS });

  constructor(
    private readonly signIn: BrowserSignIn | undefined,
    private readonly cookies: SessionCookies,
    private readonly publicUrl: string,
  ) {}

  providers(): SignInProvider[] {
    return this.signIn?.providers() ?? [];
  }

  /** Whether a browser sends a session cookie; the session may have ended. */
  hasSessionCookie(request: FastifyRequest): boolean {
    return this.cookies.hasSessionCookie(request);
  }

  async start(signInQuery: SignInQuery, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const forcesLogin = this.cookies.mayBeDifferentUser(request);
    const { attempt, url } = await this.#enabled().start(signInQuery.provider, signInQuery.return_to, forcesLogin);
    this.cookies.setAttempt(request, reply, attempt);
    await reply.header('cache-control', 'no-store').redirect(url.href, 302);
  }

  async finish(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const signIn = this.#enabled();
    // Fastify answers HEAD with the GET route, but this route must not redeem the code for a HEAD request.
    if (request.method === 'HEAD') throw new MethodNotAllowed(['GET']);
    const callback = new URL(`/auth/callback?${rawQueryOf(request.originalUrl) ?? ''}`, this.publicUrl);
    const state = callback.searchParams.get('state') ?? '';
    const attempt = this.cookies.attemptIn(request, state);
    // Not awaited: a Fastify reply is a thenable that resolves when the response has been sent.
    void reply.header('cache-control', 'no-store');
    if (!attempt) return this.#backToSignIn(reply, 'expired', '/');
    this.cookies.clearAttempt(reply, state);
    try {
      this.cookies.setSession(reply, await signIn.finish(callback, attempt, request.headers['user-agent']));
      // The sign-in is complete even if this cleanup fails.
      await signIn.removeStaleSessions(this.cookies.sessionIdIn(request)).catch((error: unknown) => {
        request.log.warn({ err: error }, 'old sessions were not removed');
      });
      await reply.redirect(attempt.returnTo, 303);
    } catch (error) {
      const isRefusal = error instanceof GrantRefused;
      request.log[isRefusal ? 'info' : 'error']({ err: error }, 'sign-in did not complete');
      await this.#backToSignIn(reply, isRefusal ? refusalIn(callback) : 'unavailable', attempt.returnTo);
    }
  }

  /** Redirects to the sign-in page with the reason of the failure and the return path. */
  async fail(thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const query = new URLSearchParams(rawQueryOf(request.originalUrl));
    const attempt = this.cookies.attemptIn(request, query.get('state') ?? '');
    const isServerFault = !(thrown instanceof RateLimited || thrown instanceof InvalidRequest);
    request.log[isServerFault ? 'error' : 'info']({ err: thrown }, 'sign-in failed');
    void reply.header('cache-control', 'no-store');
    await this.#backToSignIn(reply, failureOf(thrown), attempt?.returnTo ?? returnPath(query.get('return_to')));
  }

  /** @returns the handle of the session whose cookie a request carries; the session may have ended. */
  sessionHandleIn(request: FastifyRequest): string | undefined {
    const id = this.signIn && this.cookies.sessionIdIn(request);
    return id === undefined ? undefined : handleOf(id);
  }

  async session(request: FastifyRequest, reply: FastifyReply): Promise<BrowserSession> {
    const signIn = this.#enabled();
    assertSameOrigin(request);
    try {
      const session = await signIn.current(this.#idIn(request), rejectedTokenIn(request));
      this.recordUse(request);
      this.cookies.renewSession(request, reply);
      return session;
    } catch (error) {
      if (error instanceof NoSession && this.cookies.hasSessionCookie(request)) {
        this.cookies.clearSession(reply);
        void reply.header('clear-site-data', CLEAR_CACHE);
      }
      throw error;
    }
  }

  async list(request: FastifyRequest): Promise<SessionList> {
    const signIn = this.#enabled();
    assertSameOrigin(request);
    return signIn.list(this.#idIn(request));
  }

  async revoke(request: FastifyRequest, handle: string): Promise<void> {
    const signIn = this.#enabled();
    assertSameOrigin(request);
    await signIn.revoke(this.#idIn(request), handle);
  }

  async signOut(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const signIn = this.#enabled();
    assertSameOrigin(request);
    const id = this.cookies.sessionIdIn(request);
    // First: once the cookie is cleared, this browser can no longer end the session.
    if (id) await signIn.end(id);
    this.#clearBrowser(reply);
  }

  async signOutEverywhere(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const signIn = this.#enabled();
    assertSameOrigin(request);
    await signIn.endAll(this.#idIn(request));
    this.#clearBrowser(reply);
  }

  /**
   * Records that a browser uses its session, at most once per interval. The use is not part of the request: it does not
   * wait, and a failure is only logged.
   */
  recordUse(request: FastifyRequest): void {
    const cookie = this.signIn && this.cookies.sealedSessionIn(request);
    if (!this.signIn || cookie === undefined || this.#recentUses.has(cookie)) return;
    this.#recentUses.set(cookie, true);
    const id = this.cookies.sessionIdIn(request);
    if (id === undefined) return;
    this.signIn.recordUse(id).catch((error: unknown) => {
      this.#recentUses.delete(cookie);
      request.log.debug({ err: error }, 'the use of a session was not recorded');
    });
  }

  #clearBrowser(reply: FastifyReply): void {
    this.cookies.markSignedOut(reply);
    void reply.header('clear-site-data', CLEAR_SITE_DATA);
  }

  #idIn(request: FastifyRequest): string {
    const id = this.cookies.sessionIdIn(request);
    if (!id) throw new NoSession();
    return id;
  }

  #enabled(): BrowserSignIn {
    if (!this.signIn) throw new SignInDisabled();
    return this.signIn;
  }

  async #backToSignIn(reply: FastifyReply, error: string, returnTo: string): Promise<void> {
    await reply.redirect(`/login?${new URLSearchParams({ error, return_to: returnTo })}`, 303);
  }
}

function failureOf(thrown: unknown): string {
  if (thrown instanceof RateLimited) return 'busy';
  return thrown instanceof InvalidRequest ? 'refused' : 'unavailable';
}

function refusalIn(callback: URL): string {
  return callback.searchParams.get('error') === 'access_denied' ? 'access_denied' : 'refused';
}

/** The hash of the access token that the client holds and the API refused. */
function rejectedTokenIn({ headers }: FastifyRequest): string | undefined {
  return headers[REFUSED_TOKEN_HEADER]?.toString();
}

/** Browsers set `Sec-Fetch-Site` themselves; a page of another site cannot change it. */
function assertSameOrigin(request: FastifyRequest): void {
  if (request.headers['sec-fetch-site'] !== 'same-origin') throw new CrossOriginRefused();
}
