import { MAX_AGE_DAYS } from '../domain/reported-events';
import type { UsageStore } from './usage-store.port';

const DAY_MS = 86_400_000;
/** One day more than events are accepted, because the clocks of instances can differ. */
const EVENT_DAYS = MAX_AGE_DAYS + 1;
/** How long files that an ended process left in its spool are recognized. */
const DELIVERY_DAYS = 400;
/** Small, so that a statement takes milliseconds. */
const BATCH_SIZE = 1_000;

interface RemovalOptions {
  readonly batchSize?: number;
  readonly now?: () => Date;
}

/** Removes what only served to recognize repeats that can no longer occur. The hourly sums stay. */
export class RemoveExpiredUsage {
  readonly #batchSize: number;
  readonly #now: () => Date;

  constructor(
    private readonly store: UsageStore,
    { batchSize = BATCH_SIZE, now = () => new Date() }: RemovalOptions = {},
  ) {
    this.#batchSize = batchSize;
    this.#now = now;
  }

  /** May be repeated, also by several instances at once. @throws {DatabaseUnavailable} */
  async execute(): Promise<void> {
    const now = this.#now().getTime();
    await this.store.removeDeliveries(new Date(now - DELIVERY_DAYS * DAY_MS));
    const before = new Date(now - EVENT_DAYS * DAY_MS);
    while ((await this.store.removeEvents(before, this.#batchSize)) === this.#batchSize);
  }
}
