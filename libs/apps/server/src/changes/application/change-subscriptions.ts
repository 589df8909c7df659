import type { AppChange, AppChangeFeed } from './app-change-feed.port';

/** Receives the id of a changed app; undefined when changes may have been missed, so that all apps may have changed. */
export type ChangeSubscriber = (appId: string | undefined) => void;

/** Passes changes of apps on to the subscribers of their organization. One feed serves all subscribers. */
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
      for (const subscriber of group ?? []) subscriber(change?.appId);
    }
  }
}
