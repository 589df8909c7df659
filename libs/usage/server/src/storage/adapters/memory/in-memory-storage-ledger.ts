import {
  type MeasuredWorkspace,
  StorageLedger,
  type WorkspaceOwner,
  type WorkspacePage,
} from '../../application/storage-ledger.port';

/** Keeps the ledger in memory, for tests. */
export class InMemoryStorageLedger extends StorageLedger {
  readonly #workspaces = new Map<string, MeasuredWorkspace & { readonly organization: string }>();
  /** Advances with each change and measurement. */
  #time = 0;

  async noteChanges(owners: readonly WorkspaceOwner[]): Promise<void> {
    for (const { workspace, organization } of owners) {
      const { bytes = 0n, measuredAt } = this.#workspaces.get(workspace) ?? {};
      this.#workspaces.set(workspace, { workspace, organization, bytes, measuredAt, changedAt: this.#now() });
    }
  }

  async add(owners: readonly WorkspaceOwner[]): Promise<void> {
    await this.noteChanges(owners.filter(({ workspace }) => !this.#workspaces.has(workspace)));
  }

  async missing(workspaces: readonly string[]): Promise<readonly string[]> {
    return workspaces.filter((workspace) => !this.#workspaces.has(workspace));
  }

  async page({ after = '', limit, onlyChanged }: WorkspacePage): Promise<readonly MeasuredWorkspace[]> {
    return [...this.#workspaces.values()]
      .filter(({ workspace, changedAt }) => workspace > after && (changedAt !== undefined || !onlyChanged))
      .sort((one, other) => (one.workspace < other.workspace ? -1 : 1))
      .slice(0, limit)
      .map(({ workspace, bytes, changedAt, measuredAt }) => ({ workspace, bytes, changedAt, measuredAt }));
  }

  async setBytes({ workspace, bytes, changedAt, measuredAt }: MeasuredWorkspace): Promise<boolean> {
    const known = this.#workspaces.get(workspace);
    if (known?.measuredAt?.getTime() !== measuredAt?.getTime() || !known) return false;
    const isCurrent = known.changedAt?.getTime() === changedAt?.getTime();
    this.#workspaces.set(workspace, {
      ...{ ...known, bytes, measuredAt: this.#now() },
      changedAt: isCurrent ? undefined : known.changedAt,
    });
    return true;
  }

  #now(): Date {
    return new Date(this.#time++);
  }

  async totals(): Promise<ReadonlyMap<string, bigint>> {
    const totals = new Map<string, bigint>();
    for (const { organization, bytes } of this.#workspaces.values()) {
      totals.set(organization, (totals.get(organization) ?? 0n) + bytes);
    }
    return totals;
  }
}
