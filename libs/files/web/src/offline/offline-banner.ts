import { Component, computed, inject, input, output } from '@angular/core';
import { AuthSession } from '@homeport/identity/web';
import { Icon, retryWhenConnected } from '@homeport/platform/web';
import { CachedFilesClient, type CachedResource } from './cached-files-client';
import { formatTimestamp } from './format-timestamp';
import { truncatedListMessage } from './truncated-list';

/** Shows that the page comes from the offline cache, and retries when the connection is back. */
@Component({
  selector: 'hp-offline-banner',
  imports: [Icon],
  template: `
    @if (cachedTime(); as time) {
      <div class="notice" role="status">
        <hp-icon name="offline" />
        <span>
          @if (isConnecting()) {
            <span i18n>Connecting. Showing the copy from {{ time }}.</span>
          } @else if (isServerFault()) {
            <span i18n>Server error. Showing the copy from {{ time }}.</span>
          } @else {
            <span i18n>Offline. Showing the copy from {{ time }}.</span>
          }
          @if (isTruncated()) {
            <span class="truncated">{{ truncatedMessage }}</span>
          }
        </span>
        <button type="button" class="button small" [disabled]="busy() || isConnecting()" (click)="retry.emit()">
          @if (busy() || isConnecting()) {
            <ng-container i18n>Retrying…</ng-container>
          } @else {
            <ng-container i18n>Retry</ng-container>
          }
        </button>
      </div>
    }
  `,
  styles: `
    .truncated {
      display: block;
    }
  `,
})
export class OfflineBanner {
  readonly of = input.required<CachedResource>();
  readonly busy = input(false);
  readonly retry = output();
  readonly #files = inject(CachedFilesClient);
  readonly #session = inject(AuthSession);
  /** Whether the first requests have neither succeeded nor failed yet. */
  protected readonly isConnecting = computed(() => this.#session.state() === 'unknown' && navigator.onLine);
  readonly #reason = computed(() => this.#files.fallbackReason(this.of()));
  protected readonly isServerFault = computed(() => this.#reason() === 'session' || this.#reason() === 'server');
  protected readonly truncatedMessage = truncatedListMessage();
  protected readonly isTruncated = computed(() => {
    const resource = this.of();
    return 'list' in resource && this.#files.isTruncated(resource.list);
  });
  protected readonly cachedTime = computed(() => {
    const at = this.#files.cachedAt(this.of());
    return at && formatTimestamp(at, new Date());
  });

  constructor() {
    retryWhenConnected({
      isWanted: () => this.#mayBeResolved(),
      busy: this.busy,
      retry: () => this.retry.emit(),
    });
  }

  /** Whether the reason for the cached answer may be resolved. The end of a server error cannot be detected here. */
  #mayBeResolved(): boolean {
    // While the session is being resolved, every retry is answered from the cache.
    if (this.#session.isResolving()) return false;
    return this.#reason() === 'connection' || (this.#reason() === 'session' && this.#session.state() === 'signed-in');
  }
}
