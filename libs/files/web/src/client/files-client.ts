import { HttpClient } from '@angular/common/http';
import { inject, Service } from '@angular/core';
import type { FileEntry, FileListing } from '@homeport/files/contracts';
import { responseOf } from '@homeport/platform/web';
import { fileApiUrl } from '../tree/file-links';

const RECENT_FILES = 10;

/** A stored file as it was read. */
export interface StoredFile {
  readonly key: string;
  readonly content: Blob;
  readonly contentType: string;
  readonly etag: string;
  /** As the `Last-Modified` header has it; null when it was not sent. */
  readonly modifiedAt: string | null;
}

/** What a write demands of the file that is there; a 412 `files.precondition-failed` otherwise. */
export interface WriteCondition {
  /** The file is still the one with this ETag. */
  readonly ifMatch?: string;
  /** There is no file yet. */
  readonly ifAbsent?: boolean;
}

export interface WriteOptions extends WriteCondition {
  /** The server goes by the name's extension without it. */
  readonly contentType?: string;
  readonly signal?: AbortSignal;
}

export interface DeleteOptions extends WriteCondition {
  readonly signal?: AbortSignal;
  /** Whether the browser sends it even though the page is being left. */
  readonly keepalive?: boolean;
}

/** What is known of a file without reading it. */
export interface FileMetadata {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly contentType: string;
  readonly etag: string;
  /** As the `Last-Modified` header has it; null when it was not sent. */
  readonly modifiedAt: string | null;
}

/** A part of a file: both ends belong to it. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** The file calls of the API. Each sends the token, and throws an `HttpProblem` on every answer that is not 2xx. */
@Service()
export class FilesClient {
  readonly #http = inject(HttpClient);

  /** Every file, or every file whose key starts with `prefix`, in key order; follows the cursor to the end. */
  async list(prefix = '', signal?: AbortSignal): Promise<readonly FileEntry[]> {
    const entries: FileEntry[] = [];
    let cursor: string | null = null;
    do {
      const page: FileListing = await this.#page({ ...(prefix && { prefix }), ...(cursor && { cursor }) }, signal);
      entries.push(...page.items);
      cursor = page.next_cursor;
    } while (cursor !== null);
    return entries;
  }

  /** The files changed last, newest first. */
  async recent(signal?: AbortSignal): Promise<readonly FileEntry[]> {
    return (await this.#page({ sort: '-modified_at', limit: String(RECENT_FILES) }, signal)).items;
  }

  async head(path: string, signal?: AbortSignal): Promise<FileMetadata> {
    const answer = await responseOf(
      this.#http.head(fileApiUrl(path), { observe: 'response', responseType: 'blob' }),
      signal,
    );
    return {
      key: path,
      size: Number(answer.headers.get('Content-Length') ?? 0),
      contentType: answer.headers.get('Content-Type') ?? '',
      etag: answer.headers.get('ETag') ?? '',
      modifiedAt: answer.headers.get('Last-Modified'),
    };
  }

  /** The whole file, or a part of it. */
  async get(path: string, signal?: AbortSignal, range?: ByteRange): Promise<StoredFile> {
    // The service worker would only stand in the way of a body that may be large.
    const headers = { 'ngsw-bypass': '', ...(range && { Range: `bytes=${range.first}-${range.last}` }) };
    const answer = await responseOf(
      this.#http.get(fileApiUrl(path), { observe: 'response', responseType: 'blob', headers }),
      signal,
    );
    return {
      key: path,
      content: answer.body ?? new Blob(),
      contentType: answer.headers.get('Content-Type') ?? '',
      etag: answer.headers.get('ETag') ?? '',
      modifiedAt: answer.headers.get('Last-Modified'),
    };
  }

  /** Writes the whole file, whether it existed or not unless a condition says otherwise. */
  put(path: string, content: Blob | string, { contentType, signal, ...rest }: WriteOptions = {}): Promise<FileEntry> {
    const headers = { ...conditions(rest), 'ngsw-bypass': '', ...(contentType && { 'Content-Type': contentType }) };
    // A string would be sent as plain text, whatever the name says.
    const body = new Blob([content]);
    return responseOf(this.#http.put<FileEntry>(fileApiUrl(path), body, { headers }), signal);
  }

  /** Deletes the file; one that is gone already is deleted too. */
  async delete(path: string, { signal, keepalive = false, ...rest }: DeleteOptions = {}): Promise<void> {
    await responseOf(this.#http.delete(fileApiUrl(path), { headers: conditions(rest), keepalive }), signal);
  }

  #page(query: Record<string, string>, signal?: AbortSignal): Promise<FileListing> {
    const search = new URLSearchParams(query).toString();
    return responseOf(this.#http.get<FileListing>(search ? `/api/files?${search}` : '/api/files'), signal);
  }
}

function conditions({ ifMatch, ifAbsent }: WriteCondition): Record<string, string> {
  return { ...(ifMatch && { 'If-Match': ifMatch }), ...(ifAbsent && { 'If-None-Match': '*' }) };
}
