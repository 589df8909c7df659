interface Waiter {
  readonly enter: () => void;
  readonly leave: (reason: unknown) => void;
}

/** Lets so many pieces of work go on at a time: those that are in a hurry first, and else in the order they came. */
export class PrioritySemaphore {
  #free: number;
  readonly #highPriority: Waiter[] = [];
  readonly #waiting: Waiter[] = [];

  constructor(permits: number) {
    this.#free = permits;
  }

  /** @throws what the work throws, or what whoever was inside threw when it made everybody leave. */
  async run<T>(work: () => Promise<T>, isHighPriority = false): Promise<T> {
    const line = isHighPriority ? this.#highPriority : this.#waiting;
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((enter, leave) => line.push({ enter, leave }));
    try {
      return await work();
    } finally {
      const next = this.#highPriority.shift() ?? this.#waiting.shift();
      if (next) next.enter();
      else this.#free += 1;
    }
  }

  /** Sends everybody who waits away. */
  rejectWaiting(reason: unknown): void {
    for (const { leave } of [...this.#highPriority.splice(0), ...this.#waiting.splice(0)]) leave(reason);
  }
}
