import { HttpClient } from '@angular/common/http';
import { DestroyRef, DOCUMENT, inject, Service } from '@angular/core';
import type { ServerEvent } from './event-blocks';
import { EventConnection } from './event-connection';

/** What changed. */
export interface LiveChange {
  readonly kind: 'app' | 'domain';
  readonly id: string;
}

/** Receives what changed; undefined when all apps and domains may have changed. */
export type ChangeWatcher = (change: LiveChange | undefined) => void;

/** The loading page comes first. */
const CONNECT_DELAY_MS = 1_000;

/**
 * Follows the changes that all members of the organization make to its apps and domains. There is at most one connection per
 * tab, and none while the tab is hidden or nothing is watched.
 */
@Service()
export class LiveChanges {
  readonly #watchers = new Set<ChangeWatcher>();
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
  watch(watcher: ChangeWatcher): () => void {
    this.#watchers.add(watcher);
    this.#connection.setWanted(true);
    return () => {
      this.#watchers.delete(watcher);
      this.#connection.setWanted(this.#watchers.size > 0);
    };
  }

  #pass({ name, data }: ServerEvent): void {
    const isNamed = name === 'app' || name === 'domain';
    const change = isNamed ? ({ kind: name, ...JSON.parse(data) } as LiveChange) : undefined;
    for (const watcher of this.#watchers) watcher(change);
  }
}
