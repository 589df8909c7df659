/** The time over which the throughput is averaged: long enough to be stable, short enough to be current. */
const WINDOW_MS = 8_000;
const STEP_MS = 500;

/** Measures throughput from samples of the total bytes sent. */
export class ThroughputMeter {
  #samples: { readonly bytes: number; readonly at: number }[] = [];

  /** @param bytes the total so far. @param at milliseconds of a monotonic clock. */
  observe(bytes: number, at: number): void {
    const last = this.#samples.at(-1);
    if (last && at - last.at < STEP_MS) return;
    this.#samples = [...this.#samples.filter((each) => at - each.at <= WINDOW_MS), { bytes, at }];
  }

  /** Bytes per second; undefined until there are enough samples. */
  perSecond(): number | undefined {
    const [first] = this.#samples;
    const last = this.#samples.at(-1);
    if (!first || !last || last.at - first.at < 2 * STEP_MS) return undefined;
    return Math.max(0, ((last.bytes - first.bytes) * 1_000) / (last.at - first.at));
  }

  /** Drops all samples after a pause. */
  reset(): void {
    this.#samples = [];
  }
}

/** The estimated seconds for the remaining bytes; undefined while the throughput is unknown. */
export function secondsLeft(bytes: number, perSecond: number | undefined): number | undefined {
  return perSecond ? Math.ceil(bytes / perSecond) : undefined;
}
