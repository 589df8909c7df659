/** A change that a runtime made: it checked a deploy, changed the state of an app, or wrote lines to its log. */
export interface RuntimeChange {
  readonly kind: 'checked' | 'state' | 'log';
  /** The id of the deploy for `checked`, and of the app for the others. */
  readonly id: string;
}

/** Notifies about changes that runtimes make. Notifications can be lost: subscribers also read from time to time. */
export abstract class RuntimeFeed {
  /** Starts the feed. Call it once. It reconnects after every failure. */
  abstract start(): void;

  abstract stop(): void;

  /** @returns a function that ends the subscription. */
  abstract subscribe(onChange: (change: RuntimeChange) => void): () => void;
}
