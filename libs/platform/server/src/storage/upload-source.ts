import { Readable } from 'node:stream';

/** Observes a reader: `paused` after it received bytes, `resumed` when it requests more. */
export interface BackpressureObserver {
  paused(): void;
  resumed(): void;
}

/** Reads the bytes of an upload in parts, into memory or as a stream. */
export class UploadSource {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer | undefined;
  #isEnded = false;

  constructor(body: Readable) {
    this.#chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** @returns the next bytes; fewer only at the end. */
  async readChunks(bytes: number): Promise<Buffer[]> {
    const chunks = [];
    for await (const chunk of this.#next(bytes)) chunks.push(chunk);
    return chunks;
  }

  /**
   * @param bytes the number of bytes, including `before`.
   * @param watch observes the reader of the stream.
   * @param before chunks that were read already; the stream starts with them.
   * @returns the next bytes as a stream.
   */
  stream(bytes: number, watch: BackpressureObserver, before: readonly Buffer[] = []): Readable {
    return observedBody(this.#after(before, bytes), watch);
  }

  /** Whether the upload has ended. Waits for the next bytes if necessary. */
  async isAtEnd(): Promise<boolean> {
    if (this.#rest === undefined && !this.#isEnded) await this.#fetch();
    return this.#isEnded;
  }

  async *#after(before: readonly Buffer[], bytes: number): AsyncGenerator<Buffer> {
    yield* before;
    yield* this.#next(before.reduce((remaining, { length }) => remaining - length, bytes));
  }

  async *#next(bytes: number): AsyncGenerator<Buffer> {
    for (let remaining = bytes; remaining > 0 && !(await this.isAtEnd());) {
      const chunk = this.#rest as Buffer;
      const taken = chunk.subarray(0, remaining);
      this.#rest = taken.length < chunk.length ? chunk.subarray(remaining) : undefined;
      remaining -= taken.length;
      yield taken;
    }
  }

  async #fetch(): Promise<void> {
    const step = await this.#chunks.next();
    if (step.done) this.#isEnded = true;
    else this.#rest = step.value;
  }
}

/** @returns a stream that reports to `watch` how its reader proceeds. */
export function observedBody(source: AsyncIterable<Buffer>, watch: BackpressureObserver): Readable {
  const body = Readable.from(watched(source, watch), { objectMode: false });
  // An unhandled error would end the process when the source fails after the reader has stopped.
  return body.on('error', () => undefined);
}

async function* watched(source: AsyncIterable<Buffer>, watch: BackpressureObserver): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    watch.paused();
    yield chunk;
    watch.resumed();
  }
  watch.paused();
}
