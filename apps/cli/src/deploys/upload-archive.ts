import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Homeport, UploadedDeploy } from '@homeport/api-client';
import { pack, type Pack } from 'tar-stream';
import type { SiteUpload } from './upload-by-digest';

/** Sends a folder as one tar.gz, made while it is sent. */
export async function uploadArchive(homeport: Homeport, upload: SiteUpload): Promise<UploadedDeploy> {
  const { appId, source, activate, onProgress, signal } = upload;
  const response = await homeport.send({
    method: 'POST',
    path: `/api/apps/${appId}/deploys?${new URLSearchParams({ ...source, activate })}`,
    headers: { 'content-type': 'application/gzip' },
    body: { open: () => archiveOf(upload) },
    onProgress,
    signal,
  });
  return (await response.json()) as UploadedDeploy;
}

function archiveOf({ folder, files }: SiteUpload): ReadableStream<Uint8Array> {
  const archive = pack();
  const compressed = archive.pipe(createGzip());
  addFiles(archive, folder, files).catch((error: unknown) => compressed.destroy(error as Error));
  return Readable.toWeb(compressed) as ReadableStream<Uint8Array>;
}

async function addFiles(archive: Pack, folder: string, files: SiteUpload['files']): Promise<void> {
  for (const { path, size } of files) {
    await pipeline(createReadStream(join(folder, path)), archive.entry({ name: path, size }));
  }
  archive.finalize();
}
