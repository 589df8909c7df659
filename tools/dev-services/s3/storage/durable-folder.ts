import { fsync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { syncFolder } from '../../durable-file.ts';

export const syncFile: (fd: number) => Promise<void> = promisify(fsync);

/**
 * A folder whose renames and removals can be made durable. Calls that arrive while a sync runs share the next one, so
 * many writers cost few syncs.
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

  /** Resolves when everything that happened in the folder before the call survives a power cut. */
  flush(): Promise<void> {
    this.next ??= this.flushAfter(this.running);
    return this.next;
  }

  private async flushAfter(previous: Promise<void>): Promise<void> {
    await previous;
    // From here on a caller comes too late for this sync and has to get the next.
    this.next = undefined;
    const current = syncFolder(this.path);
    this.running = current.catch(() => undefined);
    await current;
  }
}
