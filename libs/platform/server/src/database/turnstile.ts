/** Lets so many pieces of work go on at a time, in the order they came. */
export class Turnstile {
  #free: number;
  readonly #waiting: { readonly enter: () => void; readonly leave: (reason: unknown) => void }[] = [];

  constructor(width: number) {
    this.#free = width;
  }

  /** @throws what the work throws, or what whoever was inside threw when it made everybody leave. */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((enter, leave) => this.#waiting.push({ enter, leave }));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next.enter();
      else this.#free += 1;
    }
  }

  /** Sends everybody who waits away. */
  clear(reason: unknown): void {
    for (const { leave } of this.#waiting.splice(0)) leave(reason);
  }
}
