/** One stored file, as listings and writes answer it. */
export interface FileEntry {
  /** The path inside the person's workspace: slash-separated segments, NFC. */
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** Quoted, exactly as the `ETag` header of a read. */
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
  /** Hand it back as `cursor` for the next page; null on the last one. */
  readonly next_cursor: string | null;
  /** Whether a bounded scan (`sort=-modified_at`) stopped before it had seen every file. */
  readonly truncated: boolean;
}
