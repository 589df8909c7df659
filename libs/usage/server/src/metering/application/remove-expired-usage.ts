import { MAX_AGE_DAYS } from '../domain/reported-events';
import type { UsageStore } from './usage-store.port';

const DAY_MS = 86_400_000;
/** One day more than events are accepted, because the clocks of instances can differ. */
const EVENT_DAYS = MAX_AGE_DAYS + 1;
/** How long files that an ended process left in its spool are recognized. */
const DELIVERY_DAYS = 400;
/** Small, so that a statement takes milliseconds. */
const BATCH_SIZE = 1_000;
/** A run ends within seconds, and the next one continues: 14 million events in a day of runs every ten minutes. */
const MAX_BATCHES = 100;

interface RemovalOptions {
  readonly batchSize?: number;
  readonly maxBatches?: number;
  readonly now?: () => Date;
}

/** Removes what only served to recognize repeats that can no longer occur. The hourly sums stay. */
export class RemoveExpiredUsage {
  readonly #batchSize: number;
  readonly #maxBatches: number;
  readonly #now: () => Date;

  constructor(
    private readonly store: UsageStore,
    { batchSize = BATCH_SIZE, maxBatches = MAX_BATCHES, now = () => new Date() }: RemovalOptions = {},
  ) {
    this.#batchSize = batchSize;
    this.#maxBatches = maxBatches;
    this.#now = now;
  }

  /** May be repeated, also by several instances at once. @throws {DatabaseUnavailable} */
  async execute(): Promise<void> {
    const now = this.#now().getTime();
    await this.store.removeDeliveries(new Date(now - DELIVERY_DAYS * DAY_MS));
    const before = new Date(now - EVENT_DAYS * DAY_MS);
    for (let batch = 0; batch < this.#maxBatches; batch += 1) {
      if ((await this.store.removeEvents(before, this.#batchSize)) < this.#batchSize) return;
    }
  }
}
