import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { CatalogUnavailable } from '../domain/pricing.errors';
import { type VerifiedRevision, verifyRevision, type Revision } from '../domain/revision';
import type { PriceRevisions } from './price-revisions.port';
import { type EncodedRepresentations, encodeRepresentations } from './encoded-representations';

/** Verified prices with their encoded representations. */
export type EffectivePrices = VerifiedRevision & EncodedRepresentations;

/** A revision with its verified and encoded prices. */
interface CachedRevision {
  readonly revision: Revision;
  readonly prices: EffectivePrices;
}

interface Snapshot {
  /** Sorted by effective date; the first one was in effect at the read. */
  readonly cached: readonly CachedRevision[];
  /** The time of the read by the clock of the revisions. */
  readonly at: number;
  /** Start and end of the read by the local clock. Ages count from the start, so they are never too low. */
  readonly requestedAt: number;
  /** Effective dates count from the end of the read, so no card takes effect early. */
  readonly receivedAt: number;
}

/** Maximum age of a snapshot before it is read again. */
const FRESH_MS = 1_000;
/** Maximum age of a snapshot while reads fail: the time that HTTP caches may keep a statement. */
const STALE_IF_ERROR_MS = 300_000;
/** Maximum wait of a call for a refresh when a usable snapshot exists. */
const REFRESH_TIMEOUT_MS = 500;
/** Delay before a failed read is retried. */
const RETRY_DELAY_MS = 100;

/** Returns the prices in effect from a snapshot, which a call refreshes after one second. */
export class PriceBook {
  #snapshot: Snapshot | undefined;
  #refreshing: Promise<void> | undefined;
  #failure: { readonly error: unknown; readonly at: number } | undefined;

  /** @param clock monotonic, in milliseconds. */
  constructor(
    private readonly revisions: PriceRevisions,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /** @throws {CatalogUnavailable} when reads have failed for 300 s. Never returns partial prices. */
  async current(): Promise<EffectivePrices> {
    if (!this.#snapshot || this.#ageOf(this.#snapshot) > FRESH_MS) await this.#refresh();
    return this.#usablePrices();
  }

  async #refresh(): Promise<void> {
    const hasFailed = this.#failure !== undefined;
    if (this.#failure && this.clock() - this.#failure.at < RETRY_DELAY_MS) return;
    this.#refreshing ??= this.#read().finally(() => (this.#refreshing = undefined));
    if (!this.#snapshot || this.#ageOf(this.#snapshot) > STALE_IF_ERROR_MS) return this.#refreshing;
    // After a failure, calls do not wait: the snapshot is usable until it is too old.
    if (!hasFailed) await Promise.race([this.#refreshing, setTimeout(REFRESH_TIMEOUT_MS, undefined, { ref: false })]);
  }

  async #read(): Promise<void> {
    try {
      const requestedAt = this.clock();
      const { revisions, at } = await this.revisions.currentAndUpcoming();
      const receivedAt = this.clock();
      const snapshot = {
        cached: revisions.map((each) => this.#verify(each)),
        at: at.getTime(),
        requestedAt,
        receivedAt,
      };
      if (!pricesEffectiveAt(snapshot, snapshot.at)) throw new CatalogUnavailable(['no statement is in effect']);
      this.#snapshot = snapshot;
      this.#failure = undefined;
    } catch (error) {
      this.#failure = { error, at: this.clock() };
    }
  }

  /** Verifies and compresses a revision, unless an identical one is in the snapshot. */
  #verify(revision: Revision): CachedRevision {
    const cached = this.#snapshot?.cached.find((each) => isDeepStrictEqual(each.revision, revision));
    return cached ?? { revision, prices: { ...verifyRevision(revision), ...encodeRepresentations(revision.body) } };
  }

  #usablePrices(): EffectivePrices {
    const snapshot = this.#snapshot;
    if (!snapshot || this.#ageOf(snapshot) > STALE_IF_ERROR_MS) {
      throw new CatalogUnavailable([], { cause: this.#failure?.error });
    }
    return pricesEffectiveAt(snapshot, snapshot.at + this.clock() - snapshot.receivedAt) as EffectivePrices;
  }

  #ageOf({ requestedAt }: Snapshot): number {
    return this.clock() - requestedAt;
  }
}

function pricesEffectiveAt({ cached }: Snapshot, at: number): EffectivePrices | undefined {
  return cached.findLast(({ prices }) => prices.effectiveAt.getTime() <= at)?.prices;
}
