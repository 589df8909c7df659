interface Waiting {
  readonly enter: () => void;
  readonly leave: (reason: unknown) => void;
}

/** Lets so many pieces of work go on at a time: those that are in a hurry first, and else in the order they came. */
export class Turnstile {
  #free: number;
  readonly #hurried: Waiting[] = [];
  readonly #waiting: Waiting[] = [];

  constructor(width: number) {
    this.#free = width;
  }

  /** @throws what the work throws, or what whoever was inside threw when it made everybody leave. */
  async pass<T>(work: () => Promise<T>, isHurried = false): Promise<T> {
    const line = isHurried ? this.#hurried : this.#waiting;
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((enter, leave) => line.push({ enter, leave }));
    try {
      return await work();
    } finally {
      const next = this.#hurried.shift() ?? this.#waiting.shift();
      if (next) next.enter();
      else this.#free += 1;
    }
  }

  /** Sends everybody who waits away. */
  clear(reason: unknown): void {
    for (const { leave } of [...this.#hurried.splice(0), ...this.#waiting.splice(0)]) leave(reason);
  }
}
