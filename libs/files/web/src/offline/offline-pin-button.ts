import { Component, computed, inject, input, signal } from '@angular/core';
import { asHttpProblem, Icon, Toasts } from '@homeport/platform/web';
import { nameOf } from '../tree/display-path';
import { type CacheOutcome, OfflineFiles } from './offline-files';

/** Keeps a file offline, or stops keeping it offline. */
@Component({
  selector: 'hp-offline-pin-button',
  imports: [Icon],
  template: `
    <button
      type="button"
      class="button icon-on-phones"
      [attr.aria-pressed]="pinned()"
      [disabled]="busy()"
      (click)="toggle()"
    >
      <hp-icon [name]="pinned() ? 'check' : 'pin'" />
      <span>
        @if (busy()) {
          <ng-container i18n>Saving for offline use…</ng-container>
        } @else if (pinned()) {
          <ng-container i18n>Kept offline</ng-container>
        } @else {
          <ng-container i18n>Keep offline</ng-container>
        }
      </span>
    </button>
  `,
  styles: `
    [aria-pressed='true'] hp-icon {
      color: var(--ok);
    }
  `,
})
export class OfflinePinButton {
  readonly fileKey = input.required<string>();
  readonly #offline = inject(OfflineFiles);
  readonly #toasts = inject(Toasts);
  protected readonly pinned = computed(() => this.#offline.isPinned(this.fileKey()));
  protected readonly busy = signal(false);

  protected async toggle(): Promise<void> {
    this.busy.set(true);
    try {
      await toggleOfflinePin({ offline: this.#offline, toasts: this.#toasts, key: this.fileKey() });
    } finally {
      this.busy.set(false);
    }
  }
}

/** Pins or unpins a file and shows the result as a message. For menus, which have no space for the button. */
export async function toggleOfflinePin({
  offline,
  toasts,
  key,
}: {
  readonly offline: OfflineFiles;
  readonly toasts: Toasts;
  readonly key: string;
}): Promise<void> {
  const name = nameOf(key);
  if (offline.isPinned(key)) {
    await offline.unpin(key);
    toasts.show($localize`${name}:name: is no longer kept offline.`);
    return;
  }
  try {
    toasts.show(pinMessage(await offline.pin(key), name));
  } catch (error) {
    toasts.show($localize`${name}:name: could not be kept offline. ${asHttpProblem(error).detail}:reason:`);
  }
}

function pinMessage(outcome: CacheOutcome, name: string): string {
  switch (outcome) {
    case 'kept':
      return $localize`${name}:name: is kept on this device and opens without a connection.`;
    case 'no-room':
      return $localize`There is no space for ${name}:name: on this device. Remove other offline files in the settings.`;
    case 'closed': {
      const reason = $localize`The browser blocks storage for this site.`;
      return $localize`${name}:name: could not be kept offline. ${reason}:reason:`;
    }
  }
}
