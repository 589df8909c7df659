import type { Revision } from '../domain/revision';

/** What is served now and what follows, with the time it was read at. */
export interface RevisionSchedule {
  /** In the order of their effect: the one in force, then those that come. At least one. */
  readonly revisions: readonly Revision[];
  /** The clock of whoever keeps them: the same for every instance. */
  readonly at: Date;
}

/** A published statement without its bytes. */
export interface RevisionSummary {
  readonly version: string;
  readonly effectiveAt: Date;
}

/** Every statement that was ever published. None is changed or removed. */
export abstract class PriceRevisions {
  /** Repeating it is harmless. @throws {DatabaseUnavailable} @throws {CatalogUnavailable} when none is in force. */
  abstract currentAndUpcoming(): Promise<RevisionSchedule>;

  /** Of all, in the order of their effect, and of their publication where that is the same. */
  abstract list(): Promise<readonly RevisionSummary[]>;

  abstract find(version: string): Promise<Revision | undefined>;

  /**
   * Publishes what a plan makes of all that was published until now, all of it or nothing; nobody publishes meanwhile.
   * Repeating it publishes what is left to publish.
   * @param plan is given everything in the order of publication, and the time.
   * @returns what was published.
   */
  abstract publish(
    publisher: string,
    plan: (published: readonly Revision[], now: Date) => readonly Revision[],
  ): Promise<readonly Revision[]>;
}
