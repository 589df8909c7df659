import type { Framework } from '@homeport/hosting/contracts';

/** A deploy with a server is `starting` while its first start is tested. */
export const DEPLOY_STATUSES = ['uploading', 'processing', 'starting', 'ready', 'failed', 'archived'] as const;
export type DeployStatus = (typeof DEPLOY_STATUSES)[number];

export const DEPLOY_ERROR_CODES = [
  'rejected',
  'aborted',
  'interrupted',
  'storage',
  'no-server',
  'unsupported-server',
  'start-failed',
] as const;

/** How many lines of its log a deploy keeps whose server did not start. */
export const MAX_START_LOG_LINES = 50;

/** Why a deploy failed. */
export interface DeployError {
  readonly code: (typeof DEPLOY_ERROR_CODES)[number];
  /** One sentence for the person who uploaded it. */
  readonly message: string;
  /** The last lines that the server wrote; present when the code is `start-failed`. */
  readonly log?: readonly string[];
}

export const NOT_ACTIVATED_REASONS = ['not-requested', 'no-start-page'] as const;

/** Whether a deploy went live when it became ready. */
export interface DeployActivation {
  readonly activated: boolean;
  /**
   * Why it did not: `not-requested` for `activate=false`; `no-start-page` when `/` would answer 404 although the live
   * deploy answers it. Null when it went live.
   */
  readonly reason: (typeof NOT_ACTIVATED_REASONS)[number] | null;
}

/** Where the files of a deploy come from, as the uploader states it. A value that was not given is null. */
export interface DeploySource {
  readonly branch: string | null;
  /** The commit id: 40 or 64 lower-case hex digits. */
  readonly commit: string | null;
  /** A note for people, such as the subject of the commit. */
  readonly message: string | null;
  /** A page about the source, such as the pipeline or the commit: an `https` URL. */
  readonly url: string | null;
}

/** Characters of `DeploySource.message`. */
export const MAX_SOURCE_MESSAGE_LENGTH = 200;

/** One uploaded version of an app. `App.active_deploy_id` names the live one. */
export interface Deploy {
  readonly id: string;
  readonly app_id: string;
  /** 1 for the first deploy of the app. Numbers of deleted deploys are not used again. */
  readonly number: number;
  readonly status: DeployStatus;
  readonly file_count: number;
  /** Bytes of all files, uncompressed. */
  readonly total_bytes: number;
  /** The preview URL. It serves the deploy while its status is `ready`. */
  readonly url: string;
  /** The URL that always shows the newest deploy of the branch; null unless that is this one. */
  readonly alias_url: string | null;
  /** RFC 3339, UTC; so are the other times. */
  readonly created_at: string;
  readonly ready_at: string | null;
  readonly archived_at: string | null;
  /** When visitors first saw it; null when it never was live, and after its app was deleted. */
  readonly first_live_at: string | null;
  /** Whether it was held back when it became ready: `/` would have answered 404 although the live deploy answered it. */
  readonly held_back: boolean;
  /** The uploader: the name in the token, or the token's subject when it has no name. */
  readonly created_by: string;
  /** Null when the uploader stated nothing. */
  readonly source: DeploySource | null;
  /** Rejected archive entries, or probable mistakes in the site; `DeployDetails.problems` lists them. */
  readonly problem_count: number;
  /** What its server was built with; null without a server, and before it was recognized. */
  readonly framework: Framework | null;
  /** Present when the deploy failed. */
  readonly error?: DeployError;
}

/** `POST /api/apps/{id}/deploys`. */
export interface UploadedDeploy extends Deploy {
  readonly activation: DeployActivation;
}

/** `POST /api/apps/{id}/deploys` with a manifest. */
export interface StartedDeploy extends Deploy {
  /** The digests to upload, as the manifest writes them: those that the organization does not have. */
  readonly missing: readonly string[];
}

export interface DeployFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly content_type: string;
  /** `sha-256:` and the digest in lower-case hex. */
  readonly digest: string;
}

/** The file that `/` is served from. A deploy that serves nothing there has a problem with this path. */
export const START_PAGE = 'index.html';

/** A rejected archive entry, or a probable mistake in the site, stored with the deploy. */
export interface DeployProblem {
  /** The affected file or archive entry. */
  readonly path: string;
  /** Line in the file, from 1; null when the problem concerns the whole file. */
  readonly line: number | null;
  readonly reason: string;
}

/** `GET /api/deploys/{id}`. */
export interface DeployDetails extends Deploy {
  /** The deploy that a rollback from this one activates; null if no earlier one exists or this one is not active. */
  readonly rolls_back_to: Deploy | null;
  /** The first 1,000 files in ascending order of their paths, compared as UTF-8 bytes. */
  readonly files: readonly DeployFile[];
  /** Cursor for `GET /api/deploys/{id}/files`; null when `files` is complete. */
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
