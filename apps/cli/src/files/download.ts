import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { ApiProblem, downloadFile, type Homeport, type ProgressListener } from '@homeport/api-client';
import { CliError } from '../cli.errors';
import { digestOf, md5InTag } from './digests';
import { PART_PREFIX } from './local-files';

/** A file that was written. */
export interface Downloaded {
  readonly md5: string;
  readonly mtimeMs: number;
}

export interface DownloadRequest {
  readonly path: string;
  readonly target: string;
  /** The version to read. */
  readonly etag: string;
  readonly size: number;
  readonly signal: AbortSignal;
  readonly onProgress?: ProgressListener;
  /** Rejects when the target must not be replaced any more. */
  readonly beforeReplace?: () => Promise<void>;
}

/**
 * Downloads one version of a file. The target changes in one step, after the last byte. An interrupted download leaves
 * a part file, which the next download of the same version continues.
 * @throws {CliError} when the bytes differ from those of the server: another command may have written the same part.
 */
export async function download(homeport: Homeport, request: DownloadRequest): Promise<Downloaded> {
  const { path, target, etag, signal, onProgress, beforeReplace } = request;
  await mkdir(dirname(target), { recursive: true });
  const version = createHash('sha256').update(`${path}\0${etag}`).digest('hex').slice(0, 16);
  const part = join(dirname(target), PART_PREFIX + version);
  const from = await sizeOf(part);
  try {
    const options = { ifMatch: etag, signal, ...(from > 0 && { from }), ...(onProgress && { onProgress }) };
    const { body, status } = await downloadFile(homeport, path, options);
    const flags = status === 206 ? 'a' : 'w';
    await pipeline(Readable.fromWeb(body as ReadableStream), createWriteStream(part, { flags, mode: 0o666 }), {
      signal,
    });
  } catch (error) {
    // The part is complete already: there is no byte after it.
    if (!(error instanceof ApiProblem && error.status === 416)) throw error;
  }
  const md5 = await checkedMd5(part, request);
  const { mtimeMs } = await stat(part);
  await beforeReplace?.();
  await rename(part, target);
  return { md5, mtimeMs };
}

async function checkedMd5(part: string, { path, etag, size }: DownloadRequest): Promise<string> {
  const md5 = (await digestOf('md5', part)).toString('hex');
  if ((await sizeOf(part)) === size && md5 === (md5InTag(etag) ?? md5)) return md5;
  await rm(part, { force: true });
  throw new CliError(`The bytes of ${path} are not those of the server.`, 'unavailable', 'Repeat the command.');
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}
