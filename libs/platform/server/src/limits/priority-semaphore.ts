interface Waiter {
  readonly grant: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Limits concurrency. High-priority work runs first; work of equal priority runs in the order of arrival. */
export class PrioritySemaphore {
  #free: number;
  readonly #highPriority: Waiter[] = [];
  readonly #waiting: Waiter[] = [];

  constructor(permits: number) {
    this.#free = permits;
  }

  /** @throws the error of the work, or the reason passed to `rejectWaiting` while it waits. */
  async run<T>(work: () => Promise<T>, isHighPriority = false): Promise<T> {
    const queue = isHighPriority ? this.#highPriority : this.#waiting;
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((grant, reject) => queue.push({ grant, reject }));
    try {
      return await work();
    } finally {
      const next = this.#highPriority.shift() ?? this.#waiting.shift();
      if (next) next.grant();
      else this.#free += 1;
    }
  }

  /** Rejects all waiting work. */
  rejectWaiting(reason: unknown): void {
    for (const { reject } of [...this.#highPriority.splice(0), ...this.#waiting.splice(0)]) reject(reason);
  }
}
