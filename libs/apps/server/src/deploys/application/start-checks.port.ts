/** What a runtime found when it started the server of a deploy for the first time. */
export interface StartCheck {
  readonly hasPassed: boolean;
  /** Why it did not pass; null when it passed. */
  readonly reason: string | null;
  /** The last lines that the server wrote. */
  readonly log: readonly string[];
}

/** Reads what the runtimes report about deploys in status `starting`. */
export abstract class StartChecks {
  /**
   * Reads the check of a deploy.
   * @returns `waiting` before a runtime has launched the server, `launched` until the check ends.
   * @throws {DatabaseUnavailable}
   */
  abstract find(deployId: string): Promise<StartCheck | 'waiting' | 'launched'>;

  /** Resolves when the check of a deploy may have ended, at the latest after a second, or when the signal is aborted. */
  abstract changed(deployId: string, signal: AbortSignal): Promise<void>;
}
