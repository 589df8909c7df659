import { computed, DestroyRef, DOCUMENT, inject, Injector, Service, signal } from '@angular/core';
import { type ActivatedRouteSnapshot, NavigationCancel, NavigationEnd, NavigationError, Router } from '@angular/router';
import type { SessionUser } from '@homeport/identity/contracts';
import { Confirmations, HttpProblem, preserveDeviceSettings, pollWhile } from '@homeport/platform/web';
import { filter, firstValueFrom } from 'rxjs';
import { SIGN_OUT_GUARDS } from './sign-out-guard';
import { type SessionAnnouncement, OtherTabs } from './other-tabs';
import { deletePersonalData, isDraftDatabase, isDatabaseOf } from './personal-data';
import { rememberedUser, rememberUser } from './remembered-user';
import { SessionClient } from './session-client';
import { isSignInPath } from './sign-in-path';
import { AccessTokenProvider, type SessionState, type SessionStatus } from './access-token-provider';

/** How long who was here last waits to hear whether they still are, before they see what this device keeps. */
const SESSION_CHECK_TIMEOUT_MS = 1_500;
/** How long sign-out waits for data to be deleted; the browser deletes all of it as well. */
const DELETE_TIMEOUT_MS = 3_000;
/** How long the sign-in page may take to open without a reload. */
const SIGN_IN_PAGE_TIMEOUT_MS = 3_000;

/** Who is signed in, and the token for our own API. */
@Service()
export class AuthSession {
  readonly #router = inject(Router);
  readonly #injector = inject(Injector);
  readonly #confirmations = inject(Confirmations);
  readonly #window = inject(DOCUMENT).defaultView;
  readonly #status = signal<SessionStatus>({ state: 'unknown', user: undefined });
  readonly #busy = signal(false);
  readonly #endpoint = inject(SessionClient);
  readonly #tokens = new AccessTokenProvider(this.#endpoint, (status) => this.#take(status));
  readonly #otherTabs = new OtherTabs((announcement) => this.#hear(announcement));
  readonly #remembered = signal(rememberedUser());
  #start: Promise<void> | undefined;
  /** Somebody was let in as who was here last, before it was known who is here. */
  #isGuess = false;

