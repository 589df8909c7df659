import type { Framework } from '@homeport/hosting/contracts';
import type { DeployError, DeployProblem, DeploySource, DeployStatus } from '@homeport/apps/contracts';

/** A deploy as it is stored. */
export interface DeployRecord {
  readonly id: string;
  readonly appId: string;
  /** Per app: 1 for the first deploy, never used again. */
  readonly number: number;
  readonly status: DeployStatus;
  readonly fileCount: number;
  readonly totalBytes: number;
  readonly createdBy: string;
  readonly source: DeploySource | undefined;
  /** The label of the branch alias that shows this deploy; undefined when none does. */
  readonly alias: string | undefined;
  /** The primary base domain of the organization, under which it is shown; undefined for the platform domain. */
  readonly baseDomain: string | undefined;
  readonly createdAt: Date;
  readonly readyAt: Date | undefined;
  readonly archivedAt: Date | undefined;
  /** When it first became active; undefined when it never did, and after its app was deleted. */
  readonly firstLiveAt: Date | undefined;
  /** Whether its activation policy held it back when it became ready. */
  readonly isHeldBack: boolean;
  /** What its server was built with; undefined without a server, and before it was recognized. */
  readonly framework: Framework | undefined;
  readonly error: DeployError | undefined;
  readonly problemCount: number;
}

/** A file of a deploy. */
export interface DeployedFile {
  /** As `parseEntryName` returns it. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly contentType: string;
  /** SHA-256 of the bytes, lower-case hex. */
  readonly digest: string;
}

/** A page of the files of a deploy, in ascending order of the UTF-8 bytes of their paths. */
export interface DeployFilePage {
  /**
   * The files as a JSON array of the API's `DeployFile`. The repository encodes them, because 1,000 objects per request
   * would take most of the event loop's time (docs/decisions/0033-file-lists-as-json.md).
   */
  readonly filesJson: string;
  /** The path of the last file; absent on the last page. */
  readonly end?: string;
}

/** The first page of the files, and the problems of the deploy. */
export interface DeployContents extends DeployFilePage {
  readonly problems: readonly DeployProblem[];
}
