import { computed, DestroyRef, DOCUMENT, inject, Service, signal } from '@angular/core';
import { Router } from '@angular/router';
import type { SessionUser } from '@homeport/identity/contracts';
import { HttpProblem, pollWhile } from '@homeport/platform/web';
import { SessionEndpoint } from './session-endpoint';
import { isSignInPath } from './sign-in-path';
import { SessionKeeper, type SessionState, type SessionStatus } from './session-keeper';

const CHANNEL = 'homeport.session';

/** What a tab tells the others: whose session this browser has now. */
interface Announcement {
  /** The person; undefined after a sign-out. */
  readonly sub: string | undefined;
}

/** Who is signed in, and the token for our own API. */
@Service()
export class AuthSession {
  readonly #router = inject(Router);
  readonly #window = inject(DOCUMENT).defaultView;
  readonly #status = signal<SessionStatus>({ state: 'unknown', user: undefined });
  readonly #busy = signal(false);
  readonly #keeper = new SessionKeeper(inject(SessionEndpoint), (status) => this.#take(status));
  readonly #otherTabs = new BroadcastChannel(CHANNEL);
  #start: Promise<SessionState> | undefined;

  readonly state = computed<SessionState>(() => this.#status().state);
  readonly user = computed<SessionUser | undefined>(() => this.#status().user);
  /** Whether a retry is running. */
  readonly busy = this.#busy.asReadonly();
  /**
   * Whose data a screen may hold: changes with the person, undefined when nobody is signed in. As the key of a
   * `screenData` it makes the screen forget at sign-out and read again once the identity service is back.
   */
  readonly scope = computed(() => {
    const { state, user } = this.#status();
    return state === 'signed-out' ? undefined : (user?.sub ?? state);
  });

  constructor() {
    this.#otherTabs.onmessage = ({ data }: MessageEvent<Announcement>) => this.#hear(data);
    pollWhile({ busy: this.busy, reload: () => void this.retry() }, () => this.state() === 'unreachable');
    const online = (): void => {
      if (this.state() === 'unreachable') void this.retry();
    };
    this.#window?.addEventListener('online', online);
    inject(DestroyRef).onDestroy(() => {
      this.#window?.removeEventListener('online', online);
      this.#otherTabs.close();
    });
  }

  /** The state once it is known; the first call asks for the session, later ones only wait for that answer. */
  async settled(): Promise<SessionState> {
    this.#start ??= this.retry();
    await this.#start;
    return this.state();
  }

  /** Asks for the session again. Never rejects: the answer is the state. */
  async retry(): Promise<SessionState> {
    this.#busy.set(true);
    try {
      await this.#keeper.refresh();
    } catch {
      // Not lost: the keeper has set the state to unreachable.
    } finally {
      this.#busy.set(false);
    }
    return this.state();
  }

  /** A token for `/api/`. Throws `identity.unauthenticated` when signed out, another problem when unreachable. */
  async getToken(): Promise<string> {
    return (await this.#keeper.token()) ?? refuse();
  }

  /** Another token, to take the place of `refused`; throws like `getToken`. */
  async renewToken(refused: string): Promise<string> {
    return (await this.#keeper.renew(refused)) ?? refuse();
  }

  /** Ends the session in all tabs and shows the sign-in page. Throws when it could not be ended. */
  async signOut(): Promise<void> {
    await this.#keeper.end();
    this.#announce(undefined);
    await this.#router.navigateByUrl('/login');
  }

  /** The session has ended by itself: shows the sign-in page, which leads back here. */
  async expire(): Promise<void> {
    const here = this.#router.url;
    this.#keeper.forget();
    if (isSignInPath(here)) return;
    await this.#router.navigate(['/login'], { queryParams: { reason: 'expired', return_to: here } });
  }

  #leave(): void {
    this.#keeper.forget();
    if (!isSignInPath(this.#router.url)) void this.#router.navigateByUrl('/login');
  }

  #announce(sub: string | undefined): void {
    this.#otherTabs.postMessage({ sub } satisfies Announcement);
  }

  #hear({ sub }: Announcement): void {
    const here = this.user();
    if (sub === undefined) this.#leave();
    else if (here && here.sub !== sub) this.#startAnew();
    else if (!here) void this.retry();
  }

  /** Somebody else has signed in: nothing of the person before may stay in memory. */
  #startAnew(): void {
    this.#window?.location.assign('/');
  }

  #take(status: SessionStatus): void {
    const before = this.#status().user;
    this.#status.set(status);
    const now = status.user;
    if (!now || now.sub === before?.sub) return;
    this.#announce(now.sub);
    if (before) this.#startAnew();
  }
}

function refuse(): never {
  throw new HttpProblem({
    kind: 'refused',
    status: 401,
    title: 'You are signed out',
    detail: 'Sign in again to go on.',
    code: 'identity.unauthenticated',
  });
}