  readonly state = computed<SessionState>(() => this.#status().state);
  /** Who is signed in. Until that is known, and while nobody can be asked, who was on this device last. */
  readonly user = computed<SessionUser | undefined>(() => {
    const { state, user } = this.#status();
    return user ?? (state === 'signed-out' ? undefined : this.#remembered());
  });
  /** Whether a retry is running. */
  readonly busy = this.#busy.asReadonly();
  /** Whether it is being asked who is there: until the answer comes, nothing of the server does. */
  readonly isResolving = computed(() => this.#busy() && ['unknown', 'unreachable'].includes(this.state()));
  /**
   * Whose data a screen may hold: changes with the person, undefined when nobody is signed in. As the key of a
   * `screenData` it makes the screen forget at sign-out and read again once the identity service is back.
   */
  readonly scope = computed(() => {
    const state = this.state();
    return state === 'signed-out' ? undefined : (this.user()?.sub ?? state);
  });

  constructor() {
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
    this.#start ??= this.#ask();
    await this.#start;
    return this.state();
  }

  /**
   * Whether somebody may open what is for people with a session. Who was here last does not wait long for the answer,
   * without a connection not at all: what this device keeps of theirs is there at once. When the answer is no, they go
   * to sign in then.
   */
  async canActivate(): Promise<boolean> {
    const state = this.settled();
    if (this.#remembered()) await Promise.race([state, delay(navigator.onLine ? SESSION_CHECK_TIMEOUT_MS : 0)]);
    else await state;
    this.#isGuess = this.state() === 'unknown';
    return this.state() !== 'signed-out';
  }

  /** Asks for the session again. Never rejects: the answer is the state. */
  async retry(): Promise<SessionState> {
    const before = this.state();
    this.#busy.set(true);
    try {
      await this.#tokens.refresh();
    } catch {
      // Not lost: the keeper has set the state to unreachable.
    } finally {
      this.#busy.set(false);
    }
    // What was open was so because nobody could say that the session was over.
    if (before !== 'signed-in' && this.state() === 'signed-out') void this.#closeGuarded();
    return this.state();
  }

  /** A token for `/api/`. Throws `identity.unauthenticated` when signed out, another problem when unreachable. */
  async getToken(): Promise<string> {
    return (await this.#tokens.token()) ?? throwUnauthenticated();
  }

  /** Another token, to take the place of `refused`; throws like `getToken`. */
  async renewToken(refused: string): Promise<string> {
    return (await this.#tokens.renew(refused)) ?? throwUnauthenticated();
  }

  /**
   * Ends the session in all tabs, deletes what is kept of the person on this device and shows the sign-in page. Asks
   * first when something would be lost. Throws when the session could not be ended.
   */
  async signOut(): Promise<void> {
    const losses = await this.#losses();
    if (losses.length === 0) return this.#end();
    await this.#confirmations.ask({
      title: $localize`Sign out and lose changes?`,
      text: losses.join(' '),
      action: $localize`Sign out`,
      run: () => this.#end(),
    });
  }

  /**
   * Somebody goes to sign in, maybe as another person: until that is known, nobody is taken for who was here last. What
   * is kept of them is there again when they come back, and goes when it is somebody else.
   */
  forgetRememberedUser(): void {
    rememberUser(undefined);
  }

  /** The session has ended by itself: shows the sign-in page, which leads back here. */
  async expire(): Promise<void> {
    this.#tokens.forget();
    await this.#askAgain();
  }

  /** Another tab may have signed in since the page was sent: what it said then is no answer, and nothing is forgotten. */
  async #ask(): Promise<void> {
    if (!rememberedUser() && this.#endpoint.isKnownSignedOut())
      this.#status.set({ state: 'signed-out', user: undefined });
    else await this.retry();
  }

  async #closeGuarded(): Promise<void> {
    const isEnd = (event: unknown): boolean =>
      event instanceof NavigationEnd || event instanceof NavigationCancel || event instanceof NavigationError;
    // A page that is only being opened was let in already, or is refused by itself.
    if (this.#router.currentNavigation()) await firstValueFrom(this.#router.events.pipe(filter(isEnd)));
    if (this.state() === 'signed-out' && isGuarded(this.#router.routerState.snapshot.root)) await this.#askAgain();
  }

  async #askAgain(): Promise<void> {
    const here = this.#router.url;
    if (isSignInPath(here)) return;
    await this.#router.navigate(['/login'], { queryParams: { reason: 'expired', return_to: here } });
  }

  async #end(): Promise<void> {
    // At sign-out the server has the browser delete all storage of this origin.
    await preserveDeviceSettings(() => this.#tokens.end());
    this.#otherTabs.announce(undefined);
    await Promise.race([deletePersonalData(), delay(DELETE_TIMEOUT_MS)]);
    await this.#showSignIn();
  }

  async #losses(): Promise<readonly string[]> {
    const checks = this.#injector
      .get(SIGN_OUT_GUARDS, [])
      .map(async (load) => this.#injector.get(await load()).warning());
    try {
      return (await Promise.all(checks)).filter((each) => each !== undefined);
    } catch {
      return [$localize`It could not be checked whether everything of yours is saved.`];
    }
  }

  #leave(): void {
    this.#tokens.forget();
    // The tab that signed out clears up too; what this one was about to write then is gone as well.
    void deletePersonalData();
    if (!isSignInPath(this.#router.url)) void this.#showSignIn();
  }

  /** A service worker that was removed while it loaded files may never answer for the page's script: then it is reloaded. */
  async #showSignIn(): Promise<void> {
    await Promise.race([this.#router.navigateByUrl('/login'), delay(SIGN_IN_PAGE_TIMEOUT_MS)]);
    if (!isSignInPath(this.#router.url)) this.#window?.location.assign('/login');
  }

  #hear({ sub }: SessionAnnouncement): void {
    const here = this.#status().user;
    if (sub === undefined) this.#leave();
    else if (here && here.sub !== sub) this.#startAnew();
    else if (!here) void this.retry();
  }

  /** What is not saved yet outlives a session that ended by itself, until somebody else signs in. */
  #remember(person: SessionUser | undefined): void {
    this.#remembered.set(person);
    rememberUser(person);
    void deletePersonalData(person ? isDatabaseOf(person.sub) : isDraftDatabase);
  }

  /** Somebody else has signed in: nothing of the person before may stay in memory. */
  #startAnew(): void {
    this.#window?.location.assign('/');
  }

  #take(status: SessionStatus): void {
    const { state, user } = this.#status();
    // Until it is known who is there, screens show what is kept of the remembered person.
    const before = state === 'unreachable' || this.#isGuess ? this.user() : user;
    this.#isGuess = false;
    this.#status.set(status);
    const now = status.user;
    if (status.state === 'signed-out') this.#remember(undefined);
    if (!now) return;
    this.#remember(now);
    if (now.sub !== user?.sub) this.#otherTabs.announce(now.sub);
    if (before && now.sub !== before.sub) this.#startAnew();
  }
}

/** Whether a page that is open is for people with a session alone. */
function isGuarded({ routeConfig, children }: ActivatedRouteSnapshot): boolean {
  return Boolean(routeConfig?.canActivate ?? routeConfig?.canActivateChild) || children.some(isGuarded);
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function throwUnauthenticated(): never {
  throw new HttpProblem({
    kind: 'refused',
    status: 401,
    title: $localize`You are signed out`,
    detail: $localize`Sign in again to go on.`,
    code: 'identity.unauthenticated',
  });
}
