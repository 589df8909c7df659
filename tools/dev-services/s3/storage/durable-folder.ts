import { fsync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { syncFolder } from '../../durable-file.ts';

export const syncFile: (fd: number) => Promise<void> = promisify(fsync);

/**
 * A folder whose renames and removals can be made durable. Calls that arrive during a sync share the next one, so many
 * writers need few syncs.
 */
export class DurableFolder {
  readonly path: string;
  private running: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;

  constructor(path: string) {
    mkdirSync(path, { recursive: true });
    this.path = path;
  }

  join(name: string): string {
    return join(this.path, name);
  }

  /** Resolves when all earlier changes of the folder survive a power failure. */
  flush(): Promise<void> {
    this.next ??= this.flushAfter(this.running);
    return this.next;
  }

  private async flushAfter(previous: Promise<void>): Promise<void> {
    await previous;
    // Later calls are too late for this sync and share the next one.
    this.next = undefined;
    const current = syncFolder(this.path);
    this.running = current.catch(() => undefined);
    await current;
  }
}
