export const DEPLOY_STATUSES = ['uploading', 'processing', 'ready', 'failed', 'archived'] as const;
export type DeployStatus = (typeof DEPLOY_STATUSES)[number];

export const DEPLOY_ERROR_CODES = ['rejected', 'aborted', 'interrupted', 'storage'] as const;

/** Why a deploy did not come to be. */
export interface DeployError {
  readonly code: (typeof DEPLOY_ERROR_CODES)[number];
  /** One sentence for the person who uploaded it. */
  readonly message: string;
}

/** One upload of the files of an app. Which of them is live, the app says. */
export interface Deploy {
  readonly id: string;
  readonly app_id: string;
  readonly status: DeployStatus;
  readonly file_count: number;
  /** Bytes of all files, as they are served without a coding. */
  readonly total_bytes: number;
  /** Its preview address. It answers while the deploy is `ready`. */
  readonly url: string;
  /** RFC 3339, UTC, as the other times. */
  readonly created_at: string;
  readonly ready_at: string | null;
  readonly archived_at: string | null;
  /** Who uploaded it: the name of the token where it has one, else its subject. */
  readonly created_by: string;
  /** Present when the deploy failed. */
  readonly error?: DeployError;
}

export interface DeployFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly content_type: string;
  /** `sha-256:` and the digest in lower-case hex. */
  readonly digest: string;
}

/** Something in a deploy that is not as its author will have meant it. */
export interface DeployProblem {
  /** The file or entry it is about. */
  readonly path: string;
  /** Of the file, from 1; null when it is about all of it. */
  readonly line: number | null;
  readonly reason: string;
}

/** `GET /api/deploys/{id}`. */
export interface DeployDetails extends Deploy {
  /** What a roll-back from it shows; null when there is nothing, or this deploy is not the active one. */
  readonly rolls_back_to: Deploy | null;
  /** The first 1,000 in ascending order of the paths, compared as UTF-8 bytes. */
  readonly files: readonly DeployFile[];
  /** For `GET /api/deploys/{id}/files`; null when `files` holds all of them. */
  readonly files_next_cursor: string | null;
  readonly problems: readonly DeployProblem[];
}

/** `GET /api/deploys/{id}/files`: in ascending order of the paths, compared as UTF-8 bytes. */
export interface DeployFileList {
  readonly items: readonly DeployFile[];
  /** Null on the last page. */
  readonly next_cursor: string | null;
}

/** `GET /api/apps/{id}/deploys`: newest first. */
export interface DeployList {
  readonly items: readonly Deploy[];
  readonly next_cursor: string | null;
}
