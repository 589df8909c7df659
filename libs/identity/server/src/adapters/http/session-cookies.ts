import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignInAttempt } from '../../application/identity-service.port';
import type { SealedBox } from '../../domain/sealed-box';

const ATTEMPT_SECONDS = 600;
const SESSION_SECONDS = 30 * 24 * 60 * 60;
const ATTEMPT_PURPOSE = 'sign-in attempt';

/**
 * The two cookies of the browser sign-in. Both are HttpOnly and SameSite=Lax; on https they are Secure and carry the
 * `__Host-` prefix, so that no other host of the domain can set them.
 */
export class SessionCookies {
  readonly #secure: boolean;

  constructor(
    publicUrl: string,
    private readonly box: SealedBox,
    private readonly now: () => number = () => Date.now(),
  ) {
    this.#secure = new URL(publicUrl).protocol === 'https:';
  }

  sessionIn(request: FastifyRequest): string | undefined {
    return request.cookies[this.#name('session')];
  }

  setSession(reply: FastifyReply, id: string): void {
    this.#set(reply, 'session', id, SESSION_SECONDS);
  }

  clearSession(reply: FastifyReply): void {
    this.#set(reply, 'session', '', 0);
  }

  /** The attempt whose state is `state`; several tabs may be signing in at once, each with its own. */
  attemptIn(request: FastifyRequest, state: string): SignInAttempt | undefined {
    const sealed = request.cookies[this.#name(attemptName(state))];
    const opened = sealed === undefined ? undefined : this.box.open(sealed, ATTEMPT_PURPOSE);
    if (opened === undefined) return undefined;
    const { startedAt, ...attempt } = JSON.parse(opened) as SignInAttempt & { startedAt: number };
    const isCurrent = attempt.state === state && startedAt + ATTEMPT_SECONDS * 1000 > this.now();
    return isCurrent ? attempt : undefined;
  }

  setAttempt(reply: FastifyReply, attempt: SignInAttempt): void {
    const sealed = this.box.seal(JSON.stringify({ ...attempt, startedAt: this.now() }), ATTEMPT_PURPOSE);
    this.#set(reply, attemptName(attempt.state), sealed, ATTEMPT_SECONDS);
  }

  clearAttempt(reply: FastifyReply, state: string): void {
    this.#set(reply, attemptName(state), '', 0);
  }

  #set(reply: FastifyReply, name: string, value: string, maxAge: number): void {
    void reply.setCookie(this.#name(name), value, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: this.#secure,
      maxAge,
    });
  }

  #name(name: string): string {
    return `${this.#secure ? '__Host-' : ''}homeport_${name}`;
  }
}

/** States are ours and random, so a few characters tell them apart; a stranger's state finds no cookie. */
function attemptName(state: string): string {
  return `signin_${state.replace(/[^A-Za-z0-9_-]/g, '').slice(0, 12)}`;
}
