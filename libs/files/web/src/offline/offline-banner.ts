import { Component, computed, inject, input, output } from '@angular/core';
import { AuthSession } from '@homeport/identity/web';
import { Icon, retryWhenConnected } from '@homeport/platform/web';
import { CachedFilesClient, type CachedResource } from './cached-files-client';
import { timeOfDay } from './time-of-day';

/** Says that what is shown is the copy on this device, and asks for the real thing as soon as there is a connection. */
@Component({
  selector: 'hp-offline-banner',
  imports: [Icon],
  template: `
    @if (from(); as time) {
      <div class="notice" role="status">
        <hp-icon name="offline" />
        @if (isConnecting()) {
          <span i18n>Connecting. Showing the copy from {{ time }}.</span>
        } @else if (isServerFault()) {
          <span i18n>The server has a fault. Showing the copy from {{ time }}.</span>
        } @else {
          <span i18n>Offline. Showing the copy from {{ time }}.</span>
        }
        <button type="button" class="button small" [disabled]="busy() || isConnecting()" (click)="retry.emit()">
          @if (busy() || isConnecting()) {
            <ng-container i18n>Trying…</ng-container>
          } @else {
            <ng-container i18n>Retry</ng-container>
          }
        </button>
      </div>
    }
  `,
})
export class OfflineBanner {
  readonly of = input.required<CachedResource>();
  readonly busy = input(false);
  readonly retry = output();
  readonly #kept = inject(CachedFilesClient);
  readonly #session = inject(AuthSession);
  /** Nothing has answered yet, and nothing has failed either. */
  protected readonly isConnecting = computed(() => this.#session.state() === 'unknown' && navigator.onLine);
  readonly #reason = computed(() => this.#kept.fallbackReason(this.of()));
  protected readonly isServerFault = computed(() => this.#reason() === 'session' || this.#reason() === 'server');
  protected readonly from = computed(() => {
    const at = this.#kept.cachedAt(this.of());
    return at && timeOfDay(at, new Date());
  });

  constructor() {
    retryWhenConnected({
      isWanted: () => this.#isOver(),
      busy: this.busy,
      retry: () => this.retry.emit(),
    });
  }

  /** Whether what the copy is shown for may be over. When a fault of the server is, nothing here tells. */
  #isOver(): boolean {
    // Before it is known who is there, every try is answered with the copy.
    if (this.#session.isResolving()) return false;
    return this.#reason() === 'connection' || (this.#reason() === 'session' && this.#session.state() === 'signed-in');
  }
}
