import { HttpClient, HttpEventType } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import type { ArchiveLink, ArchiveRequest, FileEntry, FileListing } from '@homeport/files/contracts';
import { HttpProblem, responseOf } from '@homeport/platform/web';
import { filter, tap } from 'rxjs';
import { fileApiUrl } from '../tree/file-links';
import { ListingPages, type ListingPage, type PageRequest } from './listing-pages';

const RECENT_FILES = 10;

/** A file with its content and metadata. */
export interface StoredFile {
  readonly key: string;
  readonly content: Blob;
  readonly contentType: string;
  readonly etag: string;
  /** As the `Last-Modified` header has it; null when it was not sent. */
  readonly modifiedAt: string | null;
}

/** The precondition of a write; the server answers 412 `files.precondition-failed` when it does not hold. */
export interface WriteCondition {
  /** The stored file still has this ETag. */
  readonly ifMatch?: string;
  /** No file exists at this key. */
  readonly ifAbsent?: boolean;
}

export interface WriteOptions extends WriteCondition {
  /** Without it, the server derives the type from the file extension. */
  readonly contentType?: string;
  readonly signal?: AbortSignal;
}

export interface DeleteOptions extends WriteCondition {
  readonly signal?: AbortSignal;
  /** Whether the browser completes the request when the page closes. */
  readonly keepalive?: boolean;
}

/** The metadata of a file, without its content. */
export interface FileMetadata {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly contentType: string;
  readonly etag: string;
  /** As the `Last-Modified` header has it; null when it was not sent. */
  readonly modifiedAt: string | null;
}

/** One level of the hierarchy, as the server lists it. */
export interface LevelListing {
  readonly items: readonly FileEntry[];
  /** Whole key prefixes, each with its trailing slash. */
  readonly directories: readonly string[];
}

/** A byte range of a file; both ends are inclusive. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** The file operations of the API. Each sends the access token; a failure is an `HttpProblem`. */
@Service()
export class FilesClient {
  readonly #http = inject(HttpClient);

  /**
   * Lists all files in key order.
   * @param pages the pages of an earlier read, which are requested conditionally; updated by this read.
   */
  list(signal?: AbortSignal, pages = new ListingPages()): Promise<readonly FileEntry[]> {
    return pages.read((request) => this.#pageUnlessUnchanged(request, signal));
  }

  /**
   * Lists one level of the hierarchy: the files directly under `prefix`, and the directories there.
   * @param prefix a directory with its trailing slash; empty for the root.
   */
  async listLevel(prefix: string, signal?: AbortSignal): Promise<LevelListing> {
    const items: FileEntry[] = [];
    const directories: string[] = [];
    let cursor: string | null = null;
    do {
      const query = { delimiter: '/', ...(prefix && { prefix }), ...(cursor && { cursor }) };
      const page: FileListing = await this.#page(query, signal);
      items.push(...page.items);
      directories.push(...page.directories);
      cursor = page.next_cursor;
    } while (cursor !== null);
    return { items, directories };
  }

  /** Lists the most recently changed files, newest first. */
  async recent(signal?: AbortSignal): Promise<readonly FileEntry[]> {
    return (await this.#page({ sort: '-modified_at', limit: String(RECENT_FILES) }, signal)).items;
  }

  async head(path: string, signal?: AbortSignal): Promise<FileMetadata> {
    const response = await responseOf(
      this.#http.head(fileApiUrl(path), { observe: 'response', responseType: 'blob' }),
      signal,
    );
    return {
      key: path,
      size: Number(response.headers.get('Content-Length') ?? 0),
      contentType: response.headers.get('Content-Type') ?? '',
      etag: response.headers.get('ETag') ?? '',
      modifiedAt: response.headers.get('Last-Modified'),
    };
  }

  /** Reads a file, or a byte range of it. @param received is told how many bytes have arrived. */
  async get(
    path: string,
    signal?: AbortSignal,
    range?: ByteRange,
    received?: (bytes: number) => void,
  ): Promise<StoredFile> {
    // Bypasses the service worker, because the body may be large.
    const headers = { 'ngsw-bypass': '', ...(range && { Range: `bytes=${range.first}-${range.last}` }) };
    const options = { observe: 'events', reportDownloadProgress: true, responseType: 'blob', headers } as const;
    const response = await responseOf(
      this.#http.get(fileApiUrl(path), options).pipe(
        tap((event) => event.type === HttpEventType.DownloadProgress && received?.(event.loaded)),
        filter((event) => event.type === HttpEventType.Response),
      ),
      signal,
    );
    return {
      key: path,
      content: response.body ?? new Blob(),
      contentType: response.headers.get('Content-Type') ?? '',
      etag: response.headers.get('ETag') ?? '',
      modifiedAt: response.headers.get('Last-Modified'),
    };
  }

  /** Creates or replaces a file, unless a condition prevents it. */
  put(path: string, content: Blob | string, { contentType, signal, ...rest }: WriteOptions = {}): Promise<FileEntry> {
    const headers = { ...conditions(rest), 'ngsw-bypass': '', ...(contentType && { 'Content-Type': contentType }) };
    // As a Blob without a type: a string would be sent as `text/plain`.
    const body = new Blob([content]);
    return responseOf(this.#http.put<FileEntry>(fileApiUrl(path), body, { headers }), signal);
  }

  /** Deletes a file. Also succeeds when the file does not exist, unless a condition is set. */
  async delete(path: string, { signal, keepalive = false, ...rest }: DeleteOptions = {}): Promise<void> {
    await responseOf(this.#http.delete(fileApiUrl(path), { headers: conditions(rest), keepalive }), signal);
  }

  /**
   * Requests a zip archive.
   * @param paths keys of files, and directories with their trailing slash; `/` is the whole workspace.
   */
  archiveLink(paths: readonly string[], signal?: AbortSignal): Promise<ArchiveLink> {
    return responseOf(this.#http.post<ArchiveLink>('/api/archives', { paths } satisfies ArchiveRequest), signal);
  }

  #page(query: Record<string, string>, signal?: AbortSignal): Promise<FileListing> {
    return responseOf(this.#http.get<FileListing>(listingUrl(query)), signal);
  }

  async #pageUnlessUnchanged(
    { cursor, etag }: PageRequest,
    signal: AbortSignal | undefined,
  ): Promise<ListingPage | undefined> {
    const headers: Record<string, string> = etag ? { 'If-None-Match': etag } : {};
    try {
      const url = listingUrl({ ...(cursor && { cursor }) });
      const response = await responseOf(this.#http.get<FileListing>(url, { observe: 'response', headers }), signal);
      return response.body ? { listing: response.body, etag: response.headers.get('ETag') ?? '' } : undefined;
    } catch (error) {
      // `HttpClient` reports every status outside 200–299 as an error.
      if (etag && error instanceof HttpProblem && error.status === 304) return undefined;
      throw error;
    }
  }
}

function listingUrl(query: Record<string, string>): string {
  const search = new URLSearchParams(query).toString();
  return search ? `/api/files?${search}` : '/api/files';
}

function conditions({ ifMatch, ifAbsent }: WriteCondition): Record<string, string> {
  return { ...(ifMatch && { 'If-Match': ifMatch }), ...(ifAbsent && { 'If-None-Match': '*' }) };
}
