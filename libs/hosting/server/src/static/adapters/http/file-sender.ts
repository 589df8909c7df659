import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import { matchesETagWeakly } from '@homeport/kernel';
import { type OutageLog } from '@homeport/platform/server/observability';
import type { ByteRange } from '@homeport/platform/server/blobs';
import type { BlobCache } from '../../application/blob-cache';
import { StreamSlots } from '../../application/stream-slots';
import { parseByteRange } from './byte-range';
import { ReaderTooSlow, sendWithMinimumRate } from './minimum-rate-stream';
import type { PreparedFile, Variant } from './prepared-file';

/**
 * Sends head and body; `HEAD` gets the head alone. It is synchronous, because promises are the main cost of most
 * requests.
 */
export function sendBuffered(
  request: IncomingMessage,
  response: ServerResponse,
  answer: { readonly status: number; readonly headers: readonly string[]; readonly body: Buffer | undefined },
): void {
  // Node uses an array of names and values as it is, but copies an object.
  response.writeHead(answer.status, answer.headers as OutgoingHttpHeader[]);
  if (answer.body === undefined || request.method === 'HEAD') response.end();
  else response.end(answer.body);
}

/** Sends a known file in response to a request. */
export class FileSender {
  readonly #slots: StreamSlots;

  constructor(
    private readonly bodies: BlobCache,
    streamOutages?: OutageLog,
  ) {
    this.#slots = new StreamSlots(streamOutages);
  }

  /**
   * @returns undefined when the response is sent synchronously; otherwise a promise that resolves when it is sent.
   * @throws {BlobStorageUnavailable} @throws {BlobStorageTimeout} @throws {BlobStorageFailed} before anything is sent.
   */
  send(file: PreparedFile, request: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
    const { headers, method } = request;
    const range = headers.range === undefined || method === 'HEAD' ? undefined : requestedRange(file, request);
    const variant = range
      ? file.variant('identity')
      : file.variantFor(headers['accept-encoding'] as string | undefined);
    const { status } = file;
    if (
      status === 200 &&
      headers['if-none-match'] !== undefined &&
      matchesEtag(headers['if-none-match'], variant.etag)
    ) {
      sendBuffered(request, response, { status: 304, headers: variant.unchanged, body: undefined });
      return undefined;
    }
    if (range === 'unsatisfiable') {
      sendBuffered(request, response, { status: 416, headers: file.rangeNotSatisfiableHeaders(), body: undefined });
      return undefined;
    }
    const body = method === 'HEAD' ? undefined : this.bodies.get(variant);
    if (range) return this.#sendRange(file, range, { body, response });
    if (!body && method !== 'HEAD' && variant.size > 0) return this.#sendUncached(file, variant, response);
    sendBuffered(request, response, { status, headers: variant.headers, body });
    return undefined;
  }

  async #sendUncached(file: PreparedFile, variant: Variant, response: ServerResponse): Promise<void> {
    const body = await this.bodies.load(file.file, variant);
    if (!body) return this.#stream(file, variant, { response, status: file.status, headers: variant.headers });
    response.writeHead(file.status, variant.headers as OutgoingHttpHeader[]).end(body);
  }

  #sendRange(
    file: PreparedFile,
    range: ByteRange,
    { body, response }: { body: Buffer | undefined; response: ServerResponse },
  ): Promise<void> | undefined {
    const { first, last } = range;
    const headers = file.partialContentHeaders(last - first + 1, `bytes ${first}-${last}/${file.file.size}`);
    if (!body) return this.#stream(file, file.variant('identity'), { response, status: 206, headers, range });
    response.writeHead(206, headers as OutgoingHttpHeader[]).end(body.subarray(first, last + 1));
    return undefined;
  }

  /** After the head is sent, a failing source closes the connection, so that a partial file never looks complete. */
  async #stream(
    file: PreparedFile,
    variant: Variant,
    answer: { response: ServerResponse; status: number; headers: readonly string[]; range?: ByteRange },
  ): Promise<void> {
    const { response, status, headers, range } = answer;
    const slot = this.#slots.acquire(file.appId);
    const disconnected = new AbortController();
    const onClose = () => disconnected.abort();
    let hasFailed = false;
    response.once('close', onClose);
    try {
      const source = await this.bodies.open(file.file, variant, disconnected.signal, range);
      source.once('error', () => (hasFailed = !disconnected.signal.aborted));
      response.writeHead(status, headers as OutgoingHttpHeader[]);
      await sendWithMinimumRate(source, response, slot, disconnected.signal);
    } catch (error) {
      if (error instanceof ReaderTooSlow) response.destroy();
      // A client that disconnects is not a failure. A connection that was closed because the source failed is one.
      else if (hasFailed || (!disconnected.signal.aborted && !response.closed)) throw error;
    } finally {
      response.off('close', onClose);
      slot.release();
    }
  }
}

function matchesEtag(validators: string, etag: string): boolean {
  return validators === etag || matchesETagWeakly(validators, etag);
}

/**
 * Ranges apply to the file itself, never to a compressed variant. A stale `If-Range` gets the whole current version.
 */
function requestedRange(file: PreparedFile, { headers }: IncomingMessage): ReturnType<typeof parseByteRange> {
  const ifRange = headers['if-range'];
  if (file.status !== 200 || (ifRange !== undefined && ifRange !== file.variant('identity').etag)) return undefined;
  return parseByteRange(headers.range ?? '', file.file.size);
}
