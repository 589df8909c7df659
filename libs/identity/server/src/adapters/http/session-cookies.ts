import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignInAttempt } from '../../application/identity-provider.port';
import type { SealedBox } from '../../domain/sealed-box';
import { MAX_SESSION_MS } from '../../domain/session-lifetime';

const ATTEMPT_SECONDS = 600;
const ATTEMPT_PURPOSE = 'sign-in attempt';
const SESSION_PURPOSE = 'session cookie';
const ATTEMPT_PREFIX = 'signin_';
/** Browsers send all cookies with every request, and servers limit the size of the headers. */
const MAX_ATTEMPTS = 4;

interface CookieHolder {
  readonly cookies?: FastifyRequest['cookies'];
}
type SealedAttempt = SignInAttempt & { readonly startedAt: number };

/**
 * The cookies of the browser sign-in: HttpOnly and SameSite=Lax. On https they are also Secure and carry the `__Host-`
 * prefix, so that no other host of the domain can set them.
 */
export class SessionCookies {
  readonly #secure: boolean;

  constructor(
    publicUrl: string,
    private readonly box: SealedBox,
    private readonly now: () => number = () => Date.now(),
  ) {
    this.#secure = isHttps(publicUrl);
  }

  /**
   * Returns the session id of a request's cookie. Ignores cookies that this server did not seal, so that forged cookies
   * cause no query.
   */
  sessionIdIn(request: CookieHolder): string | undefined {
    const sealed = this.sealedSessionIn(request);
    return sealed === undefined ? undefined : this.box.open(sealed, SESSION_PURPOSE);
  }

  /** Whether a request carries a session cookie, authentic or not. */
  hasSessionCookie(request: CookieHolder): boolean {
    return this.sealedSessionIn(request) !== undefined;
  }

  setSession(reply: FastifyReply, id: string): void {
    this.#set(reply, this.#name('session'), this.box.seal(id, SESSION_PURPOSE), MAX_SESSION_MS / 1000);
    this.#set(reply, this.#name('signed_out'), '', 0);
  }

  /** Replaces a session cookie that an older key sealed, so that the key can be removed later. */
  renewSession(request: CookieHolder, reply: FastifyReply): void {
    const sealed = this.sealedSessionIn(request);
    if (sealed === undefined || this.box.isCurrent(sealed)) return;
    const id = this.box.open(sealed, SESSION_PURPOSE);
    if (id !== undefined) this.setSession(reply, id);
  }

  clearSession(reply: FastifyReply): void {
    this.#set(reply, this.#name('session'), '', 0);
  }

  /** Clears the session cookie and records the sign-out: the next user of this browser may be another person. */
  markSignedOut(reply: FastifyReply): void {
    this.clearSession(reply);
    this.#set(reply, this.#name('signed_out'), '1', MAX_SESSION_MS / 1000);
  }

  /** Whether the next sign-in may be by another person than the identity service remembers. */
  mayBeDifferentUser(request: FastifyRequest): boolean {
    return this.hasSessionCookie(request) || request.cookies[this.#name('signed_out')] === '1';
  }

  /** Returns the unexpired attempt with this `state`. Tabs that sign in at the same time have separate attempts. */
  attemptIn(request: FastifyRequest, state: string): SignInAttempt | undefined {
    const opened = this.#opened(request.cookies[this.#name(attemptName(state))]);
    if (opened === undefined) return undefined;
    const { startedAt, ...attempt } = opened;
    const isCurrent = attempt.state === state && startedAt + ATTEMPT_SECONDS * 1000 > this.now();
    return isCurrent ? attempt : undefined;
  }

  /** Stores an attempt, keeps the newest pending ones of this browser and clears the others. */
  setAttempt(request: FastifyRequest, reply: FastifyReply, attempt: SignInAttempt): void {
    for (const name of this.#attemptsIn(request).slice(MAX_ATTEMPTS - 1)) this.#set(reply, name, '', 0);
    const sealed = this.box.seal(JSON.stringify({ ...attempt, startedAt: this.now() }), ATTEMPT_PURPOSE);
    this.#set(reply, this.#name(attemptName(attempt.state)), sealed, ATTEMPT_SECONDS);
  }

  clearAttempt(reply: FastifyReply, state: string): void {
    this.#set(reply, this.#name(attemptName(state)), '', 0);
  }

  /** The names of the attempt cookies, newest first. */
  #attemptsIn({ cookies }: FastifyRequest): string[] {
    return Object.entries(cookies)
      .filter(([name]) => name.startsWith(this.#name(ATTEMPT_PREFIX)))
      .map(([name, sealed]) => ({ name, startedAt: this.#opened(sealed)?.startedAt ?? 0 }))
      .toSorted((one, other) => other.startedAt - one.startedAt)
      .map(({ name }) => name);
  }

  /** The session cookie of a request as sent, authentic or not. */
  sealedSessionIn({ cookies }: CookieHolder): string | undefined {
    // `cookies` is undefined for a URL that cannot be decoded: it is answered before the cookies are parsed.
    return cookies?.[this.#name('session')];
  }

  #opened(sealed: string | undefined): SealedAttempt | undefined {
    const opened = sealed === undefined ? undefined : this.box.open(sealed, ATTEMPT_PURPOSE);
    return opened === undefined ? undefined : (JSON.parse(opened) as SealedAttempt);
  }

  #set(reply: FastifyReply, name: string, value: string, maxAge: number): void {
    void reply.setCookie(name, value, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: this.#secure,
      maxAge,
    });
  }

  #name(name: string): string {
    return cookieName(name, this.#secure);
  }
}

/** @param publicUrl the URL at which browsers reach the product. */
export function sessionCookieName(publicUrl: string): string {
  return cookieName('session', isHttps(publicUrl));
}

function cookieName(name: string, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}homeport_${name}`;
}

function isHttps(publicUrl: string): boolean {
  return new URL(publicUrl).protocol === 'https:';
}

/** Our states are random, so 12 characters distinguish them; a foreign state matches no cookie. */
function attemptName(state: string): string {
  return `${ATTEMPT_PREFIX}${state.replace(/[^A-Za-z0-9_-]/g, '').slice(0, 12)}`;
}
