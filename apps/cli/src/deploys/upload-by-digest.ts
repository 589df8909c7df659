import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Deploy, Homeport, ProgressListener, UploadedDeploy } from '@homeport/api-client';
import { digestOf } from '../files/digests';
import { inParallel } from '../in-parallel';
import type { DeploySource } from './deploy-source';
import type { SiteFile } from './site-files';

/** Files that are sent at the same time. */
const WIDTH = 8;
const FILES_PER_TURN = 100;

export interface SiteUpload {
  readonly appId: string;
  readonly folder: string;
  readonly files: readonly SiteFile[];
  readonly source: DeploySource;
  readonly activate: 'true' | 'false' | 'force';
  /** Called with the sent bytes of the missing files. */
  readonly onProgress: ProgressListener;
  /** Called when the server has all files, before it processes them. */
  readonly onUploaded: () => void;
  readonly signal: AbortSignal;
}

type Manifest = Readonly<Record<string, { readonly digest: string; readonly size: number }>>;
type StartedDeploy = Deploy & { readonly missing: readonly string[] };

/**
 * Sends the digests of all files, then the files that the organization does not have, then finishes the deploy. A
 * repeated upload sends only what has not arrived.
 */
export async function uploadByDigest(homeport: Homeport, upload: SiteUpload): Promise<UploadedDeploy> {
  const manifest = await manifestOf(upload);
  const started = await startDeploy(homeport, upload, manifest);
  await uploadMissing(homeport, upload, manifest, started);
  upload.onUploaded();
  const response = await homeport.send({
    method: 'POST',
    path: `/api/deploys/${started.id}/finish?activate=${upload.activate}`,
    isRepeatable: true,
    signal: upload.signal,
  });
  return (await response.json()) as UploadedDeploy;
}

async function manifestOf({ folder, files, signal }: SiteUpload): Promise<Manifest> {
  const manifest = new Map<string, Manifest[string]>();
  for (const [index, { path, size }] of files.entries()) {
    // Small files are read synchronously. Signals are received in between.
    if (index % FILES_PER_TURN === 0) await setImmediate();
    signal.throwIfAborted();
    const digest = `sha256:${(await digestOf('sha256', join(folder, path))).toString('hex')}`;
    manifest.set(path, { digest, size });
  }
  // An assignment would lose a file with the name `__proto__`.
  return Object.fromEntries(manifest);
}

async function startDeploy(
  homeport: Homeport,
  { appId, source, signal }: SiteUpload,
  files: Manifest,
): Promise<StartedDeploy> {
  const response = await homeport.send({
    method: 'POST',
    path: `/api/apps/${appId}/deploys?${new URLSearchParams({ ...source })}`.replace(/\?$/, ''),
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: gzipSync(JSON.stringify({ files })),
    signal,
  });
  return (await response.json()) as StartedDeploy;
}

async function uploadMissing(
  homeport: Homeport,
  { folder, onProgress, signal }: SiteUpload,
  manifest: Manifest,
  { id, missing }: StartedDeploy,
): Promise<void> {
  const byDigest = new Map(Object.entries(manifest).map(([path, { digest, size }]) => [digest, { path, size }]));
  const wanted = missing.flatMap((digest) => {
    const file = byDigest.get(digest);
    return file ? [{ digest, ...file }] : [];
  });
  const total = wanted.reduce((sum, { size }) => sum + size, 0);
  let sent = 0;
  await inParallel(wanted, WIDTH, async ({ digest, path, size }) => {
    const body = await openAsBlob(join(folder, path));
    const headers = { 'content-type': 'application/octet-stream' };
    await homeport.send({ method: 'PUT', path: `/api/deploys/${id}/blobs/${digest}`, headers, body, signal });
    onProgress((sent += size), total);
  });
}
