import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { transportErrorOf } from './wire-errors';

/** What S3 answers. */
export interface WireAnswer {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  /** A stream must be consumed or destroyed. */
  readonly body: Readable | Buffer;
}

/** So little is held whole: streaming it costs more, and one that breaks off is still a failure with a name. */
const HELD_BYTES = 64 * 1024;
/** A page of the longest keys there can be takes half of it. */
const MOST_HELD_BYTES = 16 * 1024 * 1024;

export interface ExchangeOptions extends Dispatcher.DispatchOptions {
  /** Raised when nobody waits for the answer any more. */
  readonly leaving?: AbortSignal | undefined;
  /** Whether an answer of unknown length is wanted whole. */
  readonly isHeldWhole: boolean;
}

/**
 * One request and its answer, on the lowest level of undici: its `request` makes a stream and watches it, which costs
 * as much as sending. @throws {Error} of undici.
 */
export function exchange(
  agent: Dispatcher,
  { leaving, isHeldWhole, ...options }: ExchangeOptions,
): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    agent.dispatch(options, new AnswerReader({ leaving, isHeldWhole, resolve, reject }));
  });
}

interface Reading extends Pick<ExchangeOptions, 'leaving' | 'isHeldWhole'> {
  readonly resolve: (answer: WireAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** Takes an answer as it comes: into memory, or into a stream with back pressure. */
class AnswerReader implements Dispatcher.DispatchHandler {
  #controller: Dispatcher.DispatchController | undefined;
  #start: Pick<WireAnswer, 'statusCode' | 'headers'> | undefined;
  #held: Buffer[] | undefined;
  #heldBytes = 0;
  #stream: Readable | undefined;

  constructor(private readonly reading: Reading) {}

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const { leaving } = this.reading;
    this.#controller = controller;
    if (leaving?.aborted) this.#leave();
    else leaving?.addEventListener('abort', this.#leave, { once: true });
  }

  onResponseStart(controller: Dispatcher.DispatchController, statusCode: number, headers: IncomingHttpHeaders): void {
    if (statusCode < 200) return;
    this.#start = { statusCode, headers };
    const length = Number(headers['content-length'] ?? Infinity);
    const isObject = (statusCode === 200 || statusCode === 206) && !this.reading.isHeldWhole;
    if (!isObject || length <= HELD_BYTES) {
      this.#held = [];
      return;
    }
    this.#stream = new Readable({
      read: () => controller.resume(),
      destroy: (error, done) => {
        controller.abort(error ?? new Error('nobody reads the object any more'));
        done(error);
      },
    });
    // Until somebody reads it nobody listens, and an unheard error would end the process.
    this.#stream.on('error', () => undefined);
    this.reading.resolve({ ...this.#start, body: this.#stream });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#held) this.#hold(controller, chunk);
    else if (this.#stream?.push(chunk) === false) controller.pause();
  }

  onResponseEnd(): void {
    this.#stopWatching();
    this.#stream?.push(null);
    if (!this.#held || !this.#start) return;
    const body = this.#held.length === 1 ? (this.#held[0] as Buffer) : Buffer.concat(this.#held);
    this.reading.resolve({ ...this.#start, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#stopWatching();
    if (this.#stream) this.#stream.destroy(transportErrorOf(error));
    else this.reading.reject(error);
  }

  #hold(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#held?.push(chunk);
    this.#heldBytes += chunk.length;
    if (this.#heldBytes > MOST_HELD_BYTES) controller.abort(new Error('the answer has no end'));
  }

  #leave = (): void => {
    this.#controller?.abort(new Error('nobody waits for the answer any more'));
  };

  #stopWatching(): void {
    this.reading.leaving?.removeEventListener('abort', this.#leave);
  }
}
