/** CPU time of this process for a chunk of a body, of whichever size. */
const CHUNK_MS = 0.003;
/** Chunks that arrive together without a delay. A packet of 64 KiB with chunks of 1 KiB has as many. */
const FREE_CHUNKS = 64;
/** Part of the time of this process that the small chunks of one server may take. */
const SHARE = 0.2;

/** Delays a server that sends many small chunks: reading them takes time from all other apps. */
export class ChunkPace {
  #freeAt = Number.NEGATIVE_INFINITY;

  /** @param now monotonic clock in milliseconds. */
  constructor(private readonly now: () => number) {}

  /** Milliseconds until the server may send more; 0 when it may send now. */
  get delayMs(): number {
    return Math.max(0, this.#freeAt - this.now());
  }

  /** @param count chunks that arrived together. */
  received(count: number): void {
    if (count > FREE_CHUNKS) this.#freeAt = Math.max(this.now(), this.#freeAt) + (count * CHUNK_MS) / SHARE;
  }
}
