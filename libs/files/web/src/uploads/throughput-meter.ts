/** The time over which the speed is taken: long enough to be calm, short enough to be true. */
const WINDOW_MS = 8_000;
const STEP_MS = 500;

/** How fast bytes go, from what is observed now and then. */
export class ThroughputMeter {
  #seen: { readonly bytes: number; readonly at: number }[] = [];

  /** @param at milliseconds of any clock. */
  observe(bytes: number, at: number): void {
    const last = this.#seen.at(-1);
    if (last && at - last.at < STEP_MS) return;
    this.#seen = [...this.#seen.filter((each) => at - each.at <= WINDOW_MS), { bytes, at }];
  }

  /** Bytes a second; undefined until there is enough to tell. */
  perSecond(): number | undefined {
    const [first] = this.#seen;
    const last = this.#seen.at(-1);
    if (!first || !last || last.at - first.at < 2 * STEP_MS) return undefined;
    return Math.max(0, ((last.bytes - first.bytes) * 1_000) / (last.at - first.at));
  }

  /** What was before does not count any more: there was a pause. */
  reset(): void {
    this.#seen = [];
  }
}

/** Seconds until the rest has gone; undefined while nobody can know. */
export function secondsLeft(bytes: number, perSecond: number | undefined): number | undefined {
  return perSecond ? Math.ceil(bytes / perSecond) : undefined;
}
