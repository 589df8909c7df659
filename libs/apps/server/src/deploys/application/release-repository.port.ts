/** Stores releases: the activations of the deploys of an app, in order. Every method can reject with DatabaseUnavailable. */
export abstract class ReleaseRepository {
  /** Adds the release of a deploy. */
  abstract add(appId: string, deployId: string): Promise<void>;

  /** Marks the releases of a deploy as rolled back. */
  abstract markRolledBack(appId: string, deployId: string): Promise<void>;

  /** Whether the deploy was ever active. */
  abstract includes(deployId: string): Promise<boolean>;

  /**
   * Finds the deploy to which an app rolls back: that of the latest release that was not rolled back, whose deploy is
   * ready and not the active one.
   * @returns its id; undefined when no deploy qualifies.
   */
  abstract rollbackTargetOf(appId: string, activeDeployId: string | null): Promise<string | undefined>;
}
