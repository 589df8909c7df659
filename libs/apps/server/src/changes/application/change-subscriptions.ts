import type { AppChange, AppChangeFeed } from './app-change-feed.port';

/** What changed. */
export interface ChangedItem {
  readonly kind: 'app' | 'domain';
  readonly id: string;
}

/** Receives what changed; undefined when all apps and domains may have changed. */
export type ChangeSubscriber = (changed: ChangedItem | undefined) => void;

/** Passes changes of apps and domains on to the subscribers of their organization. One feed serves all subscribers. */
export class ChangeSubscriptions {
  readonly #subscribers = new Map<string, Set<ChangeSubscriber>>();
  readonly #stop = new AbortController();

  /** Starts the feed. Call it once. */
  start(feed: AppChangeFeed): void {
    feed.listen((change) => this.#pass(change), this.#stop.signal);
  }

  stop(): void {
    this.#stop.abort();
  }

  /** @returns a function that ends the subscription. */
  subscribe(organization: string, subscriber: ChangeSubscriber): () => void {
    const subscribers = this.#subscribers.get(organization) ?? new Set();
    this.#subscribers.set(organization, subscribers.add(subscriber));
    return () => {
      subscribers.delete(subscriber);
      if (subscribers.size === 0 && this.#subscribers.get(organization) === subscribers)
        this.#subscribers.delete(organization);
    };
  }

  #pass(change: AppChange | undefined): void {
    const groups = change === undefined ? this.#subscribers.values() : [this.#subscribers.get(change.organization)];
    for (const group of groups) {
      for (const subscriber of group ?? []) subscriber(itemOf(change));
    }
  }
}

function itemOf(change: AppChange | undefined): ChangedItem | undefined {
  if (change?.domainId !== undefined) return { kind: 'domain', id: change.domainId };
  return typeof change?.appId === 'string' ? { kind: 'app', id: change.appId } : undefined;
}
