/** Points a branch at its newest deploy. */
export interface BranchAlias {
  readonly appId: string;
  /** As `branchAliasLabel` returns it. */
  readonly label: string;
  readonly deployId: string;
}

/** Stores the branch aliases of apps. Every method can reject with DatabaseUnavailable. */
export abstract class AliasRepository {
  /**
   * Points an alias at a deploy. Does nothing when it points at a later deploy of the app already, or when an app
   * with another subdomain has the label.
   * @returns whether the alias points at the deploy now.
   */
  abstract move(alias: BranchAlias): Promise<boolean>;

  /** Releases an alias of an app. @returns false when the app has no such alias. */
  abstract release(appId: string, label: string): Promise<boolean>;

  /** Releases the aliases that point at a deploy. */
  abstract releaseOf(deployId: string): Promise<void>;
}
