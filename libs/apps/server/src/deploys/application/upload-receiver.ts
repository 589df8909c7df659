import { Readable } from 'node:stream';
import type { DeploySource } from '@homeport/apps/contracts';
import type { MinimumRate } from '@homeport/kernel/node';
import type { ActivationPolicy } from '../domain/activation';
import { type ArchiveLimits, assertArchiveSize } from '../domain/archive-limits';
import { UploadAborted } from '../domain/deploys.errors';
import { untilAborted } from './until-aborted';
import type { ArchiveFile, ArchiveFormat } from './archive-reader.port';
import type { UploadSpool } from '../../blobs/application/upload-spool';
import type { UploadReservation } from './upload-capacity';

/** The minimum rate ends slower uploads; this limits uploads just above that rate. */
const RECEIVE_TIMEOUT_MS = 60 * 60 * 1_000;

/** An incoming archive. */
export interface ArchiveUpload {
  readonly format: ArchiveFormat;
  /** Requests the body; the client sends no bytes before. */
  readonly openBody: () => Readable;
  /** Bytes, if the client declared the size. */
  readonly size: number | undefined;
  /** When the deploy is activated. */
  readonly activation: ActivationPolicy;
  /** Undefined when the uploader stated nothing. */
  readonly source: DeploySource | undefined;
  /** Aborted when the client disconnects. */
  readonly clientSignal: AbortSignal;
}

export interface ReceiveOptions {
  readonly limits: ArchiveLimits;
  readonly spool: UploadSpool;
  readonly share: UploadReservation;
  readonly rate: MinimumRate;
  readonly signal: AbortSignal;
}

/**
 * Writes the bytes of an upload to the disk.
 * @throws {ArchiveRejected} when the archive is too large; before the body is requested if the declared size is.
 * @throws {UploadAborted} @throws {RequestTooSlow} @throws {DeploysUnavailable}
 */
export async function receiveUpload(upload: ArchiveUpload, options: ReceiveOptions): Promise<ArchiveFile> {
  const { limits, spool, share, rate } = options;
  assertArchiveSize(upload.size ?? 0, limits);
  let size = 0;
  const failed = new AbortController();
  const onChunk = (chunk: Buffer) => {
    try {
      share.addReceived(chunk.length);
      assertArchiveSize((size += chunk.length), limits);
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  };
  const timeout = AbortSignal.timeout(RECEIVE_TIMEOUT_MS);
  const signal = AbortSignal.any([options.signal, upload.clientSignal, timeout, rate.signal, failed.signal]);
  const body = upload.openBody();
  try {
    const source = Readable.from(rate.enforce(body as AsyncIterable<Buffer>), { objectMode: false });
    // A stream that waits for a silent client does not react to the signal; it ends with the connection.
    const { file } = await untilAborted(spool.write(source, { onChunk, signal }), signal);
    share.received();
    return { file, format: upload.format, archiveBytes: size };
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
