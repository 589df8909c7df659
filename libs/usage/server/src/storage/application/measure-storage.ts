import type { MeasuredWorkspace, StorageLedger } from './storage-ledger.port';
import type { WorkspaceSizes } from './workspace-sizes.port';

const PAGE_SIZE = 500;
/** Workspaces that are listed at once. */
const CONCURRENCY = 4;

/** A workspace whose recorded bytes were wrong although no change was noted. */
export interface StorageDrift {
  readonly workspace: string;
  readonly recorded: bigint;
  readonly found: bigint;
}

/** Measures the bytes of workspaces. */
export class MeasureStorage {
  constructor(
    private readonly ledger: StorageLedger,
    private readonly sizes: WorkspaceSizes,
    /** Receives what the inventory finds. */
    private readonly onDrift: (drift: StorageDrift) => void,
  ) {}

  /** Measures the workspaces that changed. */
  async measureChanged(): Promise<void> {
    await this.#measure(true);
  }

  /** Measures all workspaces, corrects the ledger and reports the differences that no noted change explains. */
  async takeInventory(): Promise<void> {
    await this.#measure(false);
  }

  /** Finds the differences that the inventory would correct, and changes nothing. */
  async findDrift(): Promise<readonly StorageDrift[]> {
    const drifts: StorageDrift[] = [];
    await this.#forEach(false, async ({ workspace, bytes: recorded, changedAt }) => {
      const found = changedAt === undefined ? await this.sizes.bytesOf(workspace) : recorded;
      if (found !== recorded) drifts.push({ workspace, recorded, found });
    });
    return drifts;
  }

  #measure(onlyChanged: boolean): Promise<void> {
    return this.#forEach(onlyChanged, (workspace) => this.#measureOne(workspace));
  }

  async #forEach(onlyChanged: boolean, work: (workspace: MeasuredWorkspace) => Promise<void>): Promise<void> {
    let after: string | undefined;
    for (;;) {
      const page = await this.ledger.page({ after, limit: PAGE_SIZE, onlyChanged });
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

  async #measureOne({ workspace, bytes: recorded, changedAt }: MeasuredWorkspace): Promise<void> {
    const found = await this.sizes.bytesOf(workspace);
    if (changedAt === undefined && found !== recorded) this.onDrift({ workspace, recorded, found });
    if (changedAt !== undefined || found !== recorded) {
      await this.ledger.setBytes({ workspace, bytes: found, changedAt });
    }
  }
}
