/** Receives errors that a response cannot report. */
export interface EdgeLog {
  /** A dependency is unavailable. */
  warn(error: unknown, what: string): void;
  /** An unexpected error. */
  error(error: unknown, what: string): void;
}
