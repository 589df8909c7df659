import { HttpClient } from '@angular/common/http';
import { DestroyRef, DOCUMENT, inject, Service } from '@angular/core';
import type { ServerEvent } from './event-blocks';
import { EventConnection } from './event-connection';

/** Receives the id of a changed app; undefined when any app may have changed. */
export type AppChangeWatcher = (appId: string | undefined) => void;

/** The loading page comes first. */
const CONNECT_DELAY_MS = 1_000;

/**
 * Follows the changes that all members of the organization make to its apps. There is at most one connection per tab, and none
 * while the tab is hidden or nothing is watched.
 */
@Service()
export class AppChanges {
  readonly #watchers = new Set<AppChangeWatcher>();
  readonly #connection = new EventConnection({
    http: inject(HttpClient),
    document: inject(DOCUMENT),
    path: '/api/events',
    delayMs: CONNECT_DELAY_MS,
    onEvents: (events) => events.forEach((event) => this.#pass(event)),
  });

  constructor() {
    inject(DestroyRef).onDestroy(() => this.#connection.close());
  }

  /** @returns a function that stops watching. */
  watch(watcher: AppChangeWatcher): () => void {
    this.#watchers.add(watcher);
    this.#connection.setWanted(true);
    return () => {
      this.#watchers.delete(watcher);
      this.#connection.setWanted(this.#watchers.size > 0);
    };
  }

  #pass({ name, data }: ServerEvent): void {
    const appId = name === 'app' ? (JSON.parse(data) as { id: string }).id : undefined;
    for (const watcher of this.#watchers) watcher(appId);
  }
}
