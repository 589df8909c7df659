import { Semaphore } from './semaphore';

/** Runs work with limited concurrency, and remembers the first failure. */
export class WorkPool {
  readonly #slots: Semaphore;
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(concurrency: number) {
    this.#slots = new Semaphore({ permits: concurrency });
  }

  /** Resolves when the work has started. @throws the first error of earlier work; then nothing is started. */
  async start(work: () => Promise<void>): Promise<void> {
    const release = await this.#slots.acquire();
    if (this.#failure) {
      release();
      throw this.#failure.error;
    }
    const running: Promise<void> = work()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#running.delete(running);
        release();
      });
    this.#running.add(running);
  }

  /** Resolves when all work has ended. @throws the first error. */
  async end(): Promise<void> {
    await Promise.all(this.#running);
    if (this.#failure) throw this.#failure.error;
  }
}
