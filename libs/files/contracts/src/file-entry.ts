/** A stored file, as listings and writes return it. */
export interface FileEntry {
  /** The path in the user's workspace: slash-separated segments, NFC. */
  readonly key: string;
  /** In bytes. */
  readonly size: number;
  /** Quoted, identical to the `ETag` header of a read. */
  readonly etag: string;
  /** RFC 3339, UTC. */
  readonly modified_at: string;
  readonly content_type?: string;
}

/** One page of `GET /api/files`. */
export interface FileListing {
  readonly items: readonly FileEntry[];
  /** With `delimiter=/`: the directories of this level, each with its trailing slash. */
  readonly directories: readonly string[];
  /** Pass it as `cursor` to get the next page; null on the last page. */
  readonly next_cursor: string | null;
  /** Whether a bounded scan (`sort=-modified_at`) stopped before it reached every file. */
  readonly truncated: boolean;
}
