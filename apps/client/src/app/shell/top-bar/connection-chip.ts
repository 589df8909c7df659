import { Component, computed, effect, inject, linkedSignal } from '@angular/core';
import { AuthSession } from '@homeport/identity/web';
import { Connection, type ConnectionState, Icon } from '@homeport/platform/web';

/** How long "Back online" is shown. */
const RECONNECTED_SHOWN_MS = 4_000;

/** Shows a lost connection and its return; hidden while connected. */
@Component({
  selector: 'hp-connection-chip',
  imports: [Icon],
  template: `
    <span role="status">
      @if (shown(); as state) {
        <span class="chip" [class]="state">
          <hp-icon [name]="state === 'connected' ? 'check-circle' : 'offline'" />
          <span class="words" [title]="words(state)">{{ words(state) }}</span>
        </span>
      }
    </span>
  `,
  host: { '[class.shown]': 'shown() !== undefined' },
  styles: `
    :host {
      min-width: 0;
    }
    .chip {
      display: inline-flex;
      align-items: center;
      gap: var(--space-1-5);
      height: 28px;
      padding: 0 var(--space-2-5) 0 var(--space-2);
      border: 1px solid var(--line-strong);
      border-radius: 14px;
      background: var(--surface-2);
      font-size: var(--size-small);
      white-space: nowrap;
    }
    /* Beside the buttons, long words need two lines on a phone. */
    @media (max-width: 479px) {
      .chip {
        max-width: min(124px, 100%);
        height: auto;
        min-height: 28px;
        padding-block: 2px;
        line-height: 1.15;
        white-space: normal;
      }
      hp-icon {
        flex: none;
      }
    }
    .words {
      overflow: hidden;
      text-overflow: ellipsis;
    }
    hp-icon {
      color: var(--warn);
    }
    .connected hp-icon {
      color: var(--ok);
    }
  `,
})
export class ConnectionChip {
  readonly #connection = inject(Connection);
  readonly #session = inject(AuthSession);
  readonly #state = computed<ConnectionState>(() => {
    const state = this.#connection.state();
    return state === 'connected' && this.#session.state() === 'unreachable' ? 'unreachable' : state;
  });
  /** The shown state; `connected` is shown only for a while after another state. */
  protected readonly shown = linkedSignal<ConnectionState, ConnectionState | undefined>({
    source: this.#state,
    computation: (state, before) => (state === 'connected' && before?.value === undefined ? undefined : state),
  });

  constructor() {
    effect((onCleanup) => {
      if (this.shown() !== 'connected') return;
      const timer = setTimeout(() => this.shown.set(undefined), RECONNECTED_SHOWN_MS);
      onCleanup(() => clearTimeout(timer));
    });
  }

  protected words(state: ConnectionState): string {
    if (state === 'offline') return $localize`Offline`;
    return state === 'unreachable' ? $localize`Server unreachable` : $localize`Back online`;
  }
}
