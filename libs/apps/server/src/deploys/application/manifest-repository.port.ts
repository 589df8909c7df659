import type { ManifestFile } from '../domain/site-manifest';

/**
 * Stores the manifests of deploys that are uploaded by digest. In addition to the documented errors, every method can
 * reject with DatabaseUnavailable.
 */
export abstract class ManifestRepository {
  /**
   * Adds the manifest of a deploy that has begun. From now on its lease lasts for an hour after each request, whichever
   * instance receives it.
   * @throws {DeployInterrupted} when the deploy was failed or deleted meanwhile.
   */
  abstract add(deployId: string, files: readonly ManifestFile[]): Promise<void>;

  /** @returns the files in ascending order of their paths' UTF-8 bytes; none for a deploy without a manifest. */
  abstract filesOf(deployId: string): Promise<readonly ManifestFile[]>;

  /** Finds a file with this digest. @returns the first one by path; undefined when the manifest names none. */
  abstract findFile(deployId: string, digest: string): Promise<ManifestFile | undefined>;

  /** Renews the lease of a deploy in progress. */
  abstract renew(deployId: string): Promise<void>;

  /** How many deploys of an organization with a manifest are in progress. */
  abstract countUnfinished(organization: string): Promise<number>;

  /** Removes the manifests of deploys that ended at least an hour ago. @returns the number of manifests. */
  abstract removeEnded(): Promise<number>;
}
