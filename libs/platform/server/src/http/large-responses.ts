import { finished } from 'node:stream/promises';
import type { FastifyReply } from 'fastify';
import { FairSemaphore, type FairSemaphoreOptions, type ReleasePermit } from '../limits/fair-semaphore';
import { DatabaseUnavailable } from '../problems/platform.errors';
import { JSON_TYPE } from './conditional-responses';
import { abortSignalFor } from './abort-signal-for';

export interface LargeResponsesOptions {
  /** Answers that are held in memory until their clients have taken them. */
  readonly bufferSlots: FairSemaphoreOptions;
  /** Of them, those being read from the database and encoded, which keeps everybody else waiting. */
  readonly encodeSlots: FairSemaphoreOptions;
  /** Milliseconds that a client has for any answer. */
  readonly graceMs: number;
  /** Bytes a second that a client has to take on average after that. */
  readonly bytesPerSecond: number;
}

const DEFAULTS: LargeResponsesOptions = {
  bufferSlots: { permits: 128, permitsPerOwner: 8, queuePerOwner: 256, waitLimitMs: 1_000 },
  // Longer than a query may take: when the database fails, callers that wait get that failure and not one of capacity.
  encodeSlots: { permits: 8, permitsPerOwner: 2, queuePerOwner: 256, waitLimitMs: 3_000 },
  graceMs: 10_000,
  bytesPerSecond: 64 * 1024,
};

/**
 * Sends JSON that may be a megabyte. An answer holds a permit from before it is made until the client has taken it, so
 * that the memory of all of them is bounded, and one organization cannot use up what the others need.
 */
export class LargeResponses {
  readonly #held: FairSemaphore;
  readonly #made: FairSemaphore;
  readonly #options: LargeResponsesOptions;

  constructor(options: Partial<LargeResponsesOptions> = {}) {
    this.#options = { ...DEFAULTS, ...options };
    this.#held = new FairSemaphore(this.#options.bufferSlots);
    this.#made = new FairSemaphore(this.#options.encodeSlots);
  }

  /**
   * Resolves when the client has the answer, or its connection is closed.
   * @param owner whose share the answer counts against.
   * @throws {CapacityUnavailable} and what `make` throws, while nothing is sent yet.
   */
  async send(reply: FastifyReply, owner: string, make: () => Promise<unknown>): Promise<void> {
    const left = abortSignalFor(reply);
    const release = await this.#held.acquire(owner, left);
    try {
      const body = await this.#encoded(await this.#made.acquire(owner, left), make);
      void reply.type(JSON_TYPE).send(body);
      await this.#sent(reply, body.length);
    } finally {
      release();
    }
  }

  async #encoded(release: ReleasePermit, make: () => Promise<unknown>): Promise<Buffer> {
    try {
      return Buffer.from(JSON.stringify(await make()));
    } catch (error) {
      if (error instanceof DatabaseUnavailable) this.#rejectWaiting(error);
      throw error;
    } finally {
      release();
    }
  }

  /** An outage ends every wait at once: otherwise each caller would run into the time limits of the database in turn. */
  #rejectWaiting(outage: DatabaseUnavailable): void {
    this.#made.rejectWaiting(outage);
    this.#held.rejectWaiting(outage);
  }

  /** Cuts off a client that takes the answer too slowly: its memory is needed for others. */
  async #sent(reply: FastifyReply, bytes: number): Promise<void> {
    const { graceMs, bytesPerSecond } = this.#options;
    const limit = setTimeout(
      () => {
        reply.log.warn({ bytes }, 'a client took its answer too slowly and was cut off');
        reply.raw.destroy();
      },
      graceMs + (bytes / bytesPerSecond) * 1_000,
    );
    // A client that leaves early is no failure.
    await finished(reply.raw).catch(() => undefined);
    clearTimeout(limit);
  }
}
