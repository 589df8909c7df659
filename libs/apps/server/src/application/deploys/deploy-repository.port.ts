import type { DeployError, DeployProblem } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/server';
import type { ListPosition } from '../../domain/list-cursor';
import type { AppRecord } from '../../domain/registry/app-record';
import type { DeployContents, DeployedFile, DeployFilePage, DeployRecord } from '../../domain/deploys/deploy-record';
import type { ExpectedRelease } from '../../domain/deploys/expected-release';
import type { SiteRules } from '../../domain/sites/site-rules';
import type { PageRequest } from '../registry/app-repository.port';

export interface DeployPage {
  readonly deploys: readonly DeployRecord[];
  /** Absent on the last page. */
  readonly end?: ListPosition;
}

/** The most files that the details of a deploy hold. */
export const FILES_PER_PAGE = 1_000;

export interface FilePageRequest {
  /** At least 1. */
  readonly limit: number;
  /** The path after which the page begins. */
  readonly after?: string;
}

/** What makes a deploy ready. */
export interface ReadyDeploy {
  /** What has no blob is not served. */
  readonly files: readonly (DeployedFile & { readonly blobId: string | undefined })[];
  readonly rules: SiteRules;
  readonly problems: readonly DeployProblem[];
  /** Whether visitors see it from then on. */
  readonly isActivated: boolean;
}

/** Which failed deploys are kept: those among the newest of their app that are not too old. */
export interface FailedDeployRetention {
  /** How many of an app. */
  readonly newest: number;
  readonly days: number;
}

/**
 * The deploys. What is being uploaded belongs to its instance for as long as that renews the lease; a deploy whose lease
 * has run out has failed. Every method raises DatabaseUnavailable besides what it names.
 */
export abstract class DeployRepository {
  /** Adds a deploy that is being uploaded, with a lease. @throws {AppNotFound} */
  abstract begin(member: Member, appId: string): Promise<DeployRecord>;

  /** Keeps a deploy from being taken for lost. @throws {DeployInterrupted} when it was, or its app is gone. */
  abstract renew(id: string): Promise<void>;

  /** From then on all of it is here. @throws {DeployInterrupted} */
  abstract beginProcessing(id: string): Promise<void>;

  /** The upload came to nothing. Harmless when somebody else has said so already. */
  abstract fail(id: string, error: DeployError, problems: readonly DeployProblem[]): Promise<void>;

  /**
   * Makes a deploy ready, counts it and, when asked to, shows it to visitors: all or nothing.
   * @throws {DeployInterrupted} when it was taken for lost, or its app was deleted.
   */
  abstract finish(member: Member, id: string, ready: ReadyDeploy): Promise<DeployRecord>;

  /** Newest first. Undefined when the organization never had such an app. */
  abstract list(organization: string, appId: string, page: PageRequest): Promise<DeployPage | undefined>;

  /** Undefined for an id that is absent, malformed or another organization's. */
  abstract find(organization: string, id: string): Promise<DeployRecord | undefined>;

  /** The problems and the first `FILES_PER_PAGE` files. */
  abstract contentsOf(id: string): Promise<DeployContents>;

  /** In ascending order of the UTF-8 bytes of the paths; empty for an id that is absent. */
  abstract listFiles(id: string, page: FilePageRequest): Promise<DeployFilePage>;

  /** What a roll-back from a deploy would show. Undefined when there is nothing, or the deploy is not the active one. */
  abstract rollbackTargetOf(id: string): Promise<DeployRecord | undefined>;

  /** Shows a deploy to visitors. @throws {DeployNotFound} @throws {DeployNotReady} */
  abstract activate(member: Member, id: string): Promise<AppRecord>;

  /**
   * Shows the one that was active before the active one came. Repeating it goes further back, never to what was rolled
   * back from.
   * @param seen what has to be so still, or else nothing changes.
   * @throws {AppNotFound} @throws {DeployNotActive} @throws {NothingToRollBack}
   */
  abstract rollBack(member: Member, appId: string, seen?: ExpectedRelease): Promise<AppRecord>;

  /**
   * Deletes a deploy: from then on no method finds, shows or serves it, and what is under way for it is interrupted.
   * The count of the app's deploys stays. Does nothing for an id that is absent, malformed or another organization's.
   * @throws {DeployLive} when visitors see it.
   */
  abstract delete(member: Member, id: string): Promise<void>;

  /** Removes the files and records of deleted deploys, which makes their blobs unused. @returns how many deploys. */
  abstract removeDeleted(): Promise<number>;

  /** Deploys whose lease has run out have failed. @returns how many. */
  abstract failAbandoned(): Promise<number>;

  /**
   * Archives the oldest of the deploys of which an app has more than so many that are ready; never the active one, nor
   * what a roll-back would show. @returns how many.
   */
  abstract archiveBeyond(kept: number): Promise<number>;

  /** Removes failed deploys that are not kept. @returns how many. */
  abstract removeFailed(kept: FailedDeployRetention): Promise<number>;
}
