import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { withFileLock } from '../file-lock';
import { damaged, readPrivateJson, writePrivateJson } from '../private-file';

/** A token that a person entered, or the tokens of a browser sign-in. */
export interface Credentials {
  readonly access_token: string;
  /** Epoch milliseconds; undefined when unknown. */
  readonly expires_at?: number;
  readonly refresh_token?: string;
  readonly issuer?: string;
  readonly client_id?: string;
  /** What `whoami` shows. */
  readonly name?: string;
  readonly email?: string;
  readonly organization?: string;
}

interface CredentialsFile {
  readonly current?: string;
  readonly servers: Readonly<Record<string, Credentials>>;
}

/** The credentials of this person, one set for each server, in a file that only its owner can read. */
export class CredentialsStore {
  readonly path: string;

  constructor(configDir: string) {
    this.path = join(configDir, 'credentials.json');
  }

  /** The server of the last sign-in. */
  async currentUrl(): Promise<string | undefined> {
    return (await this.#read()).current;
  }

  async find(url: string): Promise<Credentials | undefined> {
    return (await this.#read()).servers[url];
  }

  /** Stores the credentials of a sign-in, and makes the server the current one. */
  save(url: string, credentials: Credentials): Promise<void> {
    return this.#alone(async ({ servers }) => {
      await writePrivateJson(this.path, { current: url, servers: { ...servers, [url]: credentials } });
    });
  }

  /**
   * Replaces the credentials of a server. Other commands wait, so that a refresh token, which works once, is not used by
   * two of them.
   * @param change returns the argument to change nothing.
   */
  update(url: string, change: (stored: Credentials) => Promise<Credentials>): Promise<Credentials | undefined> {
    return this.#alone(async ({ current, servers }) => {
      const stored = servers[url];
      const changed = stored && (await change(stored));
      if (changed && changed !== stored)
        await writePrivateJson(this.path, { current, servers: { ...servers, [url]: changed } });
      return changed;
    });
  }

  /** @returns the removed credentials. */
  remove(url: string): Promise<Credentials | undefined> {
    return this.#alone(async ({ current, servers }) => {
      const { [url]: removed, ...rest } = servers;
      const next = current === url ? Object.keys(rest)[0] : current;
      if (removed) await writePrivateJson(this.path, { current: next, servers: rest });
      return removed;
    });
  }

  async #alone<T>(work: (file: CredentialsFile) => Promise<T>): Promise<T> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    return withFileLock(`${this.path}.lock`, async () => work(await this.#read()));
  }

  async #read(): Promise<CredentialsFile> {
    const value = await readPrivateJson(this.path);
    if (value === undefined) return { servers: {} };
    const { servers } = (value ?? {}) as Partial<CredentialsFile>;
    if (typeof servers !== 'object' || servers === null) throw damaged(this.path);
    return value as CredentialsFile;
  }
}
