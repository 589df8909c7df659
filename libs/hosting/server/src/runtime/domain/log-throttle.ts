export interface LogThrottleOptions {
  readonly bytesPerSecond: number;
  readonly lineBytes: number;
  readonly now: () => number;
}

/** Shorter lines cost as much: PostgreSQL stores a row for each. */
const SHORTEST_LINE_BYTES = 32;

/** Limits the log of one instance. Lines beyond the limit are dropped and counted. */
export class LogThrottle {
  #tokens: number;
  #filledAt: number;
  #dropped = 0;

  constructor(private readonly options: LogThrottleOptions) {
    this.#tokens = options.bytesPerSecond;
    this.#filledAt = options.now();
  }

  /** @returns the line, shortened to its limit; undefined when it is dropped. */
  admit(line: string): string | undefined {
    const { bytesPerSecond, lineBytes, now } = this.options;
    const at = now();
    this.#tokens = Math.min(bytesPerSecond, this.#tokens + ((at - this.#filledAt) / 1_000) * bytesPerSecond);
    this.#filledAt = at;
    const kept = shortened(line, lineBytes);
    const cost = Math.max(Buffer.byteLength(kept) + 1, SHORTEST_LINE_BYTES);
    if (cost > this.#tokens) {
      this.#dropped += 1;
      return undefined;
    }
    this.#tokens -= cost;
    return kept;
  }

  /** @returns the number of lines dropped since the last call. */
  takeDropped(): number {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped;
  }
}

function shortened(line: string, maxBytes: number): string {
  if (line.length * 3 <= maxBytes || Buffer.byteLength(line) <= maxBytes) return line;
  // A cut character becomes U+FFFD, which is removed.
  return Buffer.from(line)
    .subarray(0, maxBytes)
    .toString()
    .replace(/\uFFFD$/, '');
}
