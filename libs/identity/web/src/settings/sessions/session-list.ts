import { Component, computed, inject, signal } from '@angular/core';
import type { SessionSummary } from '@homeport/identity/contracts';
import {
  asHttpProblem,
  ErrorPanel,
  Icon,
  RelativeTime,
  screenData,
  Skeleton,
  StaleNotice,
  Toasts,
} from '@homeport/platform/web';
import { AuthSession } from '../../session/auth-session';
import { SessionClient } from '../../session/session-client';
import { deviceName } from './device-name';

/** Lists the person's sessions, with a button to end each and one to end all. */
@Component({
  selector: 'hp-session-list',
  imports: [ErrorPanel, Icon, RelativeTime, Skeleton, StaleNotice],
  templateUrl: './session-list.html',
  styleUrl: './session-list.css',
})
export class SessionListCard {
  readonly #endpoint = inject(SessionClient);
  readonly #session = inject(AuthSession);
  readonly #toasts = inject(Toasts);

  protected readonly sessions = screenData({
    key: () => this.#session.userScope(),
    load: (_person, abort) => this.#endpoint.sessions(abort),
  });
  protected readonly rows = computed(() =>
    this.sessions.value()?.items.map((each) => ({ ...each, name: deviceName(each.device) })),
  );
  /** The id of the session being ended. */
  protected readonly ending = signal<string | undefined>(undefined);

  protected async signOutEverywhere(): Promise<void> {
    await this.#session.signOutEverywhere();
  }

  protected endWords(id: string): string {
    return this.ending() === id ? $localize`Ending…` : $localize`End session`;
  }

  protected async end({ id, name }: SessionSummary & { readonly name: string }): Promise<void> {
    this.ending.set(id);
    try {
      await this.#endpoint.endSession(id);
      this.sessions.update(({ items }) => ({ items: items.filter((each) => each.id !== id) }));
      this.#toasts.show($localize`${name}:device: is signed out.`);
    } catch (error) {
      this.#toasts.show($localize`${name}:device: could not be signed out. ${asHttpProblem(error).detail}:reason:`);
    } finally {
      this.ending.set(undefined);
    }
  }
}
