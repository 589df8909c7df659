/** A change of an app: of the app itself, its DNS record or its deploys. */
export interface AppChange {
  readonly organization: string;
  readonly appId: string;
}

/** Notifies about changed apps, whichever instance changed them. */
export abstract class AppChangeFeed {
  /**
   * Listens until the signal is aborted, and reconnects after every failure.
   * @param onChange called with each change, or with undefined when changes may have been missed.
   */
  abstract listen(onChange: (change: AppChange | undefined) => void, signal: AbortSignal): void;
}
