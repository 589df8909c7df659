/** Limits concurrent work, and remembers the first failure. */
export class WorkPool {
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(private readonly concurrency: number) {}

  /** Resolves when the work has started. @throws the first error of earlier work. */
  async start(work: () => Promise<void>): Promise<void> {
    while (this.#running.size >= this.concurrency) await Promise.race(this.#running);
    if (this.#failure) throw this.#failure.error;
    const running: Promise<void> = work()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Resolves when all work has ended. @throws the first error. */
  async end(): Promise<void> {
    await Promise.all(this.#running);
    if (this.#failure) throw this.#failure.error;
  }
}
