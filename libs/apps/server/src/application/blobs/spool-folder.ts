import { createHash } from 'node:crypto';
import { mkdirSync, readlinkSync, rmSync } from 'node:fs';
import { access, mkdtemp, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { UploadSpool } from './upload-spool';

const PREFIX = 'homeport-deploy-';
const OWN_NAME = /^homeport-deploy-([0-9a-f]{8})-(\d+)-\w{6}$/;
const HEARTBEAT_MS = 60_000;
/** Five heartbeats. */
const STALE_MS = 5 * HEARTBEAT_MS;
/** Earlier versions made one folder for each upload, and none took longer. */
const UNKNOWN_AGE_MS = 24 * 60 * 60 * 1_000;

/** Where the numbers of processes mean the same: containers may share a folder and not their processes. */
function processSpace(): string {
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Only Linux has it, and elsewhere a host is all there is.
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
 * The folder in which a process puts uploads aside. Its name says whose it is and its time that the process lives, so
 * that others sweep what a killed process left and nothing else.
 */
export class SpoolFolder {
  readonly #space = processSpace();
  readonly #removeNow = () => this.#folder !== undefined && rmSync(this.#folder, { recursive: true, force: true });
  #folder: string | undefined;
  #opening: Promise<void> | undefined;
  #heartbeat: NodeJS.Timeout | undefined;

  /** @param parent the folder for temporary files. */
  constructor(private readonly parent: string = tmpdir()) {}

  /** Makes the folder, once. @throws {Error} that names the folder when nothing can be written there. */
  async open(): Promise<void> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    await this.#opening;
  }

  /** Makes a place for one upload. */
  async make(): Promise<UploadSpool> {
    await this.open();
    return new UploadSpool(await mkdtemp(join(await this.#existing(), 'upload-')));
  }

  /** Removes what processes left that run no more. @returns how many folders. */
  async removeLeftovers(): Promise<number> {
    await this.open();
    const now = await this.#beat();
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

  /** Removes the folder with all that is in it. */
  async close(): Promise<void> {
    this.#opening = undefined;
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
    process.removeListener('exit', this.#removeNow);
    const folder = this.#folder;
    this.#folder = undefined;
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }

  async #open(): Promise<void> {
    try {
      this.#folder = await mkdtemp(join(this.parent, `${PREFIX}${this.#space}-${process.pid}-`));
    } catch (error) {
      const { code = 'an error' } = error as NodeJS.ErrnoException;
      const advice = 'Uploads are stored there until they are processed: set TMPDIR to a writable folder.';
      throw new Error(`The folder for temporary files, ${this.parent}, cannot be written to (${code}). ${advice}`, {
        cause: error,
      });
    }
    // A process that follows a killed one in its container may have its number: its folder is removed once it is stale.
    const onHeartbeat = () => void this.removeLeftovers().catch(() => undefined);
    this.#heartbeat = setInterval(onHeartbeat, HEARTBEAT_MS).unref();
    process.once('exit', this.#removeNow);
  }

  #isLeftover(name: string, ageMs: number): boolean {
    const [, space, pid] = OWN_NAME.exec(name) ?? [];
    if (space === undefined) return ageMs > UNKNOWN_AGE_MS;
    if (space === this.#space && Number(pid) !== process.pid && !isRunning(Number(pid))) return true;
    return ageMs > STALE_MS;
  }

  /**
   * Updates the modification time of the folder.
   * @returns that time, in milliseconds, of the file system's clock: the clocks of hosts that share it may differ.
   */
  async #beat(): Promise<number> {
    const folder = await this.#existing();
    await rmdir(await mkdtemp(join(folder, 'heartbeat-')));
    return (await stat(folder)).mtimeMs;
  }

  /** Systems clean temporary folders up, also those that are in use. */
  async #existing(): Promise<string> {
    const folder = this.#folder as string;
    await access(folder).catch(() => this.#folder === folder && mkdirSync(folder, { mode: 0o700 }));
    return folder;
  }
}
