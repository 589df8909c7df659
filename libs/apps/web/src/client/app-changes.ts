import { HttpClient, HttpErrorResponse, HttpEventType, type HttpDownloadProgressEvent } from '@angular/common/http';
import { DestroyRef, DOCUMENT, inject, Service } from '@angular/core';
import { HttpProblem, pollDelayMs } from '@homeport/platform/web';
import { fromEvent, type Subscription } from 'rxjs';
import { EventBlocks } from './event-blocks';

/** Receives the id of a changed app; undefined when any app may have changed. */
export type AppChangeWatcher = (appId: string | undefined) => void;

/** The loading page comes first. */
const CONNECT_DELAY_MS = 1_000;

/**
 * Follows the changes that all members of the organization make to its apps. There is at most one connection per tab, and none
 * while the tab is hidden or nothing is watched: browsers limit the connections to a server.
 */
@Service()
export class AppChanges {
  readonly #http = inject(HttpClient);
  readonly #document = inject(DOCUMENT);
  readonly #watchers = new Set<AppChangeWatcher>();
  #connection: Subscription | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  /** Whether the server refused to send changes, which another attempt would not change. */
  #isRefused = false;

  constructor() {
    const visibility = fromEvent(this.#document, 'visibilitychange').subscribe(() => this.#update());
    inject(DestroyRef).onDestroy(() => {
      visibility.unsubscribe();
      this.#disconnect();
    });
  }

  /** @returns a function that stops watching. */
  watch(watcher: AppChangeWatcher): () => void {
    this.#watchers.add(watcher);
    this.#update();
    return () => {
      this.#watchers.delete(watcher);
      this.#update();
    };
  }

  #update(): void {
    const isWanted = this.#watchers.size > 0 && this.#document.visibilityState === 'visible' && !this.#isRefused;
    if (!isWanted) this.#disconnect();
    else if (!this.#connection && this.#timer === undefined) this.#connectAfter(CONNECT_DELAY_MS);
  }

  #connectAfter(delayMs: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#connect();
    }, delayMs);
  }

  #disconnect(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#connection?.unsubscribe();
    this.#connection = undefined;
  }

  #connect(): void {
    const blocks = new EventBlocks();
    this.#connection = this.#http
      .get('/api/events', {
        headers: { Accept: 'text/event-stream' },
        observe: 'events',
        reportProgress: true,
        responseType: 'text',
      })
      .subscribe({
        next: (event) => {
          if (event.type !== HttpEventType.DownloadProgress) return;
          this.#failures = 0;
          for (const { name, data } of blocks.next((event as HttpDownloadProgressEvent).partialText ?? ''))
            this.#pass(name, data);
        },
        error: (error: unknown) => this.#ended(error),
        complete: () => this.#ended(undefined),
      });
  }

  #pass(name: string, data: string): void {
    const appId = name === 'app' ? (JSON.parse(data) as { id: string }).id : undefined;
    for (const watcher of this.#watchers) watcher(appId);
  }

  #ended(error: unknown): void {
    this.#connection = undefined;
    const status = error instanceof HttpProblem || error instanceof HttpErrorResponse ? error.status : 0;
    this.#isRefused = status >= 400 && status < 500 && status !== 429;
    if (error !== undefined) this.#failures += 1;
    if (!this.#isRefused && this.#watchers.size > 0) this.#connectAfter(pollDelayMs(this.#failures));
  }
}
