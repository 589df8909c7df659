import { Readable } from 'node:stream';
import type { MinimumRate } from '@homeport/platform/server';
import { type ArchiveLimits, assertArchiveSize } from '../../domain/deploys/archive-limits';
import { UploadAborted } from '../../domain/deploys/deploys.errors';
import { untilAborted } from '../until-aborted';
import type { ArchiveFile, ArchiveFormat } from './archive-reader.port';
import type { UploadSpool } from '../blobs/upload-spool';
import type { UploadReservation } from './upload-capacity';

/** Slower uploads end at the minimum rate; this bounds those just above it. */
const RECEIVE_TIMEOUT_MS = 60 * 60 * 1_000;

/** An archive on its way. */
export interface ArchiveUpload {
  readonly format: ArchiveFormat;
  /** Asks for the bytes; nothing is sent before. */
  readonly openBody: () => Readable;
  /** Bytes, when the client declared them. */
  readonly size: number | undefined;
  /** Whether visitors see it as soon as it is ready. */
  readonly isActivated: boolean;
  /** Raised when the client leaves. */
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
 * @throws {ArchiveRejected} before the body is asked for, when it is declared to be too large.
 * @throws {UploadAborted} @throws {RequestTooSlow} @throws {DeploysUnavailable}
 */
export async function receiveUpload(upload: ArchiveUpload, tools: ReceiveOptions): Promise<ArchiveFile> {
  const { limits, spool, share, rate } = tools;
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
  const late = AbortSignal.timeout(RECEIVE_TIMEOUT_MS);
  const signal = AbortSignal.any([tools.signal, upload.clientSignal, late, rate.signal, failed.signal]);
  const body = upload.openBody();
  try {
    const source = Readable.from(rate.enforce(body as AsyncIterable<Buffer>), { objectMode: false });
    // A stream that waits for a silent sender ends only with the connection.
    const { file } = await untilAborted(spool.write(source, { onChunk, signal }), signal);
    share.received();
    return { file, format: upload.format, archiveBytes: size };
  } catch (error) {
    throw upload.clientSignal.aborted || late.aborted || isBrokenConnection(error) ? new UploadAborted() : error;
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
