import { createHash } from 'node:crypto';
import { mkdirSync, readlinkSync, rmSync } from 'node:fs';
import { access, mkdtemp, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { UploadSpool } from './upload-spool';

const PREFIX = 'homeport-deploy-';
const FOLDER_NAME = /^homeport-deploy-([0-9a-f]{8})-(\d+)-\w{6}$/;
const HEARTBEAT_MS = 60_000;
/** Five heartbeats. */
const STALE_MS = 5 * HEARTBEAT_MS;
/** Earlier versions created one folder for each upload, and no upload took longer. */
const UNKNOWN_AGE_MS = 24 * 60 * 60 * 1_000;

/** Identifies the PID namespace: containers may share a folder, but not their process ids. */
function pidNamespaceId(): string {
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Only Linux has PID namespaces; elsewhere the host name is enough.
  }
  return createHash('sha256').update(`${hostname()} ${namespace}`).digest('hex').slice(0, 8);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * The folder in which a process spools uploads. Its name identifies the process, and its modification time is a
 * heartbeat, so that other processes remove only the folders of killed processes.
 */
export class SpoolFolder {
  readonly #pidNamespaceId = pidNamespaceId();
  readonly #removeSync = () => this.#folder !== undefined && rmSync(this.#folder, { recursive: true, force: true });
  #folder: string | undefined;
  #opening: Promise<void> | undefined;
  #heartbeatTimer: NodeJS.Timeout | undefined;

  /** @param parent the temporary folder. */
  constructor(private readonly parent: string = tmpdir()) {}

  /** Creates the folder once. @throws {Error} with the name of a folder that cannot be written to. */
  async open(): Promise<void> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    await this.#opening;
  }

  /** Creates a spool for one upload. */
  async createSpool(): Promise<UploadSpool> {
    await this.open();
    return new UploadSpool(await mkdtemp(join(await this.#ensureFolder(), 'upload-')));
  }

  /** Removes the folders of ended processes. @returns the number of removed folders. */
  async removeLeftovers(): Promise<number> {
    await this.open();
    const now = await this.#touch();
    const names = (await readdir(this.parent)).filter((name) => name.startsWith(PREFIX));
    let removed = 0;
    for (const name of names) {
      const folder = join(this.parent, name);
      const found = await stat(folder).catch(() => undefined);
      if (!found || folder === this.#folder || !this.#isLeftover(name, now - found.mtimeMs)) continue;
      await rm(folder, { recursive: true, force: true });
      removed += 1;
    }
    return removed;
  }

  /** Removes the folder and its contents. */
  async close(): Promise<void> {
    this.#opening = undefined;
    clearInterval(this.#heartbeatTimer);
    this.#heartbeatTimer = undefined;
    process.removeListener('exit', this.#removeSync);
    const folder = this.#folder;
    this.#folder = undefined;
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }

  async #open(): Promise<void> {
    try {
      this.#folder = await mkdtemp(join(this.parent, `${PREFIX}${this.#pidNamespaceId}-${process.pid}-`));
    } catch (error) {
      const { code = 'an error' } = error as NodeJS.ErrnoException;
      const advice = 'Uploads are stored there until they are processed: set TMPDIR to a writable folder.';
      throw new Error(`The folder for temporary files, ${this.parent}, cannot be written to (${code}). ${advice}`, {
        cause: error,
      });
    }
    // A new process in a container may get the PID of a killed one, whose folder is then removed once it is stale.
    const onHeartbeat = () => void this.removeLeftovers().catch(() => undefined);
    this.#heartbeatTimer = setInterval(onHeartbeat, HEARTBEAT_MS).unref();
    process.once('exit', this.#removeSync);
  }

  #isLeftover(name: string, ageMs: number): boolean {
    const [, namespaceId, pid] = FOLDER_NAME.exec(name) ?? [];
    if (namespaceId === undefined) return ageMs > UNKNOWN_AGE_MS;
    if (namespaceId === this.#pidNamespaceId && Number(pid) !== process.pid && !isRunning(Number(pid))) return true;
    return ageMs > STALE_MS;
  }

  /**
   * Updates the modification time of the folder.
   * @returns the new time in milliseconds, on the file system's clock: the clocks of hosts that share it may differ.
   */
  async #touch(): Promise<number> {
    const folder = await this.#ensureFolder();
    await rmdir(await mkdtemp(join(folder, 'heartbeat-')));
    return (await stat(folder)).mtimeMs;
  }

  /** Recreates the folder when the system has removed it, which happens to temporary folders even while in use. */
  async #ensureFolder(): Promise<string> {
    const folder = this.#folder as string;
    await access(folder).catch(() => this.#folder === folder && mkdirSync(folder, { mode: 0o700 }));
    return folder;
  }
}
