import { randomUUID } from 'node:crypto';
import { batchName, type UsageBatch } from '../domain/counted-use';
import { hourOf } from '../domain/usage-event';
import type { MeteredItem } from '../domain/meter';
import { BatchDelivery, type BatchDeliveryOptions } from './batch-delivery';

/** How long counts are only in memory. */
const SPOOL_MS = 1_000;
/** How long batches wait in the spool. Delivering several together saves transactions. */
const DELIVERY_MS = 10_000;
const MICRO = 1_000_000n;

/** Uses that are counted and not yet in a batch. */
interface Count {
  readonly organization: string;
  readonly item: MeteredItem;
  readonly hour: Date;
  uses: number;
}

export interface UsageRecorderOptions extends Omit<BatchDeliveryOptions, 'now'> {
  readonly now?: () => Date;
}

/**
 * Counts uses in memory, moves the counts to the spool each second, and delivers the spool to the usage store every ten
 * seconds. Counting does no I/O, so requests do not wait for it. Spooling does not wait for a delivery, so a process
 * that is killed loses the counts of its last second, however long a delivery takes.
 */
export class UsageRecorder {
  readonly #process = randomUUID();
  #counts = new Map<string, Count>();
  #batches = 0;
  #timers: NodeJS.Timeout[] = [];
  #spooling: Promise<void> | undefined;
  #counted = 0;
  /** A time before the oldest count that is only in memory. */
  #unspooledSince: number | undefined;
  readonly #delivery: BatchDelivery;
  readonly #now: () => Date;

  constructor(private readonly options: UsageRecorderOptions) {
    this.#now = options.now ?? (() => new Date());
    this.#delivery = new BatchDelivery({ ...options, now: this.#now });
  }

  /** The uses counted since the start. */
  get counted(): number {
    return this.#counted;
  }

  /** Seconds since the store had all counts and everything in the spool, the batches of ended processes included. */
  get secondsBehind(): number {
    const now = this.#now().getTime();
    return Math.max(this.#delivery.secondsBehind, (now - (this.#unspooledSince ?? now)) / 1_000);
  }

  /** Counts one use of an item. */
  count(organization: string, item: MeteredItem): void {
    this.#counted += 1;
    const now = this.#now();
    this.#unspooledSince ??= now.getTime();
    const hour = hourOf(now);
    const key = `${hour.getTime()} ${item} ${organization}`;
    const count = this.#counts.get(key);
    if (count) count.uses += 1;
    else this.#counts.set(key, { organization, item, hour, uses: 1 });
  }

  /** Spools and delivers regularly from now on. @throws {Error} when the spool is not safe to use. */
  async start(): Promise<void> {
    await this.options.spool.open();
    if (this.#timers.length > 0) return;
    this.#timers = [
      setInterval(() => void this.spool(), SPOOL_MS).unref(),
      setInterval(() => void this.deliver(), DELIVERY_MS).unref(),
    ];
  }

  /**
   * Spools the last counts and tries to deliver the batches of this process once. Other batches stay in the spool for
   * the next process, so that the end of this one does not wait for a backlog.
   */
  async stop(): Promise<void> {
    this.#timers.forEach(clearInterval);
    this.#timers = [];
    await this.#spooling;
    await this.spool();
    await this.#delivery.stop(this.#process);
  }

  /** Moves the counts to the spool. Never rejects. While one call runs, another one waits for it and does nothing. */
  spool(): Promise<void> {
    this.#spooling ??= this.#spool().finally(() => (this.#spooling = undefined));
    return this.#spooling;
  }

  /** Delivers the spool. Never rejects. While one call runs, another one waits for it and does nothing. */
  deliver(): Promise<void> {
    return this.#delivery.run();
  }

  async #spool(): Promise<void> {
    if (this.#counts.size === 0) return;
    const counts = this.#counts;
    this.#counts = new Map();
    const startedAt = this.#now().getTime();
    const batch: UsageBatch = {
      name: batchName(this.#process, this.#batches++),
      uses: [...counts.values()].map(({ uses, ...count }) => ({ ...count, quantity: BigInt(uses) * MICRO })),
    };
    try {
      await this.options.spool.add(batch);
      this.#unspooledSince = this.#counts.size > 0 ? startedAt : undefined;
      this.options.reportSuccess?.('spool');
    } catch (error) {
      this.#restore(counts);
      this.options.reportFailure(error, 'spool');
    }
  }

  /** Adds counts that could not be stored to those of the meantime. */
  #restore(counts: ReadonlyMap<string, Count>): void {
    for (const [key, count] of counts) {
      const newer = this.#counts.get(key);
      if (newer) newer.uses += count.uses;
      else this.#counts.set(key, count);
    }
  }
}
