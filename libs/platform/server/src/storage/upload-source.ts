import { Readable } from 'node:stream';

/** Told when a reader has the bytes and we wait for it, and when it comes for more. */
export interface BackpressureObserver {
  paused(): void;
  resumed(): void;
}

/** The bytes of an upload, taken piece by piece: into memory, or handed through as they come. */
export class UploadSource {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer | undefined;
  #isEnded = false;

  constructor(body: Readable) {
    this.#chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** The next bytes, fewer only at the end. */
  async readChunks(bytes: number): Promise<Buffer[]> {
    const chunks = [];
    for await (const chunk of this.#next(bytes)) chunks.push(chunk);
    return chunks;
  }

  /**
   * The next bytes as a stream.
   * @param watch of whoever reads them. @param before what was taken of them already, and counts.
   */
  stream(bytes: number, watch: BackpressureObserver, before: readonly Buffer[] = []): Readable {
    return observedBody(this.#after(before, bytes), watch);
  }

  /** Whether there is nothing more; waits for bytes to be sure. */
  async isAtEnd(): Promise<boolean> {
    if (this.#rest === undefined && !this.#isEnded) await this.#fetch();
    return this.#isEnded;
  }

  async *#after(before: readonly Buffer[], bytes: number): AsyncGenerator<Buffer> {
    yield* before;
    yield* this.#next(before.reduce((left, { length }) => left - length, bytes));
  }

  async *#next(bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0 && !(await this.isAtEnd());) {
      const chunk = this.#rest as Buffer;
      const taken = chunk.subarray(0, left);
      this.#rest = taken.length < chunk.length ? chunk.subarray(left) : undefined;
      left -= taken.length;
      yield taken;
    }
  }

  async #fetch(): Promise<void> {
    const step = await this.#chunks.next();
    if (step.done) this.#isEnded = true;
    else this.#rest = step.value;
  }
}

/** A body whose reader is watched. */
export function observedBody(source: AsyncIterable<Buffer>, watch: BackpressureObserver): Readable {
  const body = Readable.from(watched(source, watch), { objectMode: false });
  // When the source fails, the reader may have left already, and an unheard error would end the process.
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
