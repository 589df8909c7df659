/** A person's workspace and the organization that pays for it. */
export interface WorkspaceOwner {
  /** The storage prefix of the workspace. */
  readonly workspace: string;
  readonly organization: string;
}

export interface MeasuredWorkspace {
  readonly workspace: string;
  /** The bytes of the last measurement. */
  readonly bytes: bigint;
  /** When the last change was noted; undefined when nothing changed since the last measurement. */
  readonly changedAt: Date | undefined;
  /** When the last measurement was stored; undefined before the first one. */
  readonly measuredAt: Date | undefined;
}

export interface WorkspacePage {
  /** The workspace after which the page starts; undefined for the first page. */
  readonly after: string | undefined;
  readonly limit: number;
  /** Only workspaces that changed since their measurement. */
  readonly onlyChanged: boolean;
}

/** The measured bytes of workspaces. Every method can reject with DatabaseUnavailable. */
export abstract class StorageLedger {
  /** Notes that the files of workspaces changed, and who pays for them. */
  abstract noteChanges(owners: readonly WorkspaceOwner[]): Promise<void>;

  /** Adds workspaces as changed. One that the ledger has stays as it is. */
  abstract add(owners: readonly WorkspaceOwner[]): Promise<void>;

  /** @returns those of the workspaces that the ledger does not have. */
  abstract missing(workspaces: readonly string[]): Promise<readonly string[]>;

  /** Sorted by workspace. */
  abstract page(page: WorkspacePage): Promise<readonly MeasuredWorkspace[]>;

  /**
   * Stores a measurement. A change after `changedAt` stays noted, so that the workspace is measured again. A measurement
   * is ignored when another one was stored after `measuredAt`, because it can be the older one.
   * @returns whether it was stored.
   */
  abstract setBytes(workspace: MeasuredWorkspace): Promise<boolean>;

  /** The bytes of each organization. */
  abstract totals(): Promise<ReadonlyMap<string, bigint>>;
}
