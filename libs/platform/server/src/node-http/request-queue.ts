/** Requests that start in a turn of the event loop. With the work on earlier ones, a turn takes about 10 ms then. */
const STARTS_PER_TURN = 8;

/**
 * Starts requests in their order, few in each turn of the event loop, so that turns stay short. A burst of requests waits
 * here then, and not in one long turn, which would delay everything else: the work on earlier requests, and refusals.
 */
export class RequestQueue {
  readonly #waiting: (() => void)[] = [];

  /** @param atEndOfTurn runs a function at the end of this turn of the event loop. */
  constructor(private readonly atEndOfTurn: (run: () => void) => void = setImmediate) {}

  /** @param start runs at the end of this turn or of a later one. Must not throw. */
  add(start: () => void): void {
    if (this.#waiting.push(start) === 1) this.atEndOfTurn(this.#startSome);
  }

  readonly #startSome = (): void => {
    const starts = this.#waiting.splice(0, STARTS_PER_TURN);
    if (this.#waiting.length > 0) this.atEndOfTurn(this.#startSome);
    for (const start of starts) start();
  };
}
