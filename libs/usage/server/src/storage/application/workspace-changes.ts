import { DatabaseUnavailable } from '@homeport/kernel';
import type { StorageLedger, WorkspaceOwner } from './storage-ledger.port';

const FLUSH_MS = 1_000;
/** Workspaces that one instance remembers while the database is unavailable; the nightly inventory finds the others. */
const MAX_PENDING = 100_000;
/** Workspaces that one instance does not send to the ledger again when they are used. */
const MAX_KNOWN = 100_000;

/** Collects used and changed workspaces for the ledger and writes them each second, so that requests do not wait. */
export class WorkspaceChanges {
  #pending = new Map<string, string>();
  /** Workspaces that were used and are not yet in the ledger for certain. */
  #visited = new Map<string, string>();
  /** Workspaces that the ledger has. */
  #known = new Set<string>();
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

  /** Notes that a workspace is used. The ledger adds it if it is missing, so that its earlier files count too. */
  visit(workspace: string, organization: string): void {
    if (this.#known.has(workspace) || this.#visited.size >= MAX_PENDING) return;
    this.#visited.set(workspace, organization);
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
    const [noted, visited] = [this.#pending, this.#visited];
    if (noted.size + visited.size === 0) return;
    this.#pending = new Map();
    this.#visited = new Map();
    try {
      await this.ledger.noteChanges(ownersIn(noted));
      await this.ledger.add(ownersIn(visited));
      this.#remember([...noted.keys(), ...visited.keys()]);
    } catch (error) {
      this.#pending = new Map([...noted, ...this.#pending]);
      this.#visited = new Map([...visited, ...this.#visited]);
      if (!(error instanceof DatabaseUnavailable)) this.reportFailure(error);
    }
  }

  #remember(workspaces: readonly string[]): void {
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    for (const workspace of workspaces) this.#known.add(workspace);
  }
}

function ownersIn(workspaces: ReadonlyMap<string, string>): WorkspaceOwner[] {
  return [...workspaces].map(([workspace, organization]) => ({ workspace, organization }));
}
