import { computed, effect, inject, Service, signal } from '@angular/core';
import type { FileEntry } from '@homeport/files/contracts';
import { AuthSession } from '@homeport/identity/web';
import { FilesClient, type StoredFile } from '../client/files-client';
import { type OfflineCache, type CachedFile, CurrentOfflineCache } from './offline-cache';
import { canPin, NEVER_OPENED, shouldCacheOnView, type CacheEntry, staleEntries } from './eviction-policy';

/** The result of caching a file. `closed`: the browser blocks storage for this site. */
export type CacheOutcome = 'kept' | 'no-room' | 'closed';

/** The files of the signed-in user that are available offline on this device. */
@Service()
export class OfflineFiles {
  readonly #client = inject(FilesClient);
  readonly #currentCache = inject(CurrentOfflineCache);
  readonly #session = inject(AuthSession);
  readonly #entries = signal<ReadonlyMap<string, CacheEntry>>(new Map());

  /** The cached files, most recently viewed first. */
  readonly entries = computed(() => [...this.#entries().values()].sort((one, other) => other.viewedAt - one.viewedAt));

  constructor() {
    effect(() => {
      this.#session.userScope();
      void this.refresh();
    });
  }

  /** Whether a file can be read without a connection. */
  has(key: string): boolean {
    return this.#entries().has(key);
  }

  isPinned(key: string): boolean {
    return this.#entries().get(key)?.pinned === true;
  }

  /** Keeps a file offline until it is unpinned. @throws {HttpProblem} the file cannot be read. */
  async pin(key: string): Promise<CacheOutcome> {
    const cache = this.#currentCache.get();
    // Requests persistent storage only when a file is pinned; the file is cached even if the browser declines.
    void navigator.storage?.persist?.().catch(() => false);
    const file = await this.#client.get(key);
    if (!canPin(this.entries(), { key, size: file.content.size })) return 'no-room';
    return this.store(file, { into: cache, pinned: true, isOpened: true });
  }

  /** Stops keeping a file offline. A file that is cached on view stays as a recently viewed file. */
  async unpin(key: string): Promise<void> {
    const entry = this.#entries().get(key);
    if (entry && !shouldCacheOnView(entry)) await this.#currentCache.get()?.remove([key]);
    else await this.#currentCache.get()?.updateEntry(key, { pinned: false });
    await this.refresh();
  }

  async remove(key: string): Promise<void> {
    await this.#currentCache.get()?.remove([key]);
    await this.refresh();
  }

  /** Removes all cached files and lists. */
  async clear(): Promise<void> {
    await this.#currentCache.get()?.clear();
    await this.refresh();
  }

  /** Caches a file that was read. */
  async store(
    file: StoredFile,
    { into, ...options }: { into: OfflineCache | undefined; pinned: boolean; isOpened: boolean },
  ): Promise<CacheOutcome> {
    let isStored: boolean | undefined;
    try {
      isStored = await into?.put(await toCachedFile(file, options));
    } catch {
      return 'no-room';
    }
    await this.refresh();
    return isStored ? 'kept' : 'closed';
  }

  /** Replaces the cache entry of a file that was saved, if there is one. */
  async replace({ key, etag, modified_at }: FileEntry, content: Blob, contentType: string): Promise<void> {
    const into = this.#currentCache.get();
    if (!this.#entries().has(key)) return;
    const modifiedAt = new Date(modified_at).toUTCString();
    await this.#replaceCached({ key, content, contentType, etag, modifiedAt }, into);
  }

  /** Updates the cache to the current file list: reads changed pinned files again and removes deleted files. */
  async revalidate(entries: readonly FileEntry[], cache: OfflineCache | undefined): Promise<void> {
    const { changed, gone } = staleEntries((await cache?.entries()) ?? [], entries);
    await cache?.remove(gone);
    for (const key of changed) {
      try {
        await this.#replaceCached(await this.#client.get(key), cache);
      } catch {
        // The old entry stays; the next list tries again.
      }
    }
    if (gone.length > 0) await this.refresh();
  }

  /** Reads the cache entries again: another tab may have changed them. */
  async refresh(): Promise<void> {
    const cache = this.#currentCache.get();
    const entries = (await cache?.entries()) ?? [];
    if (cache === this.#currentCache.get()) this.#entries.set(new Map(entries.map((each) => [each.key, each])));
  }

  async #replaceCached(file: StoredFile, into: OfflineCache | undefined): Promise<void> {
    try {
      await into?.replace(await toCachedFile(file, { pinned: false, isOpened: false }));
    } catch {
      // The storage is full: the old entry stays.
      return;
    }
    await this.refresh();
  }
}

async function toCachedFile(
  { key, content, contentType, etag, modifiedAt }: StoredFile,
  { pinned, isOpened }: { readonly pinned: boolean; readonly isOpened: boolean },
): Promise<CachedFile> {
  const now = Date.now();
  const times = { cachedAt: now, viewedAt: isOpened ? now : NEVER_OPENED };
  const entry = { key, size: content.size, contentType, etag, modifiedAt, pinned, ...times };
  return { entry, bytes: await content.arrayBuffer() };
}
