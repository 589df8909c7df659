import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageSpool } from '../../application/usage-spool.port';
import type { UsageBatch } from '../../domain/counted-use';

const BATCH = '.json';
/** A file that is being written. */
const PARTIAL = '.part';

/** Keeps each batch in a file. Processes on one machine may share the folder, because a batch counts once. */
export class FileUsageSpool extends UsageSpool {
  constructor(private readonly folder: string) {
    super();
  }

  async add({ name, uses }: UsageBatch): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const partial = join(this.folder, name + PARTIAL);
    const file = await open(partial, 'w', 0o600);
    try {
      await file.writeFile(JSON.stringify(uses.map((use) => ({ ...use, quantity: String(use.quantity) }))));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, join(this.folder, name + BATCH));
  }

  async names(): Promise<readonly string[]> {
    const files = await readdir(this.folder).catch(unlessMissing([]));
    return files
      .filter((file) => file.endsWith(BATCH))
      .map((file) => file.slice(0, -BATCH.length))
      .sort();
  }

  async read(name: string): Promise<UsageBatch | undefined> {
    const text = await readFile(join(this.folder, name + BATCH), 'utf8').catch(unlessMissing(undefined));
    if (text === undefined) return undefined;
    const uses = JSON.parse(text) as StoredUse[];
    return {
      name,
      uses: uses.map((use) => ({ ...use, quantity: BigInt(use.quantity), hour: new Date(use.hour) })),
    };
  }

  remove(name: string): Promise<void> {
    return rm(join(this.folder, name + BATCH), { force: true });
  }
}

interface StoredUse {
  readonly organization: string;
  readonly item: string;
  readonly hour: string;
  readonly quantity: string;
}

/** Replaces the error of a missing file or folder by a value. */
function unlessMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return value;
    throw error;
  };
}
