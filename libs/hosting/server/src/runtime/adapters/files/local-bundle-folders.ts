import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, link, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { WorkPool } from '@homeport/kernel';
import { BlobStorageFailed, type BlobStore, verifiedStream } from '@homeport/platform/server/blobs';
import { BundleFolders } from '../../application/instance-launcher';
import type { BundleFile, RuntimeDirectory } from '../../application/runtime-directory.port';
import { RevisionNotFound } from '../../application/runtime.errors';

const PARALLEL_DOWNLOADS = 8;
/** Apps run as other users: they may read the files and not change them. */
const FILE_MODE = 0o444;
const FOLDER_MODE = 0o755;

export interface LocalBundleFoldersOptions {
  /** Folder for bundles, on one file system. */
  readonly folder: string;
  readonly directory: Pick<RuntimeDirectory, 'listFiles' | 'findRunnable'>;
  readonly blobs: Pick<BlobStore, 'open'>;
}

/**
 * Downloads the files of deploys into folders. Deploys of an organization share equal files by hard links. A folder
 * appears under its name when it is complete.
 */
export class LocalBundleFolders extends BundleFolders {
  readonly #running = new Map<string, Promise<string>>();
  readonly #bundles: string;
  readonly #files: string;
  readonly #incomplete: string;

  constructor(private readonly options: LocalBundleFoldersOptions) {
    super();
    this.#bundles = join(options.folder, 'bundles');
    this.#files = join(options.folder, 'files');
    this.#incomplete = join(options.folder, 'incomplete');
  }

  /** Removes what an earlier process did not complete. */
  async open(): Promise<void> {
    await rm(this.#incomplete, { recursive: true, force: true });
    for (const folder of [this.#bundles, this.#files, this.#incomplete])
      await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  }

  override prepare(deployId: string): Promise<string> {
    const running = this.#running.get(deployId);
    if (running) return running;
    const preparing = this.#prepare(deployId).finally(() => this.#running.delete(deployId));
    this.#running.set(deployId, preparing);
    return preparing;
  }

  /**
   * Removes the folders of deploys that may not run any more, and files that no deploy shares.
   * @param isRunning tells whether instances of a deploy use its folder.
   */
  async removeUnused(isRunning: (deployId: string) => boolean): Promise<void> {
    const stored = await readdir(this.#bundles);
    const runnable = await this.options.directory.findRunnable(stored);
    for (const deployId of stored)
      if (!runnable.has(deployId) && !isRunning(deployId) && !this.#running.has(deployId))
        await rm(join(this.#bundles, deployId), { recursive: true, force: true });
    if (this.#running.size > 0) return;
    for (const name of await readdir(this.#files)) {
      const path = join(this.#files, name);
      // A download that begins now creates the file again.
      if ((await stat(path)).nlink === 1) await rm(path, { force: true });
    }
  }

  async #prepare(deployId: string): Promise<string> {
    const folder = join(this.#bundles, deployId);
    if (await exists(folder)) return folder;
    const files = await this.options.directory.listFiles(deployId);
    if (files.length === 0) throw new RevisionNotFound(deployId);
    const incomplete = join(this.#incomplete, randomUUID());
    try {
      const downloads = new WorkPool(PARALLEL_DOWNLOADS);
      for (const file of files) await downloads.start(() => this.#place(file, join(incomplete, file.path)));
      await downloads.end();
      await rename(incomplete, folder);
      return folder;
    } finally {
      await rm(incomplete, { recursive: true, force: true });
    }
  }

  async #place(file: BundleFile, path: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
    const shared = join(this.#files, sharedNameOf(file));
    if (await linked(shared, path)) return;
    const download = join(this.#incomplete, randomUUID());
    const signal = new AbortController().signal;
    const stream = await this.options.blobs.open(file.blob, 'identity', { signal });
    if (!stream) throw new BlobStorageFailed({ cause: new Error(`There are no bytes of ${file.blob}.`) });
    try {
      await pipeline(
        verifiedStream({ stream, size: file.size }, file.digest),
        createWriteStream(download, { mode: FILE_MODE, flush: false }),
      );
      await link(download, path);
      // Another download of the same content replaces the file by an equal one.
      await rename(download, shared);
    } finally {
      await rm(download, { force: true });
    }
  }
}

/** Organizations share nothing: apps see the number of links and the age of their files. */
function sharedNameOf({ blob }: BundleFile): string {
  const [, organization, digest] = blob.split('/');
  return `${organization}-${digest}`;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** @returns false when there is no such file. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    // EMLINK: the file has too many names already.
    if (['ENOENT', 'EMLINK'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}
