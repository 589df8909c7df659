import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The folder for unfinished files, on the same file system as the data, so that a rename completes them. Files left by
 * a crash are removed at the next start.
 */
export class Scratch {
  private readonly folder: string;
  private readonly removals = new Set<Promise<void>>();

  constructor(folder: string) {
    this.folder = folder;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }

  newPath(): string {
    return join(this.folder, randomUUID());
  }

  /** Renames an unfinished file to its final name; removes the file when that fails. */
  promote(path: string, to: string): void {
    try {
      renameSync(path, to);
    } catch (error) {
      this.dispose(path);
      throw error;
    }
  }

  /**
   * Removes an unreferenced file or folder in the background, because freeing a large file can take long. After a
   * failure, the next start removes it.
   */
  dispose(path: string): void {
    const removal: Promise<void> = rm(path, { recursive: true, force: true })
      .catch(() => undefined)
      .finally(() => this.removals.delete(removal));
    this.removals.add(removal);
  }

  async close(): Promise<void> {
    await Promise.all(this.removals);
  }
}
