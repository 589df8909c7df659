import type { DeployError, DeployProblem, DeployStatus } from '@homeport/apps/contracts';

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

export interface DeployContents {
  readonly files: readonly DeployedFile[];
  readonly problems: readonly DeployProblem[];
}
