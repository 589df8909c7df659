/** Receives errors that a response cannot report. */
export interface EdgeLog {
  /** Rules of a deploy are not applied. */
  warn(error: unknown, what: string): void;
  /** An unexpected error. */
  error(error: unknown, what: string): void;
}
