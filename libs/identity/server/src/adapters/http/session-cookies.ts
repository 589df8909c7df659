import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignInAttempt } from '../../application/identity-provider.port';
import type { SealedBox } from '../../domain/sealed-box';
import { MAX_SESSION_MS } from '../../domain/session-lifetime';

const ATTEMPT_SECONDS = 600;
const ATTEMPT_PURPOSE = 'sign-in attempt';
const SESSION_PURPOSE = 'session cookie';
const ATTEMPT_PREFIX = 'signin_';
/** A browser sends all of its cookies with every request, and a server takes only so many bytes of them. */
const MAX_ATTEMPTS = 4;

interface CookieHolder {
  readonly cookies?: FastifyRequest['cookies'];
}
type SealedAttempt = SignInAttempt & { readonly startedAt: number };

/**
 * The cookies of the browser sign-in. All are HttpOnly and SameSite=Lax; on https they are Secure and carry the
 * `__Host-` prefix, so that no other host of the domain can set them.
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
   * The id of the session whose cookie a request carries. A cookie that this server did not seal counts as none, so that
   * made-up ones cost no query.
   */
  sessionIdIn(request: CookieHolder): string | undefined {
    const sealed = this.#sealedSessionIn(request);
    return sealed === undefined ? undefined : this.box.open(sealed, SESSION_PURPOSE);
  }

  /** Whether a request carries a session cookie, be it sealed by this server or not. */
  hasSessionCookie(request: CookieHolder): boolean {
    return this.#sealedSessionIn(request) !== undefined;
  }

  setSession(reply: FastifyReply, id: string): void {
    this.#set(reply, this.#name('session'), this.box.seal(id, SESSION_PURPOSE), MAX_SESSION_MS / 1000);
    this.#set(reply, this.#name('signed_out'), '', 0);
  }

  clearSession(reply: FastifyReply): void {
    this.#set(reply, this.#name('session'), '', 0);
  }

  /** Clears the session, and remembers that its person wanted that: the next one here may be somebody else. */
  markSignedOut(reply: FastifyReply): void {
    this.clearSession(reply);
    this.#set(reply, this.#name('signed_out'), '1', MAX_SESSION_MS / 1000);
  }

  /** Whether somebody who signs in now may be another person than the identity service remembers. */
  mayBeDifferentUser(request: FastifyRequest): boolean {
    return this.hasSessionCookie(request) || request.cookies[this.#name('signed_out')] === '1';
  }

  /** The attempt whose state is `state`; several tabs may be signing in at once, each with its own. */
  attemptIn(request: FastifyRequest, state: string): SignInAttempt | undefined {
    const opened = this.#opened(request.cookies[this.#name(attemptName(state))]);
    if (opened === undefined) return undefined;
    const { startedAt, ...attempt } = opened;
    const isCurrent = attempt.state === state && startedAt + ATTEMPT_SECONDS * 1000 > this.now();
    return isCurrent ? attempt : undefined;
  }

  /** Keeps an attempt beside the newest ones under way in this browser, and clears the others. */
  setAttempt(request: FastifyRequest, reply: FastifyReply, attempt: SignInAttempt): void {
    for (const name of this.#attemptsIn(request).slice(MAX_ATTEMPTS - 1)) this.#set(reply, name, '', 0);
    const sealed = this.box.seal(JSON.stringify({ ...attempt, startedAt: this.now() }), ATTEMPT_PURPOSE);
    this.#set(reply, this.#name(attemptName(attempt.state)), sealed, ATTEMPT_SECONDS);
  }

  clearAttempt(reply: FastifyReply, state: string): void {
    this.#set(reply, this.#name(attemptName(state)), '', 0);
  }

  /** The names of the attempt cookies, the newest first. */
  #attemptsIn({ cookies }: FastifyRequest): string[] {
    return Object.entries(cookies)
      .filter(([name]) => name.startsWith(this.#name(ATTEMPT_PREFIX)))
      .map(([name, sealed]) => ({ name, startedAt: this.#opened(sealed)?.startedAt ?? 0 }))
      .toSorted((one, other) => other.startedAt - one.startedAt)
      .map(({ name }) => name);
  }

  #sealedSessionIn({ cookies }: CookieHolder): string | undefined {
    // An address that cannot be decoded is answered before the cookies are read.
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

/** @param publicUrl where browsers reach the product. */
export function sessionCookieName(publicUrl: string): string {
  return cookieName('session', isHttps(publicUrl));
}

function cookieName(name: string, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}homeport_${name}`;
}

function isHttps(publicUrl: string): boolean {
  return new URL(publicUrl).protocol === 'https:';
}

/** States are ours and random, so a few characters tell them apart; a stranger's state finds no cookie. */
function attemptName(state: string): string {
  return `${ATTEMPT_PREFIX}${state.replace(/[^A-Za-z0-9_-]/g, '').slice(0, 12)}`;
}
