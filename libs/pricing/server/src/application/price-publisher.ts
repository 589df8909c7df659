import { differenceOf } from '../domain/difference';
import type { RawCatalog } from '../domain/parse-catalog';
import { planPublication } from '../domain/publication';
import { verifyRevision, type Revision } from '../domain/revision';
import type { PriceRevisions } from './price-revisions.port';

export interface PublishOptions {
  /** Who publishes, for the record. */
  readonly publisher: string;
  /** Only say what would be published. */
  readonly isDryRun: boolean;
  readonly areLargeChangesAllowed: boolean;
}

/** One statement of a publication, and what it says otherwise than the one served before it. */
export interface PublishedChange {
  readonly version: string;
  readonly effectiveAt: Date;
  readonly difference: readonly string[];
}

/** Brings the catalog of the files to where it is charged by. */
export class PricePublisher {
  constructor(private readonly revisions: PriceRevisions) {}

  /**
   * Repeating it is safe: what is published already is not published again.
   * @returns nothing when the catalog is what is published already.
   * @throws {CatalogUnavailable} when it is not whole. @throws {PublicationRefused} when it breaks a promise.
   */
  async publish(source: RawCatalog, order: PublishOptions): Promise<PublishedChange[]> {
    let changes: PublishedChange[] = [];
    await this.revisions.publish(order.publisher, (published, now) => {
      const planned = planPublication(source, { published, now, areLargeChangesAllowed: order.areLargeChangesAllowed });
      changes = changesOf(published, planned);
      return order.isDryRun ? [] : planned;
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

/** Of those that take effect at the same time, what was published last is served. */
function servedBefore(all: readonly Revision[], revision: Revision): Revision | undefined {
  return all
    .filter((each) => each !== revision && each.effectiveAt <= revision.effectiveAt)
    .toSorted((a, b) => a.effectiveAt.getTime() - b.effectiveAt.getTime())
    .at(-1);
}
