import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Where unfinished files live, on the same file system as everything else so that a rename finishes them. Nothing here
 * outlives the process: whatever a crash left behind is removed at the next start.
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

  /** Gives an unfinished file its final name; when that fails, the file is removed. */
  promote(path: string, to: string): void {
    try {
      renameSync(path, to);
    } catch (error) {
      this.dispose(path);
      throw error;
    }
  }

  /**
   * Removes a file or folder that nothing refers to any more, without waiting: freeing a large file can take long. When
   * it fails, the next start removes it.
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
