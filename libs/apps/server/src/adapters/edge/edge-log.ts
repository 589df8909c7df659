/** Where the edge says what no answer can. */
export interface EdgeLog {
  /** Something that it needs is away. */
  warn(error: unknown, what: string): void;
  /** What nobody has foreseen. */
  error(error: unknown, what: string): void;
}
