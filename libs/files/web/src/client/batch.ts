import { computed, signal } from '@angular/core';
import { asHttpProblem, type HttpProblem } from '@homeport/platform/web';

/** How often a person sees the numbers change. */
const TICK_MS = 100;

export interface BatchOptions<T> {
  readonly items: readonly T[];
  readonly concurrency: number;
  /** Does one of them; throws when that fails. */
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

/** Does the same with many things, a few at a time; what fails does not stop the others and can be tried again. */
export class Batch<T> {
  readonly #options: BatchOptions<T>;
  readonly #tick = signal(0);
  #queue: readonly T[] = [];
  #next = 0;
  #done = 0;
  #forgotten = 0;
  #failures: Failure<T>[] = [];
  #state: BatchProgress<T>['state'] = 'ended';
  #abort = new AbortController();
  #ticking = false;
  #running: Promise<void> = Promise.resolve();

  /** Follows what happens, a few times a second. */
  readonly progress = computed<BatchProgress<T>>(() => {
    this.#tick();
    const total = this.#options.items.length - this.#forgotten;
    return { total, done: this.#done, failures: [...this.#failures], state: this.#state };
  });

  constructor(options: BatchOptions<T>) {
    this.#options = options;
  }

  /** Does them all. Never rejects: what failed is in `standing`. */
  start(): Promise<void> {
    return this.#run(this.#options.items);
  }

  /** Does those again that failed, or some of them. One that has not ended, or was cancelled, is only waited for. */
  retry(which: (failure: Failure<T>) => boolean = () => true): Promise<void> {
    if (this.#state !== 'ended') return this.#running;
    const again = this.#failures.filter(which);
    this.#failures = this.#failures.filter((failure) => !which(failure));
    return this.#run(again.map(({ item }) => item));
  }

  /** Takes those that failed as not wanted any more. */
  discardFailures(which: (failure: Failure<T>) => boolean): void {
    const left = this.#failures.filter((failure) => !which(failure));
    this.#forgotten += this.#failures.length - left.length;
    this.#failures = left;
    this.#show();
  }

  /** Starts no more of them, and tells those that run. */
  cancel(): void {
    if (this.#state !== 'running') return;
    this.#state = 'cancelled';
    this.#abort.abort();
    this.#show();
  }

  /** Tells that something else of the work has changed. */
  touch(): void {
    if (this.#ticking) return;
    this.#ticking = true;
    setTimeout(() => {
      this.#ticking = false;
      this.#show();
    }, TICK_MS);
  }

  #run(items: readonly T[]): Promise<void> {
    this.#running = this.#workThrough(items);
    return this.#running;
  }

  async #workThrough(items: readonly T[]): Promise<void> {
    this.#queue = items;
    this.#next = 0;
    this.#state = 'running';
    this.#abort = new AbortController();
    this.#show();
    await Promise.all(Array.from({ length: Math.min(this.#options.concurrency, items.length) }, () => this.#work()));
    if (this.#state === 'running') this.#state = 'ended';
    this.#show();
  }

  async #work(): Promise<void> {
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

  #show(): void {
    this.#tick.update((tick) => tick + 1);
  }
}
