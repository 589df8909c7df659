import type { DeployError, DeployProblem, DeploySource } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/contracts';
import type { ListPosition } from '../../shared/domain/list-cursor';
import type { ActivationPolicy } from '../domain/activation';
import type { DeployContents, DeployedFile, DeployFilePage, DeployRecord } from '../domain/deploy-record';
import type { RevisionScope, ServerPlan, SiteRules } from '@homeport/hosting/contracts';
import type { PageRequest } from '../../shared/application/list-request';

export interface DeployPage {
  readonly deploys: readonly DeployRecord[];
  /** Absent on the last page. */
  readonly end?: ListPosition;
}

/** Default page size of the files of a deploy, and the number of files in its details. */
export const FILES_PER_PAGE = 1_000;

export interface FilePageRequest {
  /** At least 1. */
  readonly limit: number;
  /** The path after which the page begins. */
  readonly after?: string;
}

/** A file of a deploy, and how it is used. */
export interface StoredFile extends DeployedFile {
  /** Files without a blob are not served. */
  readonly blobId: string | undefined;
  /** Only the server of the deploy sees its own files; default: `static`. */
  readonly role?: 'static' | 'server';
  /** The path in the upload, where the server expects the file; default: `path`. */
  readonly bundlePath?: string;
}

/** The contents of a deploy that becomes ready. */
export interface ReadyDeploy {
  readonly files: readonly StoredFile[];
  readonly rules: SiteRules;
  readonly problems: readonly DeployProblem[];
  /** Absent without a server. */
  readonly server?: ServerPlan;
  /** When the deploy becomes the active one. */
  readonly activation: ActivationPolicy;
}

/** What is stored when a deploy becomes ready. */
export interface DeployCompletion extends Pick<ReadyDeploy, 'rules' | 'problems'> {
  /** Whether the activation policy held it back. */
  readonly isHeldBack: boolean;
}

/** Which failed deploys are kept: the newest of each app, up to a maximum age. */
export interface FailedDeployRetention {
  /** Number per app. */
  readonly newest: number;
  readonly days: number;
}

/**
 * Stores deploys. The instance that receives an upload renews its lease. When the lease has expired, `failAbandoned`
 * marks the deploy as failed.
 * In addition to the documented errors, every method can reject with DatabaseUnavailable.
 */
export abstract class DeployRepository {
  /** Adds a deploy with the next number of the app, the status `uploading` and a lease. @throws {AppNotFound} */
  abstract begin(member: Member, appId: string, source?: DeploySource): Promise<DeployRecord>;

  /** Renews the lease. @throws {DeployInterrupted} when the lease has expired, or the app was deleted. */
  abstract renew(id: string): Promise<void>;

  /** Sets the status `processing` when the upload is complete. @throws {DeployInterrupted} */
  abstract beginProcessing(id: string): Promise<void>;

  /**
   * Records the server of a deploy and sets the status `starting`. A runtime then starts it, and may load the files.
   * @param scope whose variables the server gets when it is started for the first time.
   * @throws {DeployInterrupted} when the deploy is not in progress, or its server has been started already.
   */
  abstract beginStarting(id: string, server: ServerPlan, scope: RevisionScope): Promise<void>;

  /** Marks the upload as failed. Does nothing for a deploy that has failed already. */
  abstract fail(id: string, error: DeployError, problems: readonly DeployProblem[]): Promise<void>;

  /** Makes other completions of the deploy wait until the unit of work ends. @returns whether it is in progress. */
  abstract claimCompletion(id: string): Promise<boolean>;

  /** Adds files to a deploy in progress. */
  abstract addFiles(id: string, files: ReadyDeploy['files']): Promise<void>;

  /**
   * Makes a deploy in progress ready with the files that were added, and ends its lease. Also works after the lease has expired, unless the deploy has
   * been failed.
   * @returns undefined when the deploy is not in progress.
   */
  abstract complete(id: string, completion: DeployCompletion): Promise<DeployRecord | undefined>;

  /** Lists deploys, newest first. @returns undefined when the organization never had such an app. */
  abstract list(organization: string, appId: string, page: PageRequest): Promise<DeployPage | undefined>;

  /** @returns undefined when the organization has no deploy with this id, or the id is malformed. */
  abstract find(organization: string, id: string): Promise<DeployRecord | undefined>;

  /** Finds a deploy like `find`, and prevents its deletion until the unit of work ends. */
  abstract lock(organization: string, id: string): Promise<DeployRecord | undefined>;

  /** @returns the problems and the first `FILES_PER_PAGE` files. */
  abstract contentsOf(id: string): Promise<DeployContents>;

  /**
   * Lists all files by their paths in the upload.
   * @returns files in ascending order of the UTF-8 bytes of their paths; an empty page for an unknown id.
   */
  abstract listFiles(id: string, page: FilePageRequest): Promise<DeployFilePage>;

  /** @returns those of the paths at which the deploy serves a static file; none for an unknown id. */
  abstract existingPaths(id: string, paths: readonly string[]): Promise<ReadonlySet<string>>;

  /** @returns the path with the fewest folders that ends with `/` and the name; undefined when none does. */
  abstract findNestedFile(id: string, name: string): Promise<string | undefined>;

  /** @returns the redirects and headers of a deploy; no rules for an unknown id. */
  abstract rulesOf(id: string): Promise<SiteRules>;

  /** @returns the rollback target of a deploy; undefined when no earlier deploy exists, or this one is not active. */
  abstract rollbackTargetOf(id: string): Promise<DeployRecord | undefined>;

  /**
   * Marks a deploy as deleted and archived: no method returns or serves it any more, and its upload is interrupted.
   * @returns undefined when the organization has no deploy with this id.
   */
  abstract withdraw(organization: string, id: string): Promise<DeployRecord | undefined>;

  /** Archives all deploys of an app, and ends its uploads. @returns how many deploys. */
  abstract archiveAll(appId: string): Promise<number>;

  /** Removes the files and records of deleted deploys, so that their blobs become unused. @returns how many deploys. */
  abstract removeDeleted(): Promise<number>;

  /** Marks deploys with an expired lease as failed. @returns the number of deploys. */
  abstract failAbandoned(): Promise<number>;

  /**
   * Archives the oldest ready deploys of each app beyond a number; never the active deploy or its rollback target.
   * @returns the number of archived deploys.
   */
  abstract archiveBeyond(retained: number): Promise<number>;

  /** Removes failed deploys that exceed the retention. @returns the number of deploys. */
  abstract removeFailed(retention: FailedDeployRetention): Promise<number>;
}
