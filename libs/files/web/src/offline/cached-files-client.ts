import { inject, Service, signal } from '@angular/core';
import type { FileEntry } from '@homeport/files/contracts';
import { AuthSession } from '@homeport/identity/web';
import { asHttpProblem, HttpProblem } from '@homeport/platform/web';
import { type ByteRange, type FileMetadata, FilesClient, type StoredFile } from '../client/files-client';
import type { ListingPages } from '../client/listing-pages';
import { type OfflineCache, CurrentOfflineCache } from './offline-cache';
import type { CachedListName } from './offline-cache-schema';
import { shouldCacheOnView } from './eviction-policy';
import { OfflineFiles } from './offline-files';

/** A resource that can be cached: a list, or a file by its key. */
export type CachedResource = { readonly list: CachedListName } | { readonly file: string };

/**
 * Why a read was answered from the cache: there is no `connection` or it is not known yet, the server could not check
 * the session (`session`), or the server responded with another error (`server`).
 */
type FallbackReason = 'connection' | 'session' | 'server';

/** The cache entry that answered a read. */
interface CacheFallback {
  readonly cachedAt: number;
  readonly reason: FallbackReason;
  /** Whether the list was longer than its cached part. */
  readonly isTruncated: boolean;
}

interface CacheLookup<T, Cached> {
  readonly find: (cache: OfflineCache) => Promise<Cached | undefined>;
  readonly answer: (cached: Cached) => T;
}

/**
 * The read operations of `FilesClient` with an offline cache. Responses are cached. Reads are answered from the cache
 * when the server is unreachable or responds with 5xx, and while the session is being resolved. Other failures are
 * thrown.
 */
@Service()
export class CachedFilesClient {
  readonly #client = inject(FilesClient);
  readonly #currentCache = inject(CurrentOfflineCache);
  readonly #session = inject(AuthSession);
  readonly #offline = inject(OfflineFiles);
  readonly #fallbacks = signal<ReadonlyMap<string, CacheFallback>>(new Map());

  /** When the cache entry that answered the last read of a resource was stored; undefined when the server answered. */
  cachedAt(resource: CachedResource): Date | undefined {
    const fallback = this.#fallbacks().get(resourceId(resource));
    return fallback && new Date(fallback.cachedAt);
  }

  /** Why the cache answered the last read of a resource; undefined when the server answered. */
  fallbackReason(resource: CachedResource): FallbackReason | undefined {
    return this.#fallbacks().get(resourceId(resource))?.reason;
  }

  /** Whether the cache answered the last read of a list with a part of it. */
  isTruncated(list: CachedListName): boolean {
    return this.#fallbacks().get(resourceId({ list }))?.isTruncated === true;
  }

  /** Lists all files. @param pages the pages of an earlier read, which are requested conditionally. */
  list(signal?: AbortSignal, pages?: ListingPages): Promise<readonly FileEntry[]> {
    return this.#readList('all', () => this.#client.list(signal, pages));
  }

  recent(signal?: AbortSignal): Promise<readonly FileEntry[]> {
    return this.#readList('recent', () => this.#client.recent(signal));
  }

