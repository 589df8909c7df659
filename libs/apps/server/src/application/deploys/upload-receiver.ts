import { Readable } from 'node:stream';
import type { MinimumRate } from '@homeport/platform/server';
import { type ArchiveLimits, demandSentSize } from '../../domain/deploys/archive-limits';
import { UploadBrokenOff } from '../../domain/deploys/deploys.errors';
import { untilAborted } from '../until-aborted';
import type { ArchiveFile, ArchiveFormat } from './archive-reader.port';
import type { UploadSpool } from '../blobs/upload-spool';
import type { UploadShare } from './upload-capacity';

/** Slower uploads end at the minimum rate; this bounds those just above it. */
const RECEIVE_LIMIT_MS = 60 * 60 * 1_000;

/** An archive on its way. */
export interface DeployUpload {
  readonly format: ArchiveFormat;
  /** Asks for the bytes; nothing is sent before. */
  readonly openBody: () => Readable;
  /** Bytes, when the client declared them. */
  readonly size: number | undefined;
  /** Whether visitors see it as soon as it is ready. */
  readonly isActivated: boolean;
  /** Raised when the client leaves. */
  readonly leaving: AbortSignal;
}

export interface ReceivingTools {
  readonly limits: ArchiveLimits;
  readonly spool: UploadSpool;
  readonly share: UploadShare;
  readonly rate: MinimumRate;
  readonly signal: AbortSignal;
}

/**
 * Writes the bytes of an upload to the disk.
 * @throws {ArchiveRejected} before the body is asked for, when it is declared to be too large.
 * @throws {UploadBrokenOff} @throws {RequestTooSlow} @throws {DeploysBusy}
 */
export async function receiveUpload(upload: DeployUpload, tools: ReceivingTools): Promise<ArchiveFile> {
  const { limits, spool, share, rate } = tools;
  demandSentSize(upload.size ?? 0, limits);
  let size = 0;
  const failed = new AbortController();
  const onChunk = (chunk: Buffer) => {
    try {
      share.hold(chunk.length);
      demandSentSize((size += chunk.length), limits);
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  };
  const late = AbortSignal.timeout(RECEIVE_LIMIT_MS);
  const signal = AbortSignal.any([tools.signal, upload.leaving, late, rate.signal, failed.signal]);
  const body = upload.openBody();
  try {
    const source = Readable.from(rate.enforce(body as AsyncIterable<Buffer>), { objectMode: false });
    // A stream that waits for a silent sender ends only with the connection.
    const { file } = await untilAborted(spool.keep(source, { onChunk, signal }), signal);
    share.received();
    return { file, format: upload.format, sentBytes: size };
  } catch (error) {
    throw upload.leaving.aborted || late.aborted || isBrokenConnection(error) ? new UploadBrokenOff() : error;
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
