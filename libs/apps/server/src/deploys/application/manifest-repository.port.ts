import type { ManifestFile } from '../domain/site-manifest';
import type { ReadyDeploy } from './deploy-repository.port';

/** A manifest, divided by what finishing the deploy has to do. */
export interface DividedManifest {
  /** Files of the deploy. Their blobs are stored, so nothing remains to do. */
  readonly linked: ReadyDeploy['files'];
  /** Files whose blobs are missing or have to be read. */
  readonly pending: readonly ManifestFile[];
}

/**
 * Stores the manifests of deploys that are uploaded by digest. In addition to the documented errors, every method can
 * reject with DatabaseUnavailable.
 */
export abstract class ManifestRepository {
  /**
   * Adds the manifest of a deploy that has begun, and its linked files to the deploy. From now on the lease lasts for an
   * hour after each request, whichever instance receives it.
   * @throws {DeployInterrupted} when the deploy was failed or deleted meanwhile.
   */
  abstract add(deployId: string, manifest: DividedManifest): Promise<void>;

  /**
   * @returns the pending files in ascending order of their paths' UTF-8 bytes, also after they have been finished;
   * undefined for a deploy without a manifest.
   */
  abstract pendingFiles(deployId: string): Promise<readonly ManifestFile[] | undefined>;

  /** Finds a file with this digest, pending or linked. @returns undefined when the manifest names none. */
  abstract findFile(deployId: string, digest: string): Promise<ManifestFile | undefined>;

  /** Renews the lease of a deploy in progress. */
  abstract renew(deployId: string): Promise<void>;

  /** How many deploys of an organization with a manifest are in progress. */
  abstract countUnfinished(organization: string): Promise<number>;

  /**
   * Removes the manifests of deploys that ended at least an hour ago, and the linked files of those that never became
   * ready. The next call continues after a number of manifests.
   * @returns the number of manifests.
   */
  abstract removeEnded(): Promise<number>;
}
