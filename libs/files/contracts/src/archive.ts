/** The largest number of paths in one `ArchiveRequest`. */
export const MAX_ARCHIVE_PATHS = 200;
/** The largest number of files in one archive. */
export const MAX_ARCHIVE_FILES = 100_000;

/** The body of `POST /api/archives`: the files and folders of a zip archive. */
export interface ArchiveRequest {
  /** 1 to 200 paths, not percent-encoded. A folder ends with `/`; `/` alone is the whole workspace. */
  readonly paths: readonly string[];
}

/** The response of `POST /api/archives`. */
export interface ArchiveLink {
  /** The path of the archive on this server. It needs no access token. */
  readonly url: string;
  /** RFC 3339, UTC: the download must start before this time. */
  readonly expires_at: string;
}
