import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import { matchesETagWeakly, type OutageLog } from '@homeport/platform/server';
import type { ByteRange } from '../../application/blobs/blob-store.port';
import type { BlobCache } from '../../application/sites/blob-cache';
import { StreamSlots } from '../../application/sites/stream-slots';
import { parseByteRange } from './byte-range';
import { ReaderTooSlow, sendWithMinimumRate } from './minimum-rate-stream';
import type { PreparedFile, Variant } from './prepared-file';

/** Sends head and body; `HEAD` gets the head alone. Without promises, as that is what most requests cost. */
export function sendBuffered(
  request: IncomingMessage,
  response: ServerResponse,
  answer: { readonly status: number; readonly headers: readonly string[]; readonly body: Buffer | undefined },
): void {
  // Node takes a list of names and values as it is, and copies an object.
  response.writeHead(answer.status, answer.headers as OutgoingHttpHeader[]);
  if (answer.body === undefined || request.method === 'HEAD') response.end();
  else response.end(answer.body);
}

/** Answers requests for a file that is known. */
export class FileSender {
  readonly #places: StreamSlots;

  constructor(
    private readonly bodies: BlobCache,
    streamOutages?: OutageLog,
  ) {
    this.#places = new StreamSlots(streamOutages);
  }

  /**
   * @returns undefined when the answer is on its way; else it is when the promise resolves.
   * @throws {BlobStorageUnavailable} @throws {BlobStorageTimeout} @throws {BlobStorageFailed} while nothing is sent yet.
   */
  send(file: PreparedFile, request: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
    const { headers, method } = request;
    const part = headers.range === undefined || method === 'HEAD' ? undefined : requestedRange(file, request);
    const variant = part ? file.variant('identity') : file.variantFor(headers['accept-encoding'] as string | undefined);
    const { status } = file;
    if (
      status === 200 &&
      headers['if-none-match'] !== undefined &&
      matchesEtag(headers['if-none-match'], variant.etag)
    ) {
      sendBuffered(request, response, { status: 304, headers: variant.unchanged, body: undefined });
      return undefined;
    }
    if (part === 'unsatisfiable') {
      sendBuffered(request, response, { status: 416, headers: file.rangeNotSatisfiableHeaders(), body: undefined });
      return undefined;
    }
    const body = method === 'HEAD' ? undefined : this.bodies.get(variant);
    if (part) return this.#sendPart(file, part, { body, response });
    if (!body && method !== 'HEAD' && variant.size > 0) return this.#sendUncached(file, variant, response);
    sendBuffered(request, response, { status, headers: variant.headers, body });
    return undefined;
  }

  async #sendUncached(file: PreparedFile, variant: Variant, response: ServerResponse): Promise<void> {
    const body = await this.bodies.load(file.file, variant);
    if (!body) return this.#stream(file, variant, { response, status: file.status, headers: variant.headers });
    response.writeHead(file.status, variant.headers as OutgoingHttpHeader[]).end(body);
  }

  #sendPart(
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

  /** Once the head is out, a source that dies cuts the connection, so that half a file never looks whole. */
  async #stream(
    file: PreparedFile,
    variant: Variant,
    answer: { response: ServerResponse; status: number; headers: readonly string[]; range?: ByteRange },
  ): Promise<void> {
    const { response, status, headers, range } = answer;
    const place = this.#places.acquire(file.appId);
    const left = new AbortController();
    const leave = () => left.abort();
    let hasFailed = false;
    response.once('close', leave);
    try {
      const source = await this.bodies.open(file.file, variant, left.signal, range);
      source.once('error', () => (hasFailed = !left.signal.aborted));
      response.writeHead(status, headers as OutgoingHttpHeader[]);
      await sendWithMinimumRate(source, response, place, left.signal);
    } catch (error) {
      if (error instanceof ReaderTooSlow) response.destroy();
      // A visitor who has left is no failure. One whose connection was cut because the source failed has not left.
      else if (hasFailed || (!left.signal.aborted && !response.closed)) throw error;
    } finally {
      response.off('close', leave);
      place.release();
    }
  }
}

function matchesEtag(validators: string, etag: string): boolean {
  return validators === etag || matchesETagWeakly(validators, etag);
}

/** Parts are of the file itself, never of one of its codings; who has begun with another version gets all of this one. */
function requestedRange(file: PreparedFile, { headers }: IncomingMessage): ReturnType<typeof parseByteRange> {
  const begun = headers['if-range'];
  if (file.status !== 200 || (begun !== undefined && begun !== file.variant('identity').etag)) return undefined;
  return parseByteRange(headers.range ?? '', file.file.size);
}
