import { join } from 'node:path';
import { readPrivateJson, writePrivateJson } from '../private-file';

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

  async save(url: string, credentials: Credentials): Promise<void> {
    const { servers } = await this.#read();
    await writePrivateJson(this.path, { current: url, servers: { ...servers, [url]: credentials } });
  }

  /** @returns the removed credentials. */
  async remove(url: string): Promise<Credentials | undefined> {
    const { current, servers } = await this.#read();
    const { [url]: removed, ...rest } = servers;
    const next = current === url ? Object.keys(rest)[0] : current;
    if (removed) await writePrivateJson(this.path, { current: next, servers: rest });
    return removed;
  }

  async #read(): Promise<CredentialsFile> {
    const value = (await readPrivateJson(this.path)) as Partial<CredentialsFile> | undefined;
    return { servers: {}, ...value };
  }
}
