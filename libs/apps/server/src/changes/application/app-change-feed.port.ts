/** A change of an app (of the app itself, its DNS record, deploys or addresses), or of an own domain. */
export interface AppChange {
  readonly organization: string;
  /** Absent for a change of a domain; null when the addresses of all apps changed. */
  readonly appId?: string | null;
  readonly domainId?: string;
}

/** Notifies about changed apps and domains, whichever instance changed them. */
export abstract class AppChangeFeed {
  /**
   * Listens until the signal is aborted, and reconnects after every failure.
   * @param onChange called with each change, or with undefined when changes may have been missed.
   */
  abstract listen(onChange: (change: AppChange | undefined) => void, signal: AbortSignal): void;
}