  head(key: string, signal?: AbortSignal): Promise<FileMetadata> {
    return this.#read({ file: key }, () => this.#client.head(key, signal), {
      find: (cache) => cache.find(key),
      answer: ({ size, contentType, etag, modifiedAt }) => ({ key, size, contentType, etag, modifiedAt }),
    });
  }

  /** Reads a file that the user opens. @param range a partial read is not cached. */
  get(key: string, signal?: AbortSignal, range?: ByteRange, received?: (bytes: number) => void): Promise<StoredFile> {
    return this.#readFile(key, true, () => this.#client.get(key, signal, range, received), range);
  }

  /** Reads a file that is shown inside another one: it is cached, and does not count as opened. */
  getEmbedded(key: string, signal?: AbortSignal): Promise<StoredFile> {
    return this.#readFile(key, false, () => this.#client.get(key, signal));
  }

  #readFile(
    key: string,
    isOpened: boolean,
    request: () => Promise<StoredFile>,
    range?: ByteRange,
  ): Promise<StoredFile> {
    const cache = this.#currentCache.get();
    const read = async (): Promise<StoredFile> => {
      const file = await request();
      // Into the cache of the user who started the read: the user may have changed since.
      if (!range && shouldCacheOnView({ contentType: file.contentType, size: file.content.size }))
        void store(file, cache);
      return file;
    };
    const store = async (file: StoredFile, into: OfflineCache | undefined): Promise<void> => {
      await this.#offline.store(file, { into, pinned: false, isOpened });
    };
    return this.#read({ file: key }, read, {
      find: async (from) => {
        const cached = await from.read(key);
        if (cached && isOpened) void from.updateEntry(key, { viewedAt: Date.now() });
        return cached && { ...cached.entry, bytes: cached.bytes };
      },
      answer: ({ bytes, contentType, etag, modifiedAt }) => ({
        key,
        content: sliceOf(new Blob([bytes], { type: contentType }), range),
        contentType,
        etag,
        modifiedAt,
      }),
    });
  }

  #readList(list: CachedListName, read: () => Promise<readonly FileEntry[]>): Promise<readonly FileEntry[]> {
    const cache = this.#currentCache.get();
    const readAndCache = async (): Promise<readonly FileEntry[]> => {
      const entries = await read();
      void this.#cacheList(list, entries, cache);
      return entries;
    };
    return this.#read({ list }, readAndCache, {
      find: (from) => from.readList(list),
      answer: ({ entries }) => entries,
    });
  }

  async #cacheList(
    list: CachedListName,
    entries: readonly FileEntry[],
    cache: OfflineCache | undefined,
  ): Promise<void> {
    try {
      await cache?.putList(list, entries);
    } catch {
      // The storage is full: the list is not available offline.
    }
    if (list === 'all') await this.#offline.revalidate(entries, cache);
  }

  async #read<T, Cached extends { readonly cachedAt: number; readonly isTruncated?: boolean }>(
    resource: CachedResource,
    read: () => Promise<T>,
    lookup: CacheLookup<T, Cached>,
  ): Promise<T> {
    if (this.#session.isResolving()) {
      const early = await this.#find(lookup);
      // If the session was resolved in the meantime, the request is sent instead.
      if (early && this.#session.isResolving())
        return this.#answer(resource, lookup.answer(early), fallbackOf(early, 'connection'));
    }
    try {
      return this.#answer(resource, await read());
    } catch (error) {
      const problem = asHttpProblem(error);
      const { isConnectionFailure } = problem;
      // The server rejected the read: the page no longer shows an earlier cache entry.
      if (problem.status >= 400 && problem.status < 500) this.#setFallback(resource, undefined);
      // A 5xx response does not concern the file, so it is handled like an unreachable server.
      if (!isConnectionFailure && problem.status < 500) throw error;
      const reason = isConnectionFailure ? 'connection' : this.#session.state() === 'signed-in' ? 'server' : 'session';
      const cached = await this.#find(lookup);
      if (cached) return this.#answer(resource, lookup.answer(cached), fallbackOf(cached, reason));
      throw isConnectionFailure && 'file' in resource && this.#currentCache.get() ? notCached(problem) : error;
    }
  }

  async #find<Cached>({ find }: Pick<CacheLookup<unknown, Cached>, 'find'>): Promise<Cached | undefined> {
    const cache = this.#currentCache.get();
    return cache && find(cache);
  }

  #answer<T>(resource: CachedResource, value: T, fallback?: CacheFallback): T {
    this.#setFallback(resource, fallback);
    return value;
  }

  #setFallback(resource: CachedResource, fallback: CacheFallback | undefined): void {
    const name = resourceId(resource);
    const before = this.#fallbacks().get(name);
    if (before?.cachedAt === fallback?.cachedAt && before?.reason === fallback?.reason) return;
    this.#fallbacks.update((fallbacks) => {
      const changed = new Map(fallbacks);
      if (fallback) changed.set(name, fallback);
      else changed.delete(name);
      return changed;
    });
  }
}

function fallbackOf(
  { cachedAt, isTruncated = false }: { readonly cachedAt: number; readonly isTruncated?: boolean },
  reason: FallbackReason,
): CacheFallback {
  return { cachedAt, reason, isTruncated };
}

function notCached({ kind, status, title, code }: HttpProblem): HttpProblem {
  const detail = $localize`There is no connection, and this file is not stored on this device. Files you viewed recently or keep offline open without a connection.`;
  return new HttpProblem({ kind, status, title, code, detail });
}

function sliceOf(content: Blob, range: ByteRange | undefined): Blob {
  return range ? content.slice(range.first, range.last + 1, content.type) : content;
}

function resourceId(resource: CachedResource): string {
  return 'list' in resource ? `list ${resource.list}` : `file ${resource.file}`;
}
