import { finished } from 'node:stream/promises';
import type { FastifyReply } from 'fastify';
import {
  DatabaseUnavailable,
  EncodedJson,
  type ReleasePermit,
  Semaphore,
  type SemaphoreOptions,
} from '@homeport/kernel';
import { JSON_TYPE } from './conditional-responses';
import { abortSignalFor } from './abort-signal-for';

export interface LargeResponsesOptions {
  /** Slots for responses that stay in memory until their clients have read them. */
  readonly bufferSlots: SemaphoreOptions;
  /** Slots for responses that are being queried and encoded. Encoding blocks the event loop. */
  readonly encodeSlots: SemaphoreOptions;
  /**
   * After a response above 64 KiB, its slot for encoding stays occupied until this many bytes per second are reached.
   * An owner who requests large responses in a loop therefore leaves time on the event loop to the others.
   */
  readonly encodedBytesPerSecond: number;
  /** Milliseconds a client may take for a response of any size. */
  readonly graceMs: number;
  /** The average rate in bytes per second at which a client must read after that. */
  readonly bytesPerSecond: number;
}

const UNPACED_BYTES = 64 * 1024;

/** Longer than the query timeout: in a database outage, waiting callers get the database error, not a capacity error. */
const WAIT_LIMIT_MS = 3_000;
const DEFAULTS: LargeResponsesOptions = {
  bufferSlots: { permits: 128, permitsPerOwner: 8, queuePerOwner: 256, waitLimitMs: WAIT_LIMIT_MS },
  encodeSlots: { permits: 8, permitsPerOwner: 2, queuePerOwner: 256, waitLimitMs: WAIT_LIMIT_MS },
  encodedBytesPerSecond: 1024 * 1024,
  graceMs: 10_000,
  bytesPerSecond: 64 * 1024,
};

/**
 * Sends large JSON responses (around 1 MB). A response holds a permit from its creation until the client has read it,
 * which bounds the total memory and leaves a share to every organization.
 */
export class LargeResponses {
  readonly #bufferSlots: Semaphore;
  readonly #encodeSlots: Semaphore;
  readonly #options: LargeResponsesOptions;

  constructor(options: Partial<LargeResponsesOptions> = {}) {
    this.#options = { ...DEFAULTS, ...options };
    this.#bufferSlots = new Semaphore(this.#options.bufferSlots);
    this.#encodeSlots = new Semaphore(this.#options.encodeSlots);
  }

  /**
   * Resolves when the client has received the response or disconnected.
   * @param owner the owner whose share the response uses.
   * @param make creates the value to encode as JSON, unless it is an `EncodedJson`.
   * @throws {CapacityUnavailable} when no slot becomes available. Errors of `make` are passed on.
   */
  async send(reply: FastifyReply, owner: string, make: () => Promise<unknown>): Promise<void> {
    const caller = { owner, signal: abortSignalFor(reply) };
    await this.#bufferSlots.run(async () => {
      const body = await this.#encode(await this.#encodeSlots.acquire(caller), make);
      void reply.type(JSON_TYPE).send(body);
      await this.#waitUntilSent(reply, body.length);
    }, caller);
  }

  async #encode(release: ReleasePermit, make: () => Promise<unknown>): Promise<Buffer> {
    try {
      const value = await make();
      const body = Buffer.from(value instanceof EncodedJson ? value.text : JSON.stringify(value));
      this.#releaseLater(release, body.length);
      return body;
    } catch (error) {
      release();
      if (error instanceof DatabaseUnavailable) this.#rejectWaiting(error);
      throw error;
    }
  }

  #releaseLater(release: ReleasePermit, bytes: number): void {
    if (bytes <= UNPACED_BYTES) release();
    else setTimeout(release, (bytes / this.#options.encodedBytesPerSecond) * 1_000).unref();
  }

  /** Rejects all waiting callers at once. Otherwise each one would run into the timeouts of the database. */
  #rejectWaiting(outage: DatabaseUnavailable): void {
    this.#encodeSlots.rejectWaiting(outage);
    this.#bufferSlots.rejectWaiting(outage);
  }

  /** Disconnects a client that reads too slowly, to free the memory of the response. */
  async #waitUntilSent(reply: FastifyReply, bytes: number): Promise<void> {
    const { graceMs, bytesPerSecond } = this.#options;
    const limit = setTimeout(
      () => {
        reply.log.warn({ bytes }, 'connection closed: client reads response too slowly');
        reply.raw.destroy();
      },
      graceMs + (bytes / bytesPerSecond) * 1_000,
    );
    // A client that disconnects early is not an error.
    await finished(reply.raw).catch(() => undefined);
    clearTimeout(limit);
  }
}
