/** A timer that can be paused. */
export class Countdown {
  #leftMs: number;
  #startedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #over: () => void;
  readonly #now: () => number;

  constructor(ms: number, onEnd: () => void, now: () => number = Date.now) {
    this.#leftMs = ms;
    this.#over = onEnd;
    this.#now = now;
  }

  run(): void {
    if (this.#timer !== undefined) return;
    this.#startedAt = this.#now();
    this.#timer = setTimeout(this.#over, this.#leftMs);
  }

  pause(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leftMs = Math.max(0, this.#leftMs - (this.#now() - this.#startedAt));
  }
}
