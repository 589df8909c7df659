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

  /** Sorted by workspace. */
  abstract page(page: WorkspacePage): Promise<readonly MeasuredWorkspace[]>;

  /** Stores a measurement. A change after `changedAt` stays noted, so that the workspace is measured again. */
  abstract setBytes(workspace: MeasuredWorkspace): Promise<void>;

  /** The bytes of each organization. */
  abstract totals(): Promise<ReadonlyMap<string, bigint>>;
}
