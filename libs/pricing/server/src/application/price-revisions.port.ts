import type { Revision } from '../domain/revision';

/** The current and upcoming revisions, with the time of the read. */
export interface RevisionSchedule {
  /** Sorted by effective date: the current revision, then upcoming ones. At least one. */
  readonly revisions: readonly Revision[];
  /** The time of the read by the store's clock, which all instances share. */
  readonly at: Date;
}

/** Version and effective date of a published statement. */
export interface RevisionSummary {
  readonly version: string;
  readonly effectiveAt: Date;
}

/** All published statements. They are never changed or removed. */
export abstract class PriceRevisions {
  /** @throws {DatabaseUnavailable} @throws {CatalogUnavailable} when no revision is in effect. */
  abstract currentAndUpcoming(): Promise<RevisionSchedule>;

  /** Lists all revisions by effective date, then by order of publication. */
  abstract list(): Promise<readonly RevisionSummary[]>;

  abstract find(version: string): Promise<Revision | undefined>;

  /**
   * Publishes the revisions that a plan returns, in one transaction that blocks other publications. Safe to repeat:
   * the plan sees the revisions that are published already.
   * @param plan called with all published revisions in the order of publication, and the current time.
   * @returns the published revisions.
   */
  abstract publish(
    publisher: string,
    plan: (published: readonly Revision[], now: Date) => readonly Revision[],
  ): Promise<readonly Revision[]>;
}
