import { PriceRevisions, type RevisionSummary, type RevisionSchedule } from '../../application/price-revisions.port';
import { CatalogUnavailable } from '../../domain/pricing.errors';
import type { Revision } from '../../domain/revision';

/** Statements in memory, for tests and for trying modules out. */
export class InMemoryPriceRevisions extends PriceRevisions {
  readonly #published: Revision[];

  /** @param now the clock that the statements go by. */
  constructor(
    published: readonly Revision[],
    private readonly now: () => Date = () => new Date(),
  ) {
    super();
    this.#published = [...published];
  }

  async currentAndUpcoming(): Promise<RevisionSchedule> {
    const at = this.now();
    const ordered = this.#inOrder();
    const current = ordered.filter(({ effectiveAt }) => effectiveAt <= at).at(-1);
    if (!current) throw new CatalogUnavailable(['no statement is in force']);
    return { revisions: ordered.slice(ordered.indexOf(current)), at };
  }

  async list(): Promise<readonly RevisionSummary[]> {
    return this.#inOrder().map(({ version, effectiveAt }) => ({ version, effectiveAt }));
  }

  async find(version: string): Promise<Revision | undefined> {
    return this.#published.find((each) => each.version === version);
  }

  async publish(
    _publisher: string,
    plan: (published: readonly Revision[], now: Date) => readonly Revision[],
  ): Promise<readonly Revision[]> {
    const planned = plan([...this.#published], this.now());
    this.#published.push(...planned);
    return planned;
  }

  #inOrder(): Revision[] {
    return this.#published.toSorted((a, b) => a.effectiveAt.getTime() - b.effectiveAt.getTime());
  }
}
