import { computed, DestroyRef, DOCUMENT, inject, Injector, Service, signal } from '@angular/core';
import { type ActivatedRouteSnapshot, NavigationCancel, NavigationEnd, NavigationError, Router } from '@angular/router';
import type { SessionUser } from '@homeport/identity/contracts';
import { Confirmations, delay, HttpProblem, preserveDeviceSettings, pollWhile } from '@homeport/platform/web';
import { filter, firstValueFrom } from 'rxjs';
import { signOutWarnings } from './sign-out-guard';
import { type SessionAnnouncement, OtherTabs } from './other-tabs';
import { deletePersonalData, isDeviceOnlyDatabase, isDatabaseOf } from './personal-data';
import { rememberedUser, rememberUser } from './remembered-user';
import { SessionClient } from './session-client';
import { isSignInPath, SIGNED_OUT } from './sign-in-path';
import { AccessTokenProvider, type SessionState, type SessionStatus, type SignOutScope } from './access-token-provider';

/** How long the remembered user waits for the session check before cached data is shown. */
const SESSION_CHECK_TIMEOUT_MS = 1_500;
/** How long sign-out waits for the deletion of local data; `Clear-Site-Data` deletes it as well. */
const DELETE_TIMEOUT_MS = 3_000;
/** After this time the sign-in page is opened with a reload. */
const SIGN_IN_PAGE_TIMEOUT_MS = 3_000;

/** The signed-in user and the access token for the API. */
@Service()
export class AuthSession {
  readonly #router = inject(Router);
  readonly #injector = inject(Injector);
  readonly #confirmations = inject(Confirmations);
  readonly #window = inject(DOCUMENT).defaultView;
  readonly #status = signal<SessionStatus>({ state: 'unknown', user: undefined });
  readonly #busy = signal(false);
  readonly #client = inject(SessionClient);
  readonly #tokens = new AccessTokenProvider(this.#client, (status) => this.#applyStatus(status));
  readonly #otherTabs = new OtherTabs((announcement) => this.#onAnnouncement(announcement));
  readonly #remembered = signal(rememberedUser());
  #firstCheck: Promise<void> | undefined;
  /** Whether the remembered user was admitted before the session was known. */
  #isAdmittedUnconfirmed = false;

  /** Whether the session of this device's user has ended without a sign-out in this browser. */
  hasEnded = false;

