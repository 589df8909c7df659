import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { downloadFile, type FileEntry, type Homeport } from '@homeport/api-client';
import { digestOf, md5InTag } from './digests';
import { type LocalFile, type LocalListing, localFiles } from './local-files';
import { filesWithPrefix } from './remote-files';
import { pathBelow } from './remote-path';
import type { SyncedFile, SyncState } from './sync-state';

/** A path on both sides. */
export interface ComparedFile {
  readonly path: string;
  readonly local: (LocalFile & { readonly md5: string; readonly isUnchanged: boolean }) | undefined;
  readonly remote: (FileEntry & { readonly isUnchanged: boolean }) | undefined;
  readonly isEqual: boolean;
}

export interface FolderPairOptions {
  readonly homeport: Homeport;
  readonly folder: string;
  /** Empty, or with a slash at the end. */
  readonly prefix: string;
  readonly state: SyncState;
  readonly signal: AbortSignal;
}

export interface ListedFile {
  readonly path: string;
  readonly local: LocalFile | undefined;
  readonly remote: FileEntry | undefined;
}

export interface ListedPair extends Pick<LocalListing, 'others' | 'unusable'> {
  readonly files: readonly ListedFile[];
}

/** A local folder and a folder of the workspace. */
export class FolderPair {
  readonly homeport: Homeport;
  readonly folder: string;
  readonly prefix: string;
  readonly state: SyncState;
  readonly signal: AbortSignal;

  constructor({ homeport, folder, prefix, state, signal }: FolderPairOptions) {
    this.homeport = homeport;
    this.folder = folder;
    this.prefix = prefix;
    this.state = state;
    this.signal = signal;
  }

  /** Where a file of the workspace lies on this machine. */
  locationOf(path: string): string {
    return join(this.folder, ...path.split('/'));
  }

  /** Lists all files of both sides, sorted by path. @throws {CliError} when the server names a file outside of the folder. */
  async list(): Promise<ListedPair> {
    const { files, others, unusable } = await localFiles(this.folder);
    const local = new Map(files.map((file) => [file.path, file]));
    const remote = new Map<string, FileEntry>();
    for await (const entry of filesWithPrefix(this.homeport, this.prefix, this.signal)) {
      remote.set(pathBelow(this.prefix, entry.key), entry);
    }
    const paths = [...new Set([...local.keys(), ...remote.keys()])].sort();
    return {
      files: paths.map((path) => ({ path, local: local.get(path), remote: remote.get(path) })),
      others,
      unusable,
    };
  }

  /** Compares a file by digest. Local files are read only if size or time differ from the last run. */
  async compare(path: string, local: LocalFile | undefined, remote: FileEntry | undefined): Promise<ComparedFile> {
    const last = this.state.find(path);
    const md5 = local && (await this.#md5Of(local, last));
    const isLocalUnchanged = last !== undefined && md5 === last.md5;
    const isRemoteUnchanged = last !== undefined && remote?.etag === last.etag;
    const isKnownEqual = isLocalUnchanged && isRemoteUnchanged;
    return {
      path,
      local: local && { ...local, md5: md5 ?? '', isUnchanged: isLocalUnchanged },
      remote: remote && { ...remote, isUnchanged: isRemoteUnchanged },
      isEqual:
        isKnownEqual || (local?.size === remote?.size && md5 !== undefined && md5 === (await this.#remoteMd5(remote))),
    };
  }

  async #md5Of(local: LocalFile, last: SyncedFile | undefined): Promise<string> {
    if (last?.size === local.size && last.mtimeMs === local.mtimeMs) return last.md5;
    return (await digestOf('md5', local.location)).toString('hex');
  }

  /** The entity tag of most files is their MD5; that of a file stored in parts is not, so its bytes are read. */
  async #remoteMd5(remote: FileEntry | undefined): Promise<string | undefined> {
    if (!remote) return undefined;
    const digest = md5InTag(remote.etag);
    if (digest !== undefined) return digest;
    const { body } = await downloadFile(this.homeport, remote.key, { ifMatch: remote.etag, signal: this.signal });
    const hash = createHash('md5');
    for await (const chunk of Readable.fromWeb(body as ReadableStream)) hash.update(chunk);
    return hash.digest('hex');
  }
}
