import { PriceRevisions, type RevisionSummary, type RevisionSchedule } from '../../application/price-revisions.port';
import { CatalogUnavailable } from '../../domain/pricing.errors';
import type { Revision } from '../../domain/revision';

/** Keeps revisions in memory, for tests and experiments. */
export class InMemoryPriceRevisions extends PriceRevisions {
  readonly #published: Revision[];

  /** @param now the clock that decides which revision is in effect. */
  constructor(
    published: readonly Revision[],
    private readonly now: () => Date = () => new Date(),
  ) {
    super();
    this.#published = [...published];
  }

  async currentAndUpcoming(): Promise<RevisionSchedule> {
    const at = this.now();
    const ordered = this.#byEffectiveDate();
    const current = ordered.filter(({ effectiveAt }) => effectiveAt <= at).at(-1);
    if (!current) throw new CatalogUnavailable(['no statement is in effect']);
    return { revisions: ordered.slice(ordered.indexOf(current)), at };
  }

  async list(): Promise<readonly RevisionSummary[]> {
    return this.#byEffectiveDate().map(({ version, effectiveAt }) => ({ version, effectiveAt }));
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

  #byEffectiveDate(): Revision[] {
    return this.#published.toSorted((a, b) => a.effectiveAt.getTime() - b.effectiveAt.getTime());
  }
}
