import { appsFigures } from '@homeport/apps/server';
import { DatabaseUnavailable } from '@homeport/kernel';
import type { Database } from '@homeport/platform/server/database';
import { jobFigures } from '@homeport/platform/server/jobs';
import type { FigureSource, Labels, Sample } from '@homeport/platform/server/metrics';
import { usageFigures, type UsageOptions } from '@homeport/usage/server';
import type { Logger } from 'pino';

/** Shorter than the five minutes over which alarms count lines, so that each such period has one. */
const INTERVAL_MS = 240_000;

interface Limit {
  /** The metric of docs/metrics.md. */
  readonly figure: string;
  /** Only samples with these labels. Default: all. */
  readonly labels?: Labels;
  readonly above: number;
}

/** The limits of the alert rules in deploy/alerts/homeport.yml. */
export const OVERDUE_LIMITS: readonly Limit[] = [
  { figure: 'homeport_job_queue_oldest_due_seconds', above: 300 },
  { figure: 'homeport_dns_records', labels: { state: 'failed' }, above: 0 },
  { figure: 'homeport_usage_months_overdue', above: 0 },
  { figure: 'homeport_usage_behind_seconds', above: 900 },
];

type Reading = Pick<FigureSource, 'read'>;

/** Logs background work that is overdue, for operators who watch the log and not the metrics. */
export class OverdueWorkLog {
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly sources: readonly Reading[],
    private readonly log: Pick<Logger, 'warn' | 'error'>,
  ) {}

  /** Logs now and then every four minutes. */
  start(): void {
    if (this.#timer) return;
    void this.check();
    this.#timer = setInterval(() => void this.check(), INTERVAL_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Writes a line for each figure above its limit. Never rejects. */
  async check(): Promise<void> {
    for (const source of this.sources) {
      try {
        this.#report(await source.read());
      } catch (error) {
        // The outage of PostgreSQL is logged already.
        if (!(error instanceof DatabaseUnavailable)) this.log.error({ err: error }, 'overdue work could not be read');
      }
    }
  }

  #report(found: Readonly<Record<string, readonly Sample[]>>): void {
    for (const { figure, labels, above } of OVERDUE_LIMITS) {
      for (const sample of found[figure] ?? []) {
        if (sample.value <= above || !hasLabels(sample, labels)) continue;
        this.log.warn({ figure, ...sample.labels, value: Math.round(sample.value) }, 'background work is overdue');
      }
    }
  }
}

function hasLabels({ labels = {} }: Sample, wanted: Labels = {}): boolean {
  return Object.entries(wanted).every(([name, value]) => labels[name] === value);
}

interface ObservedWork {
  readonly background: Database;
  /** Without `metering` nothing is measured. */
  readonly usage: Pick<UsageOptions, 'metering'>;
}

export function overdueWorkLog({ background, usage }: ObservedWork, log: Logger): OverdueWorkLog {
  const query = <Row>(text: string, values: unknown[] = []) =>
    background.run((manager) => manager.query<Row[]>(text, values));
  const sources: Reading[] = [jobFigures(query), appsFigures(query)];
  const recorder = usage.metering?.recorder;
  if (recorder) {
    const behind = () => Promise.resolve({ homeport_usage_behind_seconds: [{ value: recorder.secondsBehind }] });
    sources.push(usageFigures(query), { read: behind });
  }
  return new OverdueWorkLog(sources, log);
}
