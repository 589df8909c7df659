import type { RevisionScope, ServerPlan } from '@homeport/hosting/contracts';
import type { BlobKey } from '@homeport/platform/server/blobs';
import type { Revision } from '../domain/revision';

/** A file of a bundle. */
export interface BundleFile {
  /** Path in the bundle. */
  readonly path: string;
  readonly size: number;
  /** SHA-256, lower-case hex. */
  readonly digest: string;
  readonly blob: BlobKey;
}

/** The server of a deploy. */
export interface ServerRecord {
  readonly appId: string;
  readonly plan: ServerPlan;
  /** The current version of the app's variables. */
  readonly version: number;
  /** Whose variables the start check uses: `preview` for a deploy that does not go live by itself. */
  readonly startScope: RevisionScope;
}

/** Reads what to run. Every method can reject with DatabaseUnavailable. */
export abstract class RuntimeDirectory {
  /** @returns undefined for a deploy that does not exist, is archived or failed, or has no server. */
  abstract findServer(deployId: string): Promise<ServerRecord | undefined>;

  /** Lists all files of a deploy, those that the edge serves included. */
  abstract listFiles(deployId: string): Promise<readonly BundleFile[]>;

  /** The variables of an app for one scope, opened. @throws {Error} when a value cannot be opened. */
  abstract environmentOf(appId: string, scope: RevisionScope): Promise<Readonly<Record<string, string>>>;

  /** The live revision of an app. @returns undefined without one, and for a deleted app. */
  abstract findLive(appId: string): Promise<Revision | undefined>;

  /** Lists deploys that wait for a start check. */
  abstract listUnchecked(): Promise<readonly string[]>;

  /** @returns those of the deploys that may still run. */
  abstract findRunnable(deployIds: readonly string[]): Promise<ReadonlySet<string>>;
}
