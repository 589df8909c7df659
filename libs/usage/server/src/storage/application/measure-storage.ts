import type { MeasuredWorkspace, StorageLedger } from './storage-ledger.port';
import type { StoredWorkspaces } from './stored-workspaces.port';
import type { WorkspaceOwners } from './workspace-owners.port';

const PAGE_SIZE = 500;
/** Workspaces that are listed at once. */
const CONCURRENCY = 4;

/** A workspace whose recorded bytes were wrong although no change was noted. */
export interface StorageDrift {
  readonly workspace: string;
  readonly recorded: bigint;
  readonly found: bigint;
}

export interface MeasureStorageOptions {
  readonly ledger: StorageLedger;
  readonly workspaces: StoredWorkspaces;
  readonly owners: WorkspaceOwners;
  /** Receives what the inventory corrects. */
  readonly onDrift: (drift: StorageDrift) => void;
  /** Receives the number of stored workspaces that are not measured, because it is unknown who pays for them. */
  readonly onUnowned: (count: number) => void;
}

/** Measures the bytes of workspaces. */
export class MeasureStorage {
  constructor(private readonly options: MeasureStorageOptions) {}

  /** Measures the workspaces that changed. */
  async measureChanged(): Promise<void> {
    await this.#measure(true);
  }

  /**
   * Adds stored workspaces that the ledger does not have, measures all workspaces, corrects the ledger and reports the
   * differences that no noted change explains.
   * @throws the error that prevented the first step, after the others.
   */
  async takeInventory(): Promise<void> {
    try {
      await this.#addMissing();
    } finally {
      await this.#measure(false);
    }
  }

  /** Finds the differences of known workspaces that the inventory would correct, and changes nothing. */
  async findDrift(): Promise<readonly StorageDrift[]> {
    const drifts: StorageDrift[] = [];
    await this.#forEach(false, async ({ workspace, bytes: recorded, changedAt }) => {
      const found = changedAt === undefined ? await this.options.workspaces.bytesOf(workspace) : recorded;
      if (found !== recorded) drifts.push({ workspace, recorded, found });
    });
    return drifts;
  }

  async #addMissing(): Promise<void> {
    const { ledger, workspaces, owners, onUnowned } = this.options;
    let unowned: string[] = [];
    for await (const page of workspaces.pages()) unowned.push(...(await ledger.missing(page)));
    if (unowned.length > 0) {
      const known = await owners.ownersOf(unowned);
      const found = unowned.flatMap((workspace) => {
        const organization = known.get(workspace);
        return organization === undefined ? [] : [{ workspace, organization }];
      });
      for (let start = 0; start < found.length; start += PAGE_SIZE) {
        await ledger.add(found.slice(start, start + PAGE_SIZE));
      }
      unowned = unowned.filter((workspace) => !known.has(workspace));
    }
    onUnowned(unowned.length);
  }

  #measure(onlyChanged: boolean): Promise<void> {
    return this.#forEach(onlyChanged, (workspace) => this.#measureOne(workspace));
  }

  async #forEach(onlyChanged: boolean, work: (workspace: MeasuredWorkspace) => Promise<void>): Promise<void> {
    let after: string | undefined;
    for (;;) {
      const page = await this.options.ledger.page({ after, limit: PAGE_SIZE, onlyChanged });
      const last = page.at(-1);
      if (!last) return;
      const remaining = page.values();
      const measureSome = async () => {
        for (const workspace of remaining) await work(workspace);
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, measureSome));
      after = last.workspace;
    }
  }

  async #measureOne(measured: MeasuredWorkspace): Promise<void> {
    const { workspace, bytes: recorded, changedAt } = measured;
    const found = await this.options.workspaces.bytesOf(workspace);
    if (changedAt === undefined && found === recorded) return;
    const isStored = await this.options.ledger.setBytes({ ...measured, bytes: found });
    if (isStored && changedAt === undefined) this.options.onDrift({ workspace, recorded, found });
  }
}
