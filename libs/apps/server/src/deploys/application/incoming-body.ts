import { Readable } from 'node:stream';
import type { MinimumRate } from '@homeport/kernel/node';
import { UploadAborted } from '../domain/deploys.errors';
import { untilAborted } from './until-aborted';
import type { UploadReservation } from './upload-capacity';

/** The minimum rate ends slower uploads; this limits uploads just above that rate. */
const RECEIVE_TIMEOUT_MS = 60 * 60 * 1_000;

/** The body of a request that is being uploaded. */
export interface IncomingBody {
  /** Requests the body; the client sends no bytes before. */
  readonly openBody: () => Readable;
  /** Bytes, if the client declared the size. */
  readonly size: number | undefined;
  /** Aborted when the client disconnects. */
  readonly clientSignal: AbortSignal;
}

export interface ReceiveBodyOptions {
  readonly share: UploadReservation;
  readonly rate: MinimumRate;
  readonly signal: AbortSignal;
  /** Called with the number of bytes so far; an error that it throws ends the upload. */
  readonly assertSize: (bytes: number) => void;
}

/**
 * Passes the bytes of an upload on while they arrive fast enough and there is capacity for them.
 * @throws {UploadAborted} @throws {RequestTooSlow} @throws {DeploysUnavailable} @throws the errors of `assertSize` and
 * `take`.
 */
export async function receiveBody<T>(
  upload: IncomingBody,
  { share, rate, signal: stop, assertSize }: ReceiveBodyOptions,
  take: (source: Readable, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const failed = new AbortController();
  const timeout = AbortSignal.timeout(RECEIVE_TIMEOUT_MS);
  const signal = AbortSignal.any([stop, upload.clientSignal, timeout, rate.signal, failed.signal]);
  const body = upload.openBody();
  const counted = async function* () {
    let size = 0;
    for await (const chunk of rate.enforce(body as AsyncIterable<Buffer>)) {
      try {
        share.addReceived(chunk.length);
        assertSize((size += chunk.length));
      } catch (error) {
        failed.abort(error);
        throw error;
      }
      yield chunk;
    }
  };
  try {
    const source = Readable.from(counted(), { objectMode: false });
    // A stream that waits for a silent client does not react to the signal; it ends with the connection.
    const result = await untilAborted(take(source, signal), signal);
    share.received();
    return result;
  } catch (error) {
    throw upload.clientSignal.aborted || timeout.aborted || isBrokenConnection(error) ? new UploadAborted() : error;
  } finally {
    rate.stop();
    body.destroy();
  }
}

function isBrokenConnection(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(error.code))
  );
}
