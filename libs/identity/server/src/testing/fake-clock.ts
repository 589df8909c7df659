import type { Clock } from '../application/clock';

interface Wait {
  readonly due: number;
  readonly end: () => void;
}

/** A clock whose waits end at once, after all other pending work, in the order of their due times. */
export class FakeClock implements Clock {
  readonly waits: number[] = [];
  time = Date.parse('2026-10-01T12:00:00Z');
  readonly now = (): number => this.time;
  #waiting: Wait[] = [];

  wait(ms: number): Promise<void> {
    this.waits.push(ms);
    return new Promise((resolve) => {
      this.#waiting.push({ due: this.time + ms, end: resolve });
      setImmediate(() => this.#endNext());
    });
  }

  #endNext(): void {
    const [next, ...others] = this.#waiting.toSorted((one, other) => one.due - other.due);
    this.#waiting = others;
    if (next === undefined) return;
    this.time = Math.max(this.time, next.due);
    next.end();
  }
}
