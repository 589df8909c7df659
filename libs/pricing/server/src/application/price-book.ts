import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { CatalogUnavailable } from '../domain/pricing.errors';
import { type VerifiedRevision, verifyRevision, type Revision } from '../domain/revision';
import type { PriceRevisions } from './price-revisions.port';
import { type EncodedRepresentations, encodeRepresentations } from './encoded-representations';

/** Prices as they are known and sent. */
export type EffectivePrices = VerifiedRevision & EncodedRepresentations;

/** A revision beside what was made of it. */
interface CachedRevision {
  readonly revision: Revision;
  readonly prices: EffectivePrices;
}

interface Snapshot {
  /** In the order of their effect; the first one is in force when it is read. */
  readonly opened: readonly CachedRevision[];
  /** What the clock of the revisions said. */
  readonly at: number;
  /** By our clock: when it was asked for, and when it came. A copy is as old as can be, and no card begins early. */
  readonly requestedAt: number;
  readonly receivedAt: number;
}

/** How old a copy may be without asking again. */
const FRESH_MS = 1_000;
/** How long a copy is trusted while the prices cannot be read: as long as other caches may keep it. */
const STALE_IF_ERROR_MS = 300_000;
/** How long somebody waits for news, when there is a copy that is good enough. */
const REFRESH_TIMEOUT_MS = 500;
/** How soon after a failure it is tried again. */
const RETRY_DELAY_MS = 100;

/** Knows the prices in force, from a copy that is read again every second in which somebody asks. */
export class PriceBook {
  #copy: Snapshot | undefined;
  #reading: Promise<void> | undefined;
  #failure: { readonly error: unknown; readonly at: number } | undefined;

  /** @param clock milliseconds that only go forward. */
  constructor(
    private readonly revisions: PriceRevisions,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /** What `current` would answer without reading anything; undefined when it would have to read. */
  currentIfFresh(): EffectivePrices | undefined {
    return this.#copy && this.#ageOf(this.#copy) <= FRESH_MS ? this.#usablePrices() : undefined;
  }

  /** @throws {CatalogUnavailable} when they were not to be read for 300 s. Nobody ever gets a part of them. */
  async current(): Promise<EffectivePrices> {
    const known = this.currentIfFresh();
    if (known) return known;
    await this.#refresh();
    return this.#usablePrices();
  }

  async #refresh(): Promise<void> {
    const hasFailed = this.#failure !== undefined;
    if (this.#failure && this.clock() - this.#failure.at < RETRY_DELAY_MS) return;
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    if (!this.#copy || this.#ageOf(this.#copy) > STALE_IF_ERROR_MS) return this.#reading;
    // Once it has failed nobody waits: the copy will do until it is old.
    if (!hasFailed) await Promise.race([this.#reading, setTimeout(REFRESH_TIMEOUT_MS, undefined, { ref: false })]);
  }

  async #read(): Promise<void> {
    try {
      const requestedAt = this.clock();
      const { revisions, at } = await this.revisions.currentAndUpcoming();
      const receivedAt = this.clock();
      const copy = { opened: revisions.map((each) => this.#opened(each)), at: at.getTime(), requestedAt, receivedAt };
      if (!pricesEffectiveAt(copy, copy.at)) throw new CatalogUnavailable(['no statement is in force']);
      this.#copy = copy;
      this.#failure = undefined;
    } catch (error) {
      this.#failure = { error, at: this.clock() };
    }
  }

  /** What has been checked and compressed once is not checked again, as long as it is the same. */
  #opened(revision: Revision): CachedRevision {
    const known = this.#copy?.opened.find((each) => isDeepStrictEqual(each.revision, revision));
    return known ?? { revision, prices: { ...verifyRevision(revision), ...encodeRepresentations(revision.body) } };
  }

  #usablePrices(): EffectivePrices {
    const copy = this.#copy;
    if (!copy || this.#ageOf(copy) > STALE_IF_ERROR_MS) {
      throw new CatalogUnavailable([], { cause: this.#failure?.error });
    }
    return pricesEffectiveAt(copy, copy.at + this.clock() - copy.receivedAt) as EffectivePrices;
  }

  #ageOf({ requestedAt }: Snapshot): number {
    return this.clock() - requestedAt;
  }
}

function pricesEffectiveAt({ opened }: Snapshot, at: number): EffectivePrices | undefined {
  return opened.findLast(({ prices }) => prices.effectiveAt.getTime() <= at)?.prices;
}
