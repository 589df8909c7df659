import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Semaphore } from '@homeport/kernel';
import { MinimumRate, type MinimumRateOptions } from '@homeport/kernel/node';
import { abortSignalFor } from '@homeport/platform/server/http';
import type { FastifyReply } from 'fastify';
import type { Archive } from '../../application/archives';
import { contentDisposition } from '../../domain/content-type';
import { UNTRUSTED_FILE_HEADERS } from './file-responses';

const ZIP_TYPE = 'application/zip';
/** Archives that one instance sends at once. */
const SLOTS = { permits: 16, permitsPerOwner: 3, queuePerOwner: 8, waitLimitMs: 10_000 };
/** The minimum rate of a client, as for large files of deployed apps. */
const READER_MINIMUM_RATE: MinimumRateOptions = { bytes: 256 * 1024, windowMs: 60_000, graceMs: 0 };

/** Streams archives. Each one occupies a slot from its first read of storage until the client has received it. */
export class ArchiveResponses {
  readonly #slots = new Semaphore(SLOTS);

  /**
   * Resolves when the client has received the archive or disconnected. Closes the connection when storage fails after
   * the first byte or the client reads too slowly, so that a part of an archive never looks complete.
   * @throws {CapacityUnavailable} @throws {FileMissing} and errors of storage, before the first byte.
   */
  async send(reply: FastifyReply, archive: Archive): Promise<void> {
    const signal = abortSignalFor(reply);
    await this.#slots.run(() => this.#stream(reply, archive, signal), { owner: archive.owner, signal });
  }

  /** Sends the headers of an archive, for HEAD. */
  async sendHeaders(reply: FastifyReply, archive: Archive): Promise<void> {
    await withHeaders(reply, archive).send(Readable.from([], { objectMode: false }));
  }

  async #stream(reply: FastifyReply, archive: Archive, signal: AbortSignal): Promise<void> {
    const rate = new MinimumRate(READER_MINIMUM_RATE);
    rate.signal.addEventListener('abort', () => {
      reply.log.warn('connection closed: client reads an archive too slowly');
      reply.raw.destroy();
    });
    const chunks = archive.read(signal);
    try {
      const first = await chunks.next();
      const body = Readable.from(measured(first, chunks, rate), { objectMode: false });
      void withHeaders(reply, archive).send(body);
      // A client that disconnects early is not an error.
      await finished(reply.raw).catch(() => undefined);
    } finally {
      rate.stop();
      await chunks.return().catch(() => undefined);
    }
  }
}

function withHeaders(reply: FastifyReply, { name }: Archive): FastifyReply {
  return reply
    .headers({
      ...UNTRUSTED_FILE_HEADERS,
      'cache-control': 'private, no-store',
      'content-disposition': contentDisposition(name, ZIP_TYPE, true),
    })
    .type(ZIP_TYPE);
}

/** Measures the time in which the reader of the chunks does not ask for the next one. */
async function* measured(
  first: IteratorResult<Buffer, void>,
  chunks: AsyncGenerator<Buffer, void, undefined>,
  rate: MinimumRate,
): AsyncGenerator<Buffer, void, undefined> {
  for (let step = first; !step.done; step = await chunks.next()) {
    rate.waiting();
    yield step.value;
    rate.received(step.value.length);
  }
}
