import type { DeployError, DeployProblem, DeployStatus } from '@homeport/apps/contracts';

/** Characters of the name that is recorded: a token may hold any, and lists repeat it for each deploy. */
const MAX_UPLOADER_LENGTH = 200;

/** The name of the person who uploads, or the subject where the token names nobody. */
export function uploaderOf({
  name,
  subject,
}: {
  readonly name?: string | undefined;
  readonly subject: string;
}): string {
  return (name ?? subject).slice(0, MAX_UPLOADER_LENGTH).toWellFormed();
}

/** A deploy as it is kept. */
export interface DeployRecord {
  readonly id: string;
  readonly appId: string;
  readonly status: DeployStatus;
  readonly fileCount: number;
  readonly totalBytes: number;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly readyAt: Date | undefined;
  readonly archivedAt: Date | undefined;
  readonly error: DeployError | undefined;
}

/** A file of a deploy. */
export interface DeployedFile {
  /** As `parseEntryName` lets it through. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly contentType: string;
  /** SHA-256 of the bytes, lower-case hex. */
  readonly digest: string;
}

/** Some files of a deploy, in ascending order of the UTF-8 bytes of their paths. */
export interface DeployFilePage {
  readonly files: readonly DeployedFile[];
  /** The path of the last file; absent on the last page. */
  readonly end?: string;
}

/** The first page of the files, and what is wrong with the deploy. */
export interface DeployContents extends DeployFilePage {
  readonly problems: readonly DeployProblem[];
}
