/** Does so much at once, and hears of the first failure. */
export class WorkPool {
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(private readonly width: number) {}

  /** Resolves when the work has begun. @throws what earlier work failed with. */
  async start(work: () => Promise<void>): Promise<void> {
    while (this.#running.size >= this.width) await Promise.race(this.#running);
    if (this.#failure) throw this.#failure.error;
    const running: Promise<void> = work()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Resolves when nothing is being done any more. @throws what any of it failed with. */
  async end(): Promise<void> {
    await Promise.all(this.#running);
    if (this.#failure) throw this.#failure.error;
  }
}
