import type { ServerResponse } from 'node:http';

/** A read that has waited this long for a dependency no longer counts, so that a slow one does not stop all reads. */
const PATIENCE_MS = 2_000;

interface Read {
  readonly response: ServerResponse;
  readonly start: () => void;
}

/**
 * Limits how many reads are between their start and the head of their response, so that dependencies respond to each of
 * them soon. The others wait, in their order.
 */
export class ReadLimiter {
  readonly #waiting: Read[] = [];
  #active = 0;

  constructor(private readonly limit: number) {}

  /** @param start is called at once or later; not called when the connection closes before. */
  add(response: ServerResponse, start: () => void): void {
    if (this.#active < this.limit) this.#start({ response, start });
    else this.#waiting.push({ response, start });
  }

  #start({ response, start }: Read): void {
    this.#active += 1;
    let isActive = true;
    const end = () => {
      if (!isActive) return;
      isActive = false;
      clearTimeout(timer);
      this.#active -= 1;
      this.#startNext();
    };
    const timer = setTimeout(end, PATIENCE_MS).unref();
    callBeforeHead(response, end);
    response.once('close', end);
    start();
  }

  #startNext(): void {
    let next = this.#waiting.shift();
    while (next?.response.destroyed) next = this.#waiting.shift();
    if (next) this.#start(next);
  }
}

/** Node has no event for this moment; it writes every head, also an implicit one, with this method. */
function callBeforeHead(response: ServerResponse, run: () => void): void {
  const { writeHead } = response;
  response.writeHead = ((...head: Parameters<typeof writeHead>) => {
    run();
    return writeHead.apply(response, head);
  }) as typeof writeHead;
}
