import type { DeploySource } from '@homeport/apps/contracts';
import type { MinimumRate } from '@homeport/kernel/node';
import type { ActivationPolicy } from '../domain/activation';
import { type ArchiveLimits, assertArchiveSize } from '../domain/archive-limits';
import type { ArchiveFile, ArchiveFormat } from './archive-reader.port';
import { type IncomingBody, receiveBody } from './incoming-body';
import type { UploadSpool } from '../../blobs/application/upload-spool';
import type { UploadReservation } from './upload-capacity';

/** An incoming archive. */
export interface ArchiveUpload extends IncomingBody {
  readonly format: ArchiveFormat;
  /** When the deploy is activated. */
  readonly activation: ActivationPolicy;
  /** Undefined when the uploader stated nothing. */
  readonly source: DeploySource | undefined;
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
export async function receiveUpload(
  upload: ArchiveUpload,
  { limits, spool, ...options }: ReceiveOptions,
): Promise<ArchiveFile> {
  const assertSize = (bytes: number) => assertArchiveSize(bytes, limits);
  assertSize(upload.size ?? 0);
  const { file, size } = await receiveBody(upload, { ...options, assertSize }, (source, signal) =>
    spool.write(source, { signal }),
  );
  return { file, format: upload.format, archiveBytes: size };
}
