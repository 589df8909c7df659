import { differenceOf } from '../domain/difference';
import type { RawCatalog } from '../domain/parse-catalog';
import { planPublication } from '../domain/publication';
import { verifyRevision, type Revision } from '../domain/revision';
import type { PriceRevisions } from './price-revisions.port';

export interface PublishOptions {
  /** The publisher, for the audit log. */
  readonly publisher: string;
  /** Whether to return the changes without publishing them. */
  readonly isDryRun: boolean;
  readonly areLargeChangesAllowed: boolean;
}

/** One statement of a publication and its differences from the previously served statement. */
export interface PublishedChange {
  readonly version: string;
  readonly effectiveAt: Date;
  readonly difference: readonly string[];
}

/** Publishes a catalog as price revisions. */
export class PricePublisher {
  constructor(private readonly revisions: PriceRevisions) {}

  /**
   * Publishes a catalog. A repeated call publishes nothing.
   * @returns the published changes; empty when the catalog is already published.
   * @throws {CatalogUnavailable} when the catalog is invalid.
   * @throws {PublicationRefused} when the catalog violates a publication rule.
   */
  async publish(source: RawCatalog, options: PublishOptions): Promise<PublishedChange[]> {
    let changes: PublishedChange[] = [];
    await this.revisions.publish(options.publisher, (published, now) => {
      const planned = planPublication(source, {
        published,
        now,
        areLargeChangesAllowed: options.areLargeChangesAllowed,
      });
      changes = changesOf(published, planned);
      return options.isDryRun ? [] : planned;
    });
    return changes;
  }
}

function changesOf(published: readonly Revision[], planned: readonly Revision[]): PublishedChange[] {
  const all = [...published, ...planned];
  return planned.map((revision) => {
    const before = servedBefore(all, revision);
    const { statement } = verifyRevision(revision);
    const difference = before ? differenceOf(verifyRevision(before).statement, statement) : [];
    return { version: revision.version, effectiveAt: revision.effectiveAt, difference };
  });
}

/** Of several revisions with the same effective date, the last published one is served. */
function servedBefore(all: readonly Revision[], revision: Revision): Revision | undefined {
  return all
    .filter((each) => each !== revision && each.effectiveAt <= revision.effectiveAt)
    .toSorted((a, b) => a.effectiveAt.getTime() - b.effectiveAt.getTime())
    .at(-1);
}
