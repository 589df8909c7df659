import type { Actor } from '@homeport/identity/contracts';
import { PathOutsideToken } from '../domain/files.errors';
import { type WorkspaceKey, type WorkspacePrefix, workspacePrefix, workspaceRoot } from '../domain/workspace-key';
import {
  type ListOptions,
  type ListPage,
  type NotModified,
  type ObjectRead,
  type ObjectStore,
  type ReadConditions,
  type StoredObject,
} from './object-store.port';

/** The calls that read a workspace. */
export type ReadableObjects = Pick<ObjectStore, 'get' | 'head' | 'list'>;

/** The part of a workspace below one folder, for a token that is confined to it. Everything else seems not to exist. */
class ConfinedObjectStore implements ReadableObjects {
  readonly #folder: WorkspacePrefix;

  constructor(
    private readonly objects: ReadableObjects,
    folder: WorkspacePrefix,
  ) {
    this.#folder = folder;
  }

  async get(
    key: WorkspaceKey,
    conditions: ReadConditions,
    signal: AbortSignal,
  ): Promise<ObjectRead | NotModified | undefined> {
    return this.#contains(key) ? this.objects.get(key, conditions, signal) : undefined;
  }

  async head(key: WorkspaceKey): Promise<StoredObject | undefined> {
    return this.#contains(key) ? this.objects.head(key) : undefined;
  }

  /** Lists what the prefix and the folder have in common. */
  async list(prefix: WorkspacePrefix, options: ListOptions): Promise<ListPage> {
    if (this.#contains(prefix)) return this.objects.list(prefix, options);
    if (!this.#folder.startsWith(prefix)) return { objects: [], directories: [] };
    if (options.delimiter === undefined) return this.objects.list(this.#folder, options);
    // The level has only the directory that leads to the folder.
    const { objects } = await this.objects.list(this.#folder, { limit: 1 });
    const end = this.#folder.indexOf(options.delimiter, prefix.length) + 1;
    return { objects: [], directories: objects.length === 0 ? [] : [this.#folder.slice(0, end)] };
  }

  #contains(key: string): boolean {
    return key.startsWith(this.#folder);
  }
}

/** The objects that an actor may read: for a token that is confined to a folder, those below the folder. */
export function confinedTo(owner: Actor, objects: ReadableObjects): ReadableObjects {
  const folder = folderOf(owner);
  return folder === undefined ? objects : new ConfinedObjectStore(objects, folder);
}

/** Whether an actor may use a key or a whole prefix. */
export function isReachable(owner: Actor, key: WorkspaceKey | WorkspacePrefix): boolean {
  return key.startsWith(folderOf(owner) ?? '');
}

/** @throws {PathOutsideToken} for a key outside of the folder to which the token of the actor is confined. */
export function assertReachable(owner: Actor, key: WorkspaceKey): void {
  if (!isReachable(owner, key)) throw new PathOutsideToken();
}

function folderOf(owner: Actor): WorkspacePrefix | undefined {
  const folder = owner.grant?.prefix;
  return folder === undefined ? undefined : workspacePrefix(workspaceRoot(owner), folder);
}
