import { setTimeout as pause } from 'node:timers/promises';
import { causeCodeOf } from '@homeport/platform/server/observability';

/** What a check found out about one setting. */
export interface Finding {
  readonly status: 'ok' | 'warning' | 'fault';
  /** What was found, in one sentence. */
  readonly detail: string;
  /** How to correct it: the variable to change, the permission to grant or the command to run. */
  readonly remedy?: string;
}

/** What a failure means: the sentence and the remedy of its finding. */
export type Explanation = Required<Omit<Finding, 'status'>>;

/** Examines one setting against the real service. */
export interface Check {
  /** In kebab-case; unique. */
  readonly name: string;
  /** Names of earlier checks. When one of them has a fault or is skipped, this check is skipped. */
  readonly needs?: readonly string[];
  /** Milliseconds; default: 10 s. */
  readonly limitMs?: number;
  /**
   * Rejects when the service refuses or does not answer. When the signal aborts, it removes its probes before it settles.
   */
  run(signal: AbortSignal): Promise<Finding>;
  /** @param code of the failure, as in the log; `timeout` when the check has not finished in time. */
  explain(code: string): Explanation;
}

export interface CheckReport extends Omit<Finding, 'status'> {
  readonly name: string;
  readonly status: Finding['status'] | 'skipped';
  /** The code of the failure that the detail explains. */
  readonly code?: string;
}

const LIMIT_MS = 10_000;
/** How long a check that was aborted may take to remove its probes. */
const CLEAN_UP_LIMIT_MS = 12_000;

export function ok(detail: string): Finding {
  return { status: 'ok', detail };
}

export function warning(detail: string, remedy: string): Finding {
  return { status: 'warning', detail, remedy };
}

export function fault(detail: string, remedy: string): Finding {
  return { status: 'fault', detail, remedy };
}

export interface RunOptions {
  /** Aborts all checks: they remove their probes. Default: none. */
  readonly stop?: AbortSignal | undefined;
  readonly cleanUpLimitMs?: number | undefined;
}

/** Runs all checks side by side, each after those that it needs. Yields the reports in the order of the checks. */
export async function* runChecks(
  checks: readonly Check[],
  options: RunOptions = {},
): AsyncGenerator<CheckReport, void, void> {
  const reports = new Map<string, Promise<CheckReport>>();
  for (const check of checks) reports.set(check.name, runAfterNeeds(check, reports, options));
  for (const report of reports.values()) yield await report;
}

async function runAfterNeeds(
  check: Check,
  reports: ReadonlyMap<string, Promise<CheckReport>>,
  options: RunOptions,
): Promise<CheckReport> {
  const { name, needs = [] } = check;
  const needed = await Promise.all(needs.map((each) => reports.get(each)));
  const failed = needed.find((report) => report?.status === 'fault' || report?.status === 'skipped');
  if (failed) return { name, status: 'skipped', detail: `It needs ${failed.name}.` };
  if (options.stop?.aborted === true) return { name, status: 'skipped', detail: 'The doctor was stopped.' };
  return { name, ...(await runWithin(check, options)) };
}

async function runWithin(
  check: Check,
  { stop, cleanUpLimitMs = CLEAN_UP_LIMIT_MS }: RunOptions,
): Promise<Omit<CheckReport, 'name'>> {
  const limit = AbortSignal.timeout(check.limitMs ?? LIMIT_MS);
  const signal = stop ? AbortSignal.any([limit, stop]) : limit;
  const running = check.run(signal);
  try {
    return await Promise.race([running, rejectionOf(signal)]);
  } catch (error) {
    await settledWithin(running, cleanUpLimitMs);
    const code = signal.aborted ? 'timeout' : causeCodeOf(error);
    return { status: 'fault', ...check.explain(code), code };
  }
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** Resolves when the run has settled, or after the limit: a service that does not answer must not hold the report. */
async function settledWithin(running: Promise<unknown>, limitMs: number): Promise<void> {
  const end = new AbortController();
  const limit = pause(limitMs, undefined, { signal: end.signal });
  await Promise.allSettled([Promise.race([running, limit]).finally(() => end.abort()), limit]);
}
