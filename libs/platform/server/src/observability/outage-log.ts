import type { Logger } from 'pino';
import { errorRecord } from './error-record';
import { causeCodeOf } from './failure-cause';

/** A finished call of a dependency. */
export interface DependencyCall {
  readonly dependency: string;
  readonly operation: string;
  /** `failure` for outages, `success` also for expected answers such as a conflict. */
  readonly outcome: 'success' | 'failure';
  readonly seconds: number;
}

/** @returns a function that passes calls on to all observers; undefined without any. */
export function callObserver(
  ...observers: readonly (((call: DependencyCall) => void) | undefined)[]
): ((call: DependencyCall) => void) | undefined {
  const present = observers.filter((observer) => observer !== undefined);
  if (present.length <= 1) return present[0];
  return (call) => {
    for (const observer of present) observer(call);
  };
}

export interface OutageLogOptions {
  /** Receives every call of `withOutageLog` and of the connection pools. Default: not measured. */
  readonly onCall?: ((call: DependencyCall) => void) | undefined;
  /** A monotonic clock in milliseconds. Default: `performance.now()`. */
  readonly now?: () => number;
  /** Milliseconds in which a recurring cause is not logged again. Default: 30,000. */
  readonly quietMs?: number;
  /** Whether lines include a stack trace; useful when defects are reported too. */
  readonly withStack?: boolean;
}

interface Outage {
  readonly since: number;
  /** The operations that fail with this cause. */
  readonly operations: Set<string>;
  /** Whether the start was logged; only then the end is logged. */
  isLogged: boolean;
}

const QUIET_MS = 30_000;
/** The maximum number of stored causes; the oldest one is dropped. */
const MAX_CAUSES = 20;

/**
 * Logs when a dependency starts to fail, with the cause, and when it recovers. An outage has one cause and ends when an
 * operation that failed with this cause succeeds: a successful read does not end an outage of writes. Repeated failures
 * with the same cause are not logged.
 */
export class OutageLog {
  readonly #outages = new Map<string, Outage>();
  readonly #loggedAt = new Map<string, number>();
  readonly #now: () => number;
  readonly #quietMs: number;
  readonly #withStack: boolean;
  readonly #onCall: OutageLogOptions['onCall'];

  /** @param dependency its name in `/health/ready`. */
  constructor(
    private readonly dependency: string,
    private readonly log: Pick<Logger, 'warn' | 'info'>,
    { now = () => performance.now(), quietMs = QUIET_MS, withStack = false, onCall }: OutageLogOptions = {},
  ) {
    this.#now = now;
    this.#quietMs = quietMs;
    this.#withStack = withStack;
    this.#onCall = onCall;
  }

  /**
   * Measures a call. It is separate from `failed` and `succeeded`, because not every report is a call: broken idle
   * connections are failures too.
   * @returns a function to call with the outcome; undefined when calls are not measured.
   */
  startCall(operation: string): ((outcome: DependencyCall['outcome']) => void) | undefined {
    const onCall = this.#onCall;
    if (!onCall) return undefined;
    const startedAt = this.#now();
    return (outcome) =>
      onCall({ dependency: this.dependency, operation, outcome, seconds: (this.#now() - startedAt) / 1_000 });
  }

  /** @param operation a short constant such as `read`, never input of a caller. */
  failed(error: unknown, operation: string): void {
    const cause = causeCodeOf(error);
    const outage = this.#outages.get(cause) ?? this.#start(cause);
    this.#removeFromOthers(operation, cause);
    outage.operations.add(operation);
    if (outage.isLogged || this.#isQuiet(cause)) return;
    outage.isLogged = true;
    this.#recordLogged(cause);
    this.log.warn(
      { dependency: this.dependency, operation, cause, err: errorRecord(error, this.#withStack) },
      'dependency failed',
    );
  }

  succeeded(operation: string): void {
    // Fast path: this runs for every successful call.
    if (this.#outages.size === 0) return;
    for (const [cause, { since, operations, isLogged }] of this.#outages) {
      if (!operations.has(operation)) continue;
      this.#outages.delete(cause);
      const ms = Math.round(this.#now() - since);
      if (isLogged) this.log.info({ dependency: this.dependency, operation, cause, ms }, 'dependency recovered');
    }
  }

  #start(cause: string): Outage {
    const outage = { since: this.#now(), operations: new Set<string>(), isLogged: false };
    if (this.#outages.size >= MAX_CAUSES) deleteOldest(this.#outages);
    this.#outages.set(cause, outage);
    return outage;
  }

  /** Removes the operation from other outages, because it fails with one cause at a time. */
  #removeFromOthers(operation: string, cause: string): void {
    for (const [other, { operations }] of this.#outages) {
      if (other !== cause && operations.delete(operation) && operations.size === 0) this.#outages.delete(other);
    }
  }

  #isQuiet(cause: string): boolean {
    return this.#now() - (this.#loggedAt.get(cause) ?? -Infinity) < this.#quietMs;
  }

  #recordLogged(cause: string): void {
    this.#loggedAt.delete(cause);
    if (this.#loggedAt.size >= MAX_CAUSES) deleteOldest(this.#loggedAt);
    this.#loggedAt.set(cause, this.#now());
  }
}

/** Deletes the first entry, because maps keep the order of insertion. */
function deleteOldest(entries: Map<string, unknown>): void {
  const [oldest] = entries.keys();
  if (oldest !== undefined) entries.delete(oldest);
}