  readonly state = computed<SessionState>(() => this.#status().state);
  /** The signed-in user; the remembered user of this device while the session is unknown or unreachable. */
  readonly user = computed<SessionUser | undefined>(() => {
    const { state, user } = this.#status();
    return user ?? (state === 'signed-out' ? undefined : this.#remembered());
  });
  /** Whether a retry is running. */
  readonly busy = this.#busy.asReadonly();
  /** Whether the session is being requested; API calls wait for the response. */
  readonly isResolving = computed(() => this.#busy() && ['unknown', 'unreachable'].includes(this.state()));
  /**
   * The key for data on the screen: changes with the user, undefined when signed out. As the key of `screenData` it
   * clears a screen at sign-out and reloads it once the identity service is reachable.
   */
  readonly userScope = computed(() => {
    const state = this.state();
    return state === 'signed-out' ? undefined : (this.user()?.sub ?? state);
  });

  constructor() {
    pollWhile({ busy: this.busy, reload: () => void this.retry() }, () => this.state() === 'unreachable');
    const onOnline = (): void => {
      if (this.state() === 'unreachable') void this.retry();
    };
    this.#window?.addEventListener('online', onOnline);
    inject(DestroyRef).onDestroy(() => {
      this.#window?.removeEventListener('online', onOnline);
      this.#otherTabs.close();
    });
  }

  /** The state once it is known; the first call requests the session, later calls share its response. */
  async whenResolved(): Promise<SessionState> {
    this.#firstCheck ??= this.#checkSession();
    await this.#firstCheck;
    return this.state();
  }

  /**
   * Whether a guarded page may open. The remembered user waits only a short time for the session, and not at
   * all without a connection, so that cached data is shown at once. If the session has ended, the sign-in page follows.
   */
  async canActivate(): Promise<boolean> {
    const state = this.whenResolved();
    if (this.#remembered()) await Promise.race([state, delay(navigator.onLine ? SESSION_CHECK_TIMEOUT_MS : 0)]);
    else await state;
    this.#isAdmittedUnconfirmed = this.state() === 'unknown';
    return this.state() !== 'signed-out';
  }

  /** Requests the session again. Never rejects: the result is the state. */
  async retry(): Promise<SessionState> {
    const before = this.state();
    this.#busy.set(true);
    try {
      await this.#tokens.refresh();
    } catch {
      // The token provider has already set the state to unreachable.
    } finally {
      this.#busy.set(false);
    }
    // Guarded pages were open only because the state was unknown.
    if (before !== 'signed-in' && this.state() === 'signed-out') void this.#leaveGuardedPages();
    return this.state();
  }

  /**
   * Returns a token for `/api/`. Throws `identity.unauthenticated` when signed out, another problem when unreachable.
   */
  async getToken(): Promise<string> {
    return (await this.#tokens.token()) ?? throwUnauthenticated();
  }

  /** Returns another token in place of `refused`; throws like `getToken`. */
  async renewToken(refused: string): Promise<string> {
    return (await this.#tokens.renew(refused)) ?? throwUnauthenticated();
  }

  /**
   * Ends the session in all tabs, deletes the user's data on this device and shows the sign-in page. Asks for
   * confirmation when unsaved changes would be lost. Throws when the session could not be ended.
   */
  async signOut(): Promise<void> {
    const warnings = await signOutWarnings(this.#injector);
    if (warnings.length === 0) return this.#end('here');
    await this.#confirmations.ask({
      title: $localize`Sign out and lose changes?`,
      text: warnings.join(' '),
      action: $localize`Sign out`,
      run: () => this.#end('here'),
    });
  }

  /** Asks for confirmation, then ends all sessions of the user and continues like `signOut`. */
  async signOutEverywhere(): Promise<void> {
    const text = $localize`You are signed out on all your devices, including this one. Other devices may need a few minutes to notice.`;
    await this.#confirmations.ask({
      title: $localize`Sign out everywhere?`,
      text: [text, ...(await signOutWarnings(this.#injector))].join(' '),
      action: $localize`Sign out everywhere`,
      run: () => this.#end('everywhere'),
    });
  }

  /**
   * Forgets the remembered user when a sign-in starts, because another user may sign in. The data on this device is
   * kept until the sign-in shows whether it is the same user.
   */
  forgetRememberedUser(): void {
    rememberUser(undefined);
  }

  /** Handles an expired session: shows the sign-in page with this page as the return path. */
  async expire(): Promise<void> {
    this.#tokens.forget();
    await this.#showSessionExpired();
  }

  /**
   * Requests the session, unless the server reported no session with this page. With a remembered user, the
   * report is ignored: another tab may have signed in since the page was sent.
   */
  async #checkSession(): Promise<void> {
    if (!rememberedUser() && this.#client.isKnownSignedOut())
      this.#status.set({ state: 'signed-out', user: undefined });
    else await this.retry();
  }

  async #leaveGuardedPages(): Promise<void> {
    const isEnd = (event: unknown): boolean =>
      event instanceof NavigationEnd || event instanceof NavigationCancel || event instanceof NavigationError;
    // A pending navigation is checked by the guard or was already admitted.
    if (this.#router.currentNavigation()) await firstValueFrom(this.#router.events.pipe(filter(isEnd)));
    if (this.state() === 'signed-out' && isGuarded(this.#router.routerState.snapshot.root))
      await this.#showSessionExpired();
  }

  async #showSessionExpired(): Promise<void> {
    const here = this.#router.url;
    if (isSignInPath(here)) return;
    await this.#router.navigate(['/login'], { queryParams: { reason: 'expired', return_to: here } });
  }

  async #end(scope: SignOutScope): Promise<void> {
    // `Clear-Site-Data` deletes all storage of this origin, including the settings of this device.
    await preserveDeviceSettings(() => this.#tokens.end(scope));
    this.#otherTabs.announce(undefined);
    await Promise.race([deletePersonalData(), delay(DELETE_TIMEOUT_MS)]);
    await this.#showSignIn();
  }

  #onSignedOutElsewhere(): void {
    this.#tokens.forget();
    // The other tab deletes the data too; this one repeats it for data that it was about to write.
    void deletePersonalData();
    if (!isSignInPath(this.#router.url)) void this.#showSignIn();
  }

  /**
   * Opens the sign-in page. Reloads when the router hangs: a service worker removed during a load may never respond.
   */
  async #showSignIn(): Promise<void> {
    this.hasEnded = false;
    const shown = this.#router.navigateByUrl('/login', { state: SIGNED_OUT });
    await Promise.race([shown, delay(SIGN_IN_PAGE_TIMEOUT_MS)]);
    if (!isSignInPath(this.#router.url)) this.#window?.location.assign('/login');
  }

  #onAnnouncement({ sub }: SessionAnnouncement): void {
    const here = this.#status().user;
    if (sub === undefined) this.#onSignedOutElsewhere();
    else if (here && here.sub !== sub) this.#reloadApp();
    else if (!here) void this.retry();
  }

  /** Remembers the user. Drafts, queued saves and empty folders survive an expired session until another user signs in. */
  #remember(user: SessionUser | undefined): void {
    this.#remembered.set(user);
    rememberUser(user);
    void deletePersonalData(user ? isDatabaseOf(user.sub) : isDeviceOnlyDatabase);
  }

  /** Reloads the app for another user, so that no data of the previous one stays in memory. */
  #reloadApp(): void {
    this.#window?.location.assign('/');
  }

  #applyStatus(status: SessionStatus): void {
    const { state, user } = this.#status();
    // Until the session is known, screens show cached data of the remembered user.
    const before = state === 'unreachable' || this.#isAdmittedUnconfirmed ? this.user() : user;
    this.#isAdmittedUnconfirmed = false;
    if (status.state === 'signed-out' && (user ?? this.#remembered())) this.hasEnded = true;
    this.#status.set(status);
    const now = status.user;
    if (status.state === 'signed-out') this.#remember(undefined);
    if (!now) return;
    this.#remember(now);
    if (now.sub !== user?.sub) this.#otherTabs.announce(now.sub);
    if (before && now.sub !== before.sub) this.#reloadApp();
  }
}

/** Whether an open page requires a session. */
function isGuarded({ routeConfig, children }: ActivatedRouteSnapshot): boolean {
  return Boolean(routeConfig?.canActivate ?? routeConfig?.canActivateChild) || children.some(isGuarded);
}

function throwUnauthenticated(): never {
  throw new HttpProblem({
    kind: 'refused',
    status: 401,
    title: $localize`You are signed out`,
    detail: $localize`Sign in again to continue.`,
    code: 'identity.unauthenticated',
  });
}
