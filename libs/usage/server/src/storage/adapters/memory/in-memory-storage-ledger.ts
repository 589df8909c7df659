import {
  type MeasuredWorkspace,
  StorageLedger,
  type WorkspaceOwner,
  type WorkspacePage,
} from '../../application/storage-ledger.port';

/** Keeps the ledger in memory, for tests. */
export class InMemoryStorageLedger extends StorageLedger {
  readonly #workspaces = new Map<string, MeasuredWorkspace & { readonly organization: string }>();
  #changes = 0;

  async noteChanges(owners: readonly WorkspaceOwner[]): Promise<void> {
    for (const { workspace, organization } of owners) {
      const bytes = this.#workspaces.get(workspace)?.bytes ?? 0n;
      this.#workspaces.set(workspace, { workspace, organization, bytes, changedAt: new Date(this.#changes++) });
    }
  }

  async page({ after = '', limit, onlyChanged }: WorkspacePage): Promise<readonly MeasuredWorkspace[]> {
    return [...this.#workspaces.values()]
      .filter(({ workspace, changedAt }) => workspace > after && (changedAt !== undefined || !onlyChanged))
      .sort((one, other) => (one.workspace < other.workspace ? -1 : 1))
      .slice(0, limit)
      .map(({ workspace, bytes, changedAt }) => ({ workspace, bytes, changedAt }));
  }

  async setBytes({ workspace, bytes, changedAt }: MeasuredWorkspace): Promise<void> {
    const known = this.#workspaces.get(workspace);
    if (!known) return;
    const isCurrent = known.changedAt?.getTime() === changedAt?.getTime();
    this.#workspaces.set(workspace, { ...known, bytes, changedAt: isCurrent ? undefined : known.changedAt });
  }

  async totals(): Promise<ReadonlyMap<string, bigint>> {
    const totals = new Map<string, bigint>();
    for (const { organization, bytes } of this.#workspaces.values()) {
      totals.set(organization, (totals.get(organization) ?? 0n) + bytes);
    }
    return totals;
  }
}
