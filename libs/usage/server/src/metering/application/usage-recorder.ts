import { randomUUID } from 'node:crypto';
import { DatabaseUnavailable } from '@homeport/kernel';
import { hourOf, OWN_SOURCES, type UsageEvent } from '../domain/usage-event';
import type { MeteredItem } from '../domain/meter';
import type { UsageSpool } from './usage-spool.port';
import type { UsageStore } from './usage-store.port';

const FLUSH_MS = 1_000;
const MICRO = 1_000_000n;
/** The digits of the number of a batch, so that names sort in the order of the batches. */
const NUMBER_DIGITS = 12;

/** Uses that are counted and not yet in a batch. */
interface Count {
  readonly organization: string;
  readonly item: MeteredItem;
  readonly hour: Date;
  uses: number;
}

export interface UsageRecorderOptions {
  readonly store: UsageStore;
  readonly spool: UsageSpool;
  /** Receives errors other than an unavailable database, which reports its own outages. */
  readonly reportFailure: (error: unknown) => void;
  /** Called after each flush that delivered everything, so that the next failure is reported again. */
  readonly reportSuccess?: () => void;
  readonly now?: () => Date;
}

/**
 * Counts uses in memory, and each second moves the counts to the spool and from there to the usage store. Counting does
 * no I/O, so requests do not wait for it. A process that is killed loses the counts of its last second. Each batch is
 * delivered until the store has it, and counts once, because its events have the same ids at each attempt.
 */
export class UsageRecorder {
  readonly #process = randomUUID();
  #counts = new Map<string, Count>();
  #batches = 0;
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;
  #counted = 0;
  #deliveredAt: number;
  readonly #now: () => Date;

  constructor(private readonly options: UsageRecorderOptions) {
    this.#now = options.now ?? (() => new Date());
    this.#deliveredAt = this.#now().getTime();
  }

  /** The uses counted since the start. */
  get counted(): number {
    return this.#counted;
  }

  /** Seconds since the store had everything that was counted, the batches of ended processes included. */
  get secondsBehind(): number {
    return Math.max(0, (this.#now().getTime() - this.#deliveredAt) / 1_000);
  }

  /** Counts one use of an item. */
  count(organization: string, item: MeteredItem): void {
    this.#counted += 1;
    const hour = hourOf(this.#now());
    const key = `${hour.getTime()} ${item} ${organization}`;
    const count = this.#counts.get(key);
    if (count) count.uses += 1;
    else this.#counts.set(key, { organization, item, hour, uses: 1 });
  }

  /** Flushes each second from now on. */
  start(): void {
    this.#timer ??= setInterval(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Flushes the last counts. A batch that the store does not accept now stays in the spool for the next process. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#flushing;
    await this.flush();
  }

  /** Never rejects. While a flush runs, another call waits for it and does nothing. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => (this.#flushing = undefined));
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    try {
      await this.#spoolCounts();
      let isComplete = true;
      for (const name of await this.options.spool.names()) {
        const outcome = await this.#deliver(name);
        if (outcome === 'unavailable') return;
        if (outcome === 'rejected') isComplete = false;
      }
      if (!isComplete) return;
      this.#deliveredAt = this.#now().getTime();
      this.options.reportSuccess?.();
    } catch (error) {
      this.options.reportFailure(error);
    }
  }

  async #spoolCounts(): Promise<void> {
    if (this.#counts.size === 0) return;
    const counts = this.#counts;
    this.#counts = new Map();
    const number = String(this.#batches++).padStart(NUMBER_DIGITS, '0');
    const events = [...counts.values()].map((count, n) => this.#eventOf(count, `${number}:${n}`));
    try {
      await this.options.spool.add({ name: `${this.#process}-${number}`, events });
    } catch (error) {
      this.#restore(counts);
      throw error;
    }
  }

  #eventOf({ organization, item, hour, uses }: Count, id: string): UsageEvent {
    return {
      organization,
      source: `${OWN_SOURCES}api:${this.#process}`,
      id,
      item,
      quantity: BigInt(uses) * MICRO,
      at: hour,
    };
  }

  /** Adds counts that could not be stored to those of the meantime. */
  #restore(counts: ReadonlyMap<string, Count>): void {
    for (const [key, count] of counts) {
      const newer = this.#counts.get(key);
      if (newer) newer.uses += count.uses;
      else this.#counts.set(key, count);
    }
  }

  /** A batch that cannot be read, or that the store rejects, stays in the spool and does not delay the others. */
  async #deliver(name: string): Promise<'delivered' | 'rejected' | 'unavailable'> {
    try {
      const batch = await this.options.spool.read(name);
      if (!batch) return 'delivered';
      await this.options.store.record(batch.events);
      await this.options.spool.remove(name);
      return 'delivered';
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return 'unavailable';
      this.options.reportFailure(error);
      return 'rejected';
    }
  }
}
