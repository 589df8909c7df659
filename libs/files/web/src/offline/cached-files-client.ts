import { inject, Service, signal } from '@angular/core';
import type { FileEntry } from '@homeport/files/contracts';
import { AuthSession } from '@homeport/identity/web';
import { asHttpProblem, HttpProblem } from '@homeport/platform/web';
import { type ByteRange, type FileMetadata, FilesClient, type StoredFile } from '../client/files-client';
import { type OfflineCache, type CachedListName, CurrentOfflineCache } from './offline-cache';
import { shouldCacheOnView } from './eviction-policy';
import { OfflineFiles } from './offline-files';

/** What a notice asks about: a list, or the key of a file. */
export type CachedResource = { readonly list: CachedListName } | { readonly file: string };

/**
 * Why a read was answered with a copy: for want of a `connection`, or because the server answered that it cannot say who
 * is there (`session`) or cannot do what was asked (`server`).
 */
type FallbackReason = 'connection' | 'session' | 'server';

/** The copy a read was answered with. */
interface CacheFallback {
  readonly keptAt: number;
  readonly reason: FallbackReason;
}

interface CacheLookup<T, Kept> {
  readonly find: (copies: OfflineCache) => Promise<Kept | undefined>;
  readonly answer: (kept: Kept) => T;
}

/**
 * The reads of `FilesClient`, with what this device keeps behind them: what is read is kept, and when the server does not
 * answer or cannot, the kept copy does, as it does while it is not known yet who is there. Every other failure stays one.
 */
@Service()
export class CachedFilesClient {
  readonly #client = inject(FilesClient);
  readonly #own = inject(CurrentOfflineCache);
  readonly #session = inject(AuthSession);
  readonly #offline = inject(OfflineFiles);
  readonly #answered = signal<ReadonlyMap<string, CacheFallback>>(new Map());

  /** When the copy was made that the last read of something was answered with; undefined when it was no copy. */
  cachedAt(subject: CachedResource): Date | undefined {
    const copy = this.#answered().get(resourceId(subject));
    return copy && new Date(copy.keptAt);
  }

  /** Why the last read of something was answered with a copy; undefined when it was not. */
  fallbackReason(subject: CachedResource): FallbackReason | undefined {
    return this.#answered().get(resourceId(subject))?.reason;
  }

  async list(prefix = '', signal?: AbortSignal): Promise<readonly FileEntry[]> {
    if (prefix !== '') return this.#client.list(prefix, signal);
    return this.#listed('all', () => this.#client.list('', signal));
  }

  recent(signal?: AbortSignal): Promise<readonly FileEntry[]> {
    return this.#listed('recent', () => this.#client.recent(signal));
  }

  head(key: string, signal?: AbortSignal): Promise<FileMetadata> {
    return this.#read({ file: key }, () => this.#client.head(key, signal), {
      find: (copies) => copies.find(key),
      answer: ({ size, contentType, etag, modifiedAt }) => ({ key, size, contentType, etag, modifiedAt }),
    });
  }

  /** @param range keeps nothing: a part is no copy. */
  get(key: string, signal?: AbortSignal, range?: ByteRange): Promise<StoredFile> {
    const copies = this.#own.get();
    const read = async (): Promise<StoredFile> => {
      const file = await this.#client.get(key, signal, range);
      // Whose copies they are was settled before the answer came.
      if (!range && shouldCacheOnView({ contentType: file.contentType, size: file.content.size }))
        void keep(file, copies);
      return file;
    };
    const keep = async (file: StoredFile, into: OfflineCache | undefined): Promise<void> => {
      await this.#offline.store(file, { into, pinned: false });
    };
    return this.#read({ file: key }, read, {
      find: async (from) => {
        const copy = await from.read(key);
        if (copy) void from.updateEntry(key, { viewedAt: Date.now() });
        return copy && { ...copy.facts, bytes: copy.bytes };
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

  #listed(list: CachedListName, read: () => Promise<readonly FileEntry[]>): Promise<readonly FileEntry[]> {
    const copies = this.#own.get();
    const keeping = async (): Promise<readonly FileEntry[]> => {
      const entries = await read();
      void this.#keepList(list, entries, copies);
      return entries;
    };
    return this.#read({ list }, keeping, { find: (from) => from.readList(list), answer: ({ entries }) => entries });
  }

  async #keepList(
    list: CachedListName,
    entries: readonly FileEntry[],
    copies: OfflineCache | undefined,
  ): Promise<void> {
    try {
      await copies?.putList(list, entries);
    } catch {
      // No room: then there is no list without a connection.
    }
    if (list === 'all') await this.#offline.revalidate(entries, copies);
  }

  async #read<T, Kept extends { readonly keptAt: number }>(
    subject: CachedResource,
    read: () => Promise<T>,
    copy: CacheLookup<T, Kept>,
  ): Promise<T> {
    if (this.#session.isResolving()) {
      const early = await this.#find(copy);
      // It may be known meanwhile who is there: then the server is asked.
      if (early && this.#session.isResolving())
        return this.#answer(subject, copy.answer(early), { keptAt: early.keptAt, reason: 'connection' });
    }
    try {
      return this.#answer(subject, await read());
    } catch (error) {
      const problem = asHttpProblem(error);
      const { isConnectionFailure } = problem;
      // The server has refused: a copy of before is not shown for want of an answer any more.
      if (problem.status >= 400 && problem.status < 500) this.#note(subject, undefined);
      // A server that has a fault says nothing about the file: no more than one that cannot be reached.
      if (!isConnectionFailure && problem.status < 500) throw error;
      const reason = isConnectionFailure ? 'connection' : this.#session.state() === 'signed-in' ? 'server' : 'session';
      const kept = await this.#find(copy);
      if (kept) return this.#answer(subject, copy.answer(kept), { keptAt: kept.keptAt, reason });
      throw isConnectionFailure && 'file' in subject && this.#own.get() ? notCached(problem) : error;
    }
  }

  async #find<Kept>({ find }: Pick<CacheLookup<unknown, Kept>, 'find'>): Promise<Kept | undefined> {
    const copies = this.#own.get();
    return copies && find(copies);
  }

  #answer<T>(subject: CachedResource, value: T, copy?: CacheFallback): T {
    this.#note(subject, copy);
    return value;
  }

  #note(subject: CachedResource, copy: CacheFallback | undefined): void {
    const name = resourceId(subject);
    const before = this.#answered().get(name);
    if (before?.keptAt === copy?.keptAt && before?.reason === copy?.reason) return;
    this.#answered.update((answered) => {
      const changed = new Map(answered);
      if (copy) changed.set(name, copy);
      else changed.delete(name);
      return changed;
    });
  }
}

function notCached({ kind, status, title, code }: HttpProblem): HttpProblem {
  const detail = $localize`There is no connection, and this file is not kept on this device. Files you have viewed lately or keep offline open without one.`;
  return new HttpProblem({ kind, status, title, code, detail });
}

function sliceOf(content: Blob, range: ByteRange | undefined): Blob {
  return range ? content.slice(range.first, range.last + 1, content.type) : content;
}

function resourceId(subject: CachedResource): string {
  return 'list' in subject ? `list ${subject.list}` : `file ${subject.file}`;
}
