import { lstat, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageSpool } from '../../application/usage-spool.port';
import type { UsageBatch } from '../../domain/counted-use';

const BATCH = '.json';
/** A file that is being written. */
const PARTIAL = '.part';
const STALE_MS = 3_600_000;
/** Kubernetes grants them in a mounted volume to the group of the pod. */
const GROUP_RIGHTS = 0o070;
const RIGHTS_OF_OTHERS = 0o007;

export interface FileUsageSpoolOptions {
  /** A folder above that must be private too, because all users can write beside it. */
  readonly privateParent?: string;
  /** The folder of earlier versions. Batches that they left in it are moved when the spool is opened. */
  readonly earlierFolder?: string;
}

/** Keeps each batch in a file. Processes on one machine may share the folder, because a batch counts once. */
export class FileUsageSpool extends UsageSpool {
  constructor(
    private readonly folder: string,
    private readonly options: FileUsageSpoolOptions = {},
  ) {
    super();
  }

  async open(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await this.assertPrivate();
    await this.#removeStaleParts();
    const { earlierFolder } = this.options;
    if (earlierFolder !== undefined && earlierFolder !== this.folder) await this.#moveFrom(earlierFolder);
  }

  /** Creates and changes nothing. @throws {Error} when `open` would reject one of the folders that exist. */
  async assertPrivate(): Promise<void> {
    const { privateParent, earlierFolder } = this.options;
    const forbidden = privateParent === undefined ? RIGHTS_OF_OTHERS : RIGHTS_OF_OTHERS | GROUP_RIGHTS;
    for (const each of [privateParent, this.folder, earlierFolder]) {
      if (each !== undefined) await assertOwned(each, forbidden);
    }
  }

  /** A process of an earlier version may still use the folder, and another process may move the same batches. */
  async #moveFrom(folder: string): Promise<void> {
    for (const file of await readdir(folder).catch(whenMissing([]))) {
      if (!file.endsWith(BATCH)) continue;
      await rename(join(folder, file), join(this.folder, file)).catch(whenMissing(undefined));
    }
  }

  /** A process that was killed while it wrote leaves a file. Other processes finish theirs within milliseconds. */
  async #removeStaleParts(): Promise<void> {
    for (const name of await readdir(this.folder)) {
      if (!name.endsWith(PARTIAL)) continue;
      const path = join(this.folder, name);
      const { mtimeMs } = (await lstat(path).catch(whenMissing(undefined))) ?? {};
      if (mtimeMs !== undefined && mtimeMs < Date.now() - STALE_MS) await rm(path, { force: true });
    }
  }

  async add({ name, uses }: UsageBatch): Promise<void> {
    const partial = join(this.folder, name + PARTIAL);
    // Opened first, because the batch must not be in the spool when opening fails.
    const folder = await open(this.folder);
    try {
      await writeAndSync(partial, JSON.stringify(uses.map((use) => ({ ...use, quantity: String(use.quantity) }))));
      await rename(partial, join(this.folder, name + BATCH));
      // From here the spool has the batch, and the caller would count its uses again after an error. A folder that is
      // not synced only means that a power cut can lose the batch.
      await folder.sync().catch(() => undefined);
    } catch (error) {
      await rm(partial, { force: true }).catch(() => undefined);
      throw error;
    } finally {
      await folder.close().catch(() => undefined);
    }
  }

  async names(): Promise<readonly string[]> {
    const files = await readdir(this.folder).catch(whenMissing([]));
    return files
      .filter((file) => file.endsWith(BATCH))
      .map((file) => file.slice(0, -BATCH.length))
      .sort();
  }

  async read(name: string): Promise<UsageBatch | undefined> {
    const text = await readFile(join(this.folder, name + BATCH), 'utf8').catch(whenMissing(undefined));
    if (text === undefined) return undefined;
    const stored = JSON.parse(text) as StoredUse[] | StoredEvent[];
    if (areEvents(stored)) {
      const events = stored.map((event) => ({ ...event, quantity: BigInt(event.quantity), at: new Date(event.at) }));
      return { name, uses: [], events };
    }
    const uses = stored.map((use) => ({ ...use, quantity: BigInt(use.quantity), hour: new Date(use.hour) }));
    return { name, uses };
  }

  remove(name: string): Promise<void> {
    return rm(join(this.folder, name + BATCH), { force: true });
  }
}

/**
 * Accepts a folder that does not exist.
 * @param forbidden bits of the mode. @throws {Error} that says how to correct the folder.
 */
async function assertOwned(folder: string, forbidden: number): Promise<void> {
  const found = await lstat(folder).catch(whenMissing(undefined));
  if (found === undefined) return;
  const isOwned = found.isDirectory() && found.uid === process.getuid?.();
  if (isOwned && (found.mode & forbidden) === 0) return;
  throw new Error(
    `The folder for usage ${folder} must be a folder of the user of this program, without rights for others. ` +
      'Remove it, or set USAGE_SPOOL_DIR to another folder.',
  );
}

async function writeAndSync(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

interface StoredUse {
  readonly organization: string;
  readonly item: string;
  readonly hour: string;
  readonly quantity: string;
}

/** An entry of a batch of the previous version. */
interface StoredEvent {
  readonly organization: string;
  readonly source: string;
  readonly id: string;
  readonly item: string;
  readonly at: string;
  readonly quantity: string;
}

function areEvents(stored: readonly StoredUse[] | readonly StoredEvent[]): stored is StoredEvent[] {
  const [first] = stored;
  return first !== undefined && 'id' in first;
}

/** Replaces the error of a missing file or folder by a value. */
function whenMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return value;
    throw error;
  };
}
