import { Location } from '@angular/common';
import { Component, computed, effect, inject, untracked } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { ActivatedRoute, Router } from '@angular/router';
import { returnPath } from '@homeport/identity/contracts';
import { BUILD_INFO, ErrorPanel, Icon, screenData, Skeleton } from '@homeport/platform/web';
import { AuthSession } from '../session/auth-session';
import { SessionClient } from '../session/session-client';
import { isSignInPath } from '../session/sign-in-path';
import { lastProvider, markLastUsed, rememberProvider } from './last-provider';
import { signInMessages } from './sign-in-messages';

function reasonOf(state: unknown): string | undefined {
  const isState = typeof state === 'object' && state !== null && 'reason' in state;
  return isState && typeof state.reason === 'string' ? state.reason : undefined;
}

/** Lists the identity providers, on `/signin` and `/login`. */
@Component({
  selector: 'hp-sign-in',
  imports: [ErrorPanel, Icon, Skeleton],
  templateUrl: './sign-in.html',
  styleUrl: './sign-in.css',
})
export class SignIn {
  readonly #router = inject(Router);
  readonly #query = toSignal(inject(ActivatedRoute).queryParamMap, { requireSync: true });
  readonly #endpoint = inject(SessionClient);
  readonly #session = inject(AuthSession);

  /** The reason in the navigation state, which a reload keeps. */
  readonly #stateReason = reasonOf(inject(Location).getState());

  protected readonly providers = screenData({
    key: () => 'providers',
    load: async (_key, signal) => markLastUsed(await this.#endpoint.providers(signal), lastProvider()),
  });
  protected readonly product = BUILD_INFO.name;
  protected readonly words = computed(() =>
    signInMessages(
      {
        invite: this.#parameter('invite'),
        reason: this.#parameter('reason') ?? this.#stateReason,
        error: this.#parameter('error'),
      },
      BUILD_INFO.name,
    ),
  );
  /** The return path; the sign-in page itself is not a valid one. */
  protected readonly destination = computed(() => {
    const path = returnPath(this.#parameter('return_to'));
    return isSignInPath(path) ? '/' : path;
  });

  constructor() {
    void this.#session.whenResolved();
    effect(() => {
      // A person without access is signed in and must choose another account.
      if (this.#session.state() !== 'signed-in' || this.#parameter('reason') === 'access') return;
      const destination = untracked(this.destination);
      void this.#router.navigateByUrl(destination, { replaceUrl: true });
    });
  }

  #parameter(name: 'return_to' | 'invite' | 'reason' | 'error'): string | undefined {
    return this.#query().get(name) ?? undefined;
  }

  protected startSignIn(provider: string): void {
    rememberProvider(provider);
    this.#session.forgetRememberedUser();
  }

  protected signInUrl(provider: string): string {
    return `/auth/sign-in?${new URLSearchParams({ provider, return_to: this.destination() })}`;
  }
}
