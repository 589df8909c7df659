import type { Logger } from 'pino';
import { errorRecord } from './error-record';
import { causeCodeOf } from './failure-cause';

export interface OutageLogOptions {
  /** Milliseconds on a monotonic clock. Default: `performance.now()`. */
  readonly now?: () => number;
  /** How long the same cause is not logged again when it comes back. Default: 30,000 ms. */
  readonly quietMs?: number;
  /** Whether lines carry a stack trace: where defects are reported too. */
  readonly withStack?: boolean;
}

interface Outage {
  readonly since: number;
  /** The operations that fail with this cause. */
  readonly operations: Set<string>;
  /** Whether its begin was logged: then its end is too. */
  isLogged: boolean;
}

const QUIET_MS = 30_000;
/** A dependency with more causes at once than this has the oldest forgotten. */
const MAX_CAUSES = 20;

/**
 * Logs when a dependency begins to fail, with the cause, and when it works again. An outage is one cause, and ends
 * when an operation that failed with it succeeds: reads that work do not end an outage in which only writes are refused.
 * Repeated failures are silent; a new cause is a new line.
 */
export class OutageLog {
  readonly #outages = new Map<string, Outage>();
  readonly #loggedAt = new Map<string, number>();
  readonly #now: () => number;
  readonly #quietMs: number;
  readonly #withStack: boolean;

  /** @param dependency the name that `/health/ready` has for it. */
  constructor(
    private readonly dependency: string,
    private readonly log: Pick<Logger, 'warn' | 'info'>,
    { now = () => performance.now(), quietMs = QUIET_MS, withStack = false }: OutageLogOptions = {},
  ) {
    this.#now = now;
    this.#quietMs = quietMs;
    this.#withStack = withStack;
  }

  /** @param operation a short constant such as `read`; never something a caller has sent. */
  failed(error: unknown, operation: string): void {
    const cause = causeCodeOf(error);
    const outage = this.#outages.get(cause) ?? this.#begin(cause);
    this.#leave(operation, cause);
    outage.operations.add(operation);
    if (outage.isLogged || this.#isQuiet(cause)) return;
    outage.isLogged = true;
    this.#remember(cause);
    this.log.warn(
      { dependency: this.dependency, operation, cause, err: errorRecord(error, this.#withStack) },
      'dependency failed',
    );
  }

  succeeded(operation: string): void {
    // This is called for every request that the dependency answers.
    if (this.#outages.size === 0) return;
    for (const [cause, { since, operations, isLogged }] of this.#outages) {
      if (!operations.has(operation)) continue;
      this.#outages.delete(cause);
      const ms = Math.round(this.#now() - since);
      if (isLogged) this.log.info({ dependency: this.dependency, operation, cause, ms }, 'dependency recovered');
    }
  }

  #begin(cause: string): Outage {
    const outage = { since: this.#now(), operations: new Set<string>(), isLogged: false };
    if (this.#outages.size >= MAX_CAUSES) deleteOldest(this.#outages);
    this.#outages.set(cause, outage);
    return outage;
  }

  /** An operation fails with one cause at a time. */
  #leave(operation: string, cause: string): void {
    for (const [other, { operations }] of this.#outages) {
      if (other !== cause && operations.delete(operation) && operations.size === 0) this.#outages.delete(other);
    }
  }

  #isQuiet(cause: string): boolean {
    return this.#now() - (this.#loggedAt.get(cause) ?? -Infinity) < this.#quietMs;
  }

  #remember(cause: string): void {
    this.#loggedAt.delete(cause);
    if (this.#loggedAt.size >= MAX_CAUSES) deleteOldest(this.#loggedAt);
    this.#loggedAt.set(cause, this.#now());
  }
}

/** Maps keep the order in which entries came. */
function deleteOldest(entries: Map<string, unknown>): void {
  const [oldest] = entries.keys();
  if (oldest !== undefined) entries.delete(oldest);
}
