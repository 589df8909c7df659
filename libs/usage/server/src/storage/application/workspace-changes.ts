import { DatabaseUnavailable } from '@homeport/kernel';
import type { StorageLedger } from './storage-ledger.port';

const FLUSH_MS = 1_000;
/** Workspaces that one instance remembers while the database is unavailable; the nightly inventory finds the others. */
const MAX_PENDING = 100_000;

/** Collects changes of workspaces and notes them in the ledger each second, so that requests do not wait for it. */
export class WorkspaceChanges {
  #pending = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;

  /** @param reportFailure receives errors other than an unavailable database. */
  constructor(
    private readonly ledger: StorageLedger,
    private readonly reportFailure: (error: unknown) => void,
  ) {}

  note(workspace: string, organization: string): void {
    if (this.#pending.size < MAX_PENDING) this.#pending.set(workspace, organization);
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.flush(), FLUSH_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#flushing;
    await this.flush();
  }

  /** Never rejects. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => (this.#flushing = undefined));
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    if (this.#pending.size === 0) return;
    const noted = this.#pending;
    this.#pending = new Map();
    try {
      await this.ledger.noteChanges([...noted].map(([workspace, organization]) => ({ workspace, organization })));
    } catch (error) {
      this.#pending = new Map([...noted, ...this.#pending]);
      if (!(error instanceof DatabaseUnavailable)) this.reportFailure(error);
    }
  }
}
