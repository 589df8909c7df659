import { computed, effect, inject, Service, signal } from '@angular/core';
import type { FileEntry } from '@homeport/files/contracts';
import { AuthSession } from '@homeport/identity/web';
import { FilesClient, type StoredFile } from '../client/files-client';
import { type OfflineCache, type CachedFile, CurrentOfflineCache } from './offline-cache';
import { canPin, shouldCacheOnView, type CacheEntry, staleEntries } from './eviction-policy';

/** What became of a file that was to be kept. `closed`: this browser lets the page keep nothing. */
export type CacheOutcome = 'kept' | 'no-room' | 'closed';

/** The files this device keeps for the signed-in person, to be read without a connection. */
@Service()
export class OfflineFiles {
  readonly #client = inject(FilesClient);
  readonly #own = inject(CurrentOfflineCache);
  readonly #session = inject(AuthSession);
  readonly #facts = signal<ReadonlyMap<string, CacheEntry>>(new Map());

  /** What is kept, viewed last first. */
  readonly entries = computed(() => [...this.#facts().values()].sort((one, other) => other.viewedAt - one.viewedAt));

  constructor() {
    effect(() => {
      this.#session.scope();
      void this.refresh();
    });
  }

  isPinned(key: string): boolean {
    return this.#facts().get(key)?.pinned === true;
  }

  /** Keeps a file until it is unpinned. Throws an `HttpProblem` when it cannot be read. */
  async pin(key: string): Promise<CacheOutcome> {
    const copies = this.#own.get();
    // Asked once there is something worth keeping; whatever the answer, the file is kept.
    void navigator.storage?.persist?.().catch(() => false);
    const file = await this.#client.get(key);
    if (!canPin(this.entries(), { key, size: file.content.size })) return 'no-room';
    return this.store(file, { into: copies, pinned: true });
  }

  /** Lets go of a file, unless it is one of those kept because they were viewed lately. */
  async unpin(key: string): Promise<void> {
    const facts = this.#facts().get(key);
    if (facts && !shouldCacheOnView(facts)) await this.#own.get()?.remove([key]);
    else await this.#own.get()?.updateEntry(key, { pinned: false });
    await this.refresh();
  }

  async remove(key: string): Promise<void> {
    await this.#own.get()?.remove([key]);
    await this.refresh();
  }

  /** Lets go of everything, the lists included. */
  async clear(): Promise<void> {
    await this.#own.get()?.clear();
    await this.refresh();
  }

  /** Keeps a file as it was read. */
  async store(
    file: StoredFile,
    { into, pinned }: { into: OfflineCache | undefined; pinned: boolean },
  ): Promise<CacheOutcome> {
    let isKept: boolean | undefined;
    try {
      isKept = await into?.put(await copyOf(file, pinned));
    } catch {
      return 'no-room';
    }
    await this.refresh();
    return isKept ? 'kept' : 'closed';
  }

  /** What was saved takes the place of its copy, when there is one. */
  async replace({ key, etag, modified_at }: FileEntry, content: Blob, contentType: string): Promise<void> {
    const into = this.#own.get();
    if (!this.#facts().has(key)) return;
    const modifiedAt = new Date(modified_at).toUTCString();
    await this.#renew({ key, content, contentType, etag, modifiedAt }, into);
  }

  /** Brings the copies after the files: pinned ones are read again, those of deleted files go. */
  async revalidate(entries: readonly FileEntry[], copies: OfflineCache | undefined): Promise<void> {
    const { changed, gone } = staleEntries((await copies?.entries()) ?? [], entries);
    await copies?.remove(gone);
    for (const key of changed) {
      try {
        await this.#renew(await this.#client.get(key), copies);
      } catch {
        // The old copy stays; the next list tries again.
      }
    }
    if (gone.length > 0) await this.refresh();
  }

  /** Looks again what there is: another tab may have changed it. */
  async refresh(): Promise<void> {
    const copies = this.#own.get();
    const facts = (await copies?.entries()) ?? [];
    if (copies === this.#own.get()) this.#facts.set(new Map(facts.map((each) => [each.key, each])));
  }

  async #renew(file: StoredFile, into: OfflineCache | undefined): Promise<void> {
    try {
      await into?.replace(await copyOf(file, false));
    } catch {
      // No room: the old copy stays.
      return;
    }
    await this.refresh();
  }
}

async function copyOf(
  { key, content, contentType, etag, modifiedAt }: StoredFile,
  pinned: boolean,
): Promise<CachedFile> {
  const now = Date.now();
  const facts = { key, size: content.size, contentType, etag, modifiedAt, pinned, keptAt: now, viewedAt: now };
  return { facts, bytes: await content.arrayBuffer() };
}
