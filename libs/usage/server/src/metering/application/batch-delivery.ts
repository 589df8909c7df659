import { DatabaseUnavailable } from '@homeport/kernel';
import type { UsageBatch } from '../domain/counted-use';
import type { UsageSpool } from './usage-spool.port';
import type { UsageStore } from './usage-store.port';

/** Batches that are delivered in one transaction. */
const MAX_BATCHES = 100;

/** What can fail: writing counts to the spool, and delivering the spool to the store. */
export type SpoolOperation = 'spool' | 'deliver';

export interface BatchDeliveryOptions {
  readonly store: UsageStore;
  readonly spool: UsageSpool;
  /** Receives errors other than an unavailable database, which reports its own outages. */
  readonly reportFailure: (error: unknown, operation: SpoolOperation) => void;
  /** Called after each spooled batch and each delivery of everything, so that the next failure is reported again. */
  readonly reportSuccess?: (operation: SpoolOperation) => void;
  readonly now: () => Date;
}

/** Moves batches from the spool to the usage store. A batch stays in the spool until the store has it. */
export class BatchDelivery {
  #running: Promise<void> | undefined;
  #isStopping = false;
  #deliveredAt: number;

  constructor(private readonly options: BatchDeliveryOptions) {
    this.#deliveredAt = options.now().getTime();
  }

  /** Seconds since the store had everything in the spool. */
  get secondsBehind(): number {
    return Math.max(0, (this.options.now().getTime() - this.#deliveredAt) / 1_000);
  }

  /** Delivers the spool. Never rejects. While a delivery runs, another call waits for it and does nothing. */
  run(): Promise<void> {
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
    return this.#running;
  }

  /** Ends a running delivery after its transaction, and delivers the last batches of a process. Never rejects. */
  async stop(process: string): Promise<void> {
    this.#isStopping = true;
    await this.#running;
    await this.#reportingFailure(async () => {
      const names = await this.options.spool.names();
      await this.#deliver(names.filter((name) => name.startsWith(process)).slice(-MAX_BATCHES));
    });
  }

  #run(): Promise<void> {
    return this.#reportingFailure(async () => {
      const names = await this.options.spool.names();
      let isComplete = true;
      for (let start = 0; start < names.length; start += MAX_BATCHES) {
        if (this.#isStopping) return;
        const outcome = await this.#deliver(names.slice(start, start + MAX_BATCHES));
        if (outcome === 'unavailable') return;
        if (outcome === 'rejected') isComplete = false;
      }
      if (!isComplete) return;
      this.#deliveredAt = this.options.now().getTime();
      this.options.reportSuccess?.('deliver');
    });
  }

  async #reportingFailure(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.options.reportFailure(error, 'deliver');
    }
  }

  /**
   * A batch that cannot be read, or that the store rejects, stays in the spool and does not delay the others: the store
   * then gets the batches one by one.
   */
  async #deliver(names: readonly string[]): Promise<'delivered' | 'rejected' | 'unavailable'> {
    const { store, spool } = this.options;
    try {
      const batches = (await Promise.all(names.map((name) => spool.read(name)))).filter(isPresent);
      await store.record(batches.flatMap(({ events = [] }) => events));
      await store.recordBatches(batches.filter(({ events }) => !events));
      await Promise.all(names.map((name) => spool.remove(name)));
      return 'delivered';
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return 'unavailable';
      if (names.length > 1) return this.#deliverSingly(names);
      this.options.reportFailure(error, 'deliver');
      return 'rejected';
    }
  }

  async #deliverSingly(names: readonly string[]): Promise<'rejected' | 'unavailable'> {
    for (const name of names) if ((await this.#deliver([name])) === 'unavailable') return 'unavailable';
    return 'rejected';
  }
}

function isPresent(batch: UsageBatch | undefined): batch is UsageBatch {
  return batch !== undefined;
}
