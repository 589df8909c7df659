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

  async #measure(onlyChanged: boolean): Promise<void> {
    let after: string | undefined;
    for (;;) {
      const page = await this.ledger.page({ after, limit: PAGE_SIZE, onlyChanged });
      const last = page.at(-1);
      if (!last) return;
      const remaining = page.values();
      const measureSome = async () => {
        for (const workspace of remaining) await this.#measureOne(workspace);
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
