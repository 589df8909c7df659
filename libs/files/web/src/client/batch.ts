import { computed, signal } from '@angular/core';
import { asHttpProblem, type HttpProblem } from '@homeport/platform/web';

/** How often the progress is updated. */
const TICK_MS = 100;

export interface BatchOptions<T> {
  readonly items: readonly T[];
  readonly concurrency: number;
  /** Processes one item; rejects when that fails. */
  readonly run: (item: T, signal: AbortSignal) => Promise<void>;
}

export interface Failure<T> {
  readonly item: T;
  readonly problem: HttpProblem;
}

export interface BatchProgress<T> {
  readonly total: number;
  readonly done: number;
  readonly failures: readonly Failure<T>[];
  readonly state: 'running' | 'ended' | 'cancelled';
}

/** Processes many items with limited concurrency. A failed item does not stop the others and can be retried. */
export class Batch<T> {
  readonly #options: BatchOptions<T>;
  readonly #tick = signal(0);
  #queue: readonly T[] = [];
  #next = 0;
  #done = 0;
  #discarded = 0;
  #failures: Failure<T>[] = [];
  #state: BatchProgress<T>['state'] = 'ended';
  #abort = new AbortController();
  #ticking = false;
  #running: Promise<void> = Promise.resolve();

  /** The current progress, updated at most every 100 ms while items run. */
  readonly progress = computed<BatchProgress<T>>(() => {
    this.#tick();
    const total = this.#options.items.length - this.#discarded;
    return { total, done: this.#done, failures: [...this.#failures], state: this.#state };
  });

  constructor(options: BatchOptions<T>) {
    this.#options = options;
  }

  /** Processes all items. Never rejects: failures are in `progress`. */
  start(): Promise<void> {
    return this.#run(this.#options.items);
  }

  /** Processes failed items again. A batch that is running or was cancelled is only awaited. */
  retry(which: (failure: Failure<T>) => boolean = () => true): Promise<void> {
    if (this.#state !== 'ended') return this.#running;
    const again = this.#failures.filter(which);
    this.#failures = this.#failures.filter((failure) => !which(failure));
    return this.#run(again.map(({ item }) => item));
  }

  /** Removes failed items from the batch. */
  discardFailures(which: (failure: Failure<T>) => boolean): void {
    const remaining = this.#failures.filter((failure) => !which(failure));
    this.#discarded += this.#failures.length - remaining.length;
    this.#failures = remaining;
    this.#notify();
  }

  /** Starts no further items and aborts the running ones. */
  cancel(): void {
    if (this.#state !== 'running') return;
    this.#state = 'cancelled';
    this.#abort.abort();
    this.#notify();
  }

  /** Schedules an update of `progress`, for changes that the batch cannot see. */
  touch(): void {
    if (this.#ticking) return;
    this.#ticking = true;
    setTimeout(() => {
      this.#ticking = false;
      this.#notify();
    }, TICK_MS);
  }

  #run(items: readonly T[]): Promise<void> {
    this.#running = this.#runAll(items);
    return this.#running;
  }

  async #runAll(items: readonly T[]): Promise<void> {
    this.#queue = items;
    this.#next = 0;
    this.#state = 'running';
    this.#abort = new AbortController();
    this.#notify();
    await Promise.all(
      Array.from({ length: Math.min(this.#options.concurrency, items.length) }, () => this.#runWorker()),
    );
    if (this.#state === 'running') this.#state = 'ended';
    this.#notify();
  }

  async #runWorker(): Promise<void> {
    const { signal } = this.#abort;
    while (this.#next < this.#queue.length && !signal.aborted) {
      const item = this.#queue[this.#next++] as T;
      try {
        await this.#options.run(item, signal);
        this.#done += 1;
      } catch (error) {
        if (!signal.aborted) this.#failures.push({ item, problem: asHttpProblem(error) });
      }
      this.touch();
    }
  }

  #notify(): void {
    this.#tick.update((tick) => tick + 1);
  }
}
