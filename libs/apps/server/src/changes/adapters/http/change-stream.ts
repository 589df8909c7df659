import { Readable } from 'node:stream';
import type { ChangedItem } from '../../application/change-subscriptions';

/** Proxies and browsers close connections without traffic. */
const KEEP_ALIVE_MS = 15_000;
/** Streams end after this time, so that an expired or withdrawn token stops receiving changes. */
const MAX_AGE_MS = 300_000;
/** A client that reads no events is disconnected at this many waiting bytes. */
const MAX_WAITING_BYTES = 64 * 1024;
/** How long clients wait before they connect again. */
const RETRY_MS = 1_000;

/** Server-sent events about changed apps and domains for one client. */
export class ChangeStream extends Readable {
  readonly #keepAlive = setInterval(() => this.#write(':\n\n'), KEEP_ALIVE_MS).unref();
  readonly #end = setTimeout(() => this.end(), MAX_AGE_MS).unref();

  constructor() {
    super({ highWaterMark: MAX_WAITING_BYTES });
    this.#write(`retry: ${RETRY_MS}\n\n`);
  }

  /** Sends what changed; undefined when all apps and domains may have changed. */
  send(changed: ChangedItem | undefined): void {
    this.#write(`event: ${changed?.kind ?? 'reset'}\ndata: ${JSON.stringify({ id: changed?.id })}\n\n`);
  }

  /** Ends the stream; the client connects again. */
  end(): void {
    if (!this.readableEnded && !this.destroyed) this.push(null);
    this.#clearTimers();
  }

  override _read(): void {
    // Events are pushed when they happen.
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#clearTimers();
    done(error);
  }

  #write(text: string): void {
    if (this.destroyed || this.readableEnded) return;
    if (!this.push(text)) this.destroy();
  }

  #clearTimers(): void {
    clearInterval(this.#keepAlive);
    clearTimeout(this.#end);
  }
}
