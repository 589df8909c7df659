import { tmpdir } from 'node:os';
import { appsFigures } from '@homeport/apps/server';
import type { Database } from '@homeport/platform/server/database';
import type { HealthMonitor } from '@homeport/platform/server/health';
import type { MeasuredRequest } from '@homeport/platform/server/http';
import { jobFigures, type JobRun } from '@homeport/platform/server/jobs';
import { addProgramMetrics, dependencyCalls, type Metrics } from '@homeport/platform/server/metrics';
import type { LoadShedder } from '@homeport/platform/server/node-http';
import type { DependencyCall } from '@homeport/platform/server/observability';
import { usageFigures, type UsageOptions, type UsageRecorder } from '@homeport/usage/server';
import type { Config } from './config';
import { usageFolderOf } from './usage/usage-spool';

/** Receives what the API does. */
export interface ApiObserver {
  readonly metrics: Metrics;
  onCall(call: DependencyCall): void;
  onJobRun(run: JobRun): void;
  onRequest(request: MeasuredRequest): void;
  /** Adds what is read at each scrape. */
  observe(state: ApiState): void;
}

export interface ApiState {
  readonly health: HealthMonitor;
  readonly isDraining: () => boolean;
  readonly database: Database;
  readonly background: Database;
  readonly enqueuing: Database;
  readonly shedder: Pick<LoadShedder, 'refused'>;
  /** Without `metering` nothing is measured. */
  readonly usage: Pick<UsageOptions, 'metering'>;
  readonly config: Config;
}

/** Creates the metrics that count what the API does. */
export function apiObserver(metrics: Metrics): ApiObserver {
  const request = metrics.durations({
    name: 'homeport_http_request_duration_seconds',
    help: 'Duration of requests to the API by the pattern of their route, until the response was sent.',
    labels: ['method', 'route', 'status'],
  });
  const run = metrics.durations({
    name: 'homeport_job_run_duration_seconds',
    help: 'Duration of runs of background jobs by outcome.',
    labels: ['task', 'outcome'],
  });
  return {
    metrics,
    onCall: dependencyCalls(metrics),
    onJobRun: ({ job, outcome, seconds }) => run({ task: job, outcome }, seconds),
    onRequest: ({ method, route, status, seconds }) => request({ method, route, status }, seconds),
    observe: (state) => observeState(metrics, state),
  };
}

function observeState(
  metrics: Metrics,
  { health, isDraining, database, background, enqueuing, shedder, usage, config }: ApiState,
): void {
  const recorder = usage.metering?.recorder;
  const isUp = () => health.states.every(({ gates, status }) => status === 'up' || !gates);
  addProgramMetrics(metrics, {
    health,
    isReady: () => isUp() && !isDraining(),
    pools: { requests: database, background, enqueuing },
    folders: { temporary: tmpdir(), ...(recorder && { usage: usageFolderOf(config) }) },
  });
  metrics.observedCounter(
    {
      name: 'homeport_http_requests_refused_total',
      help: 'Requests refused with 503 because of an overload.',
    },
    () => [{ value: shedder.refused }],
  );
  // The connections of the background work answer also while requests take all others.
  const query = <Row>(text: string, values: unknown[] = []) =>
    background.run((manager) => manager.query<Row[]>(text, values));
  metrics.source(jobFigures(query));
  metrics.source(appsFigures(query));
  if (!recorder) return;
  observeRecorder(metrics, recorder);
  metrics.source(usageFigures(query));
}

function observeRecorder(metrics: Metrics, recorder: Pick<UsageRecorder, 'counted' | 'secondsBehind'>): void {
  metrics.observedCounter(
    { name: 'homeport_usage_counted_total', help: 'Calls that this instance counted for charges.' },
    () => [{ value: recorder.counted }],
  );
  metrics.gauge(
    {
      name: 'homeport_usage_behind_seconds',
      help: 'Time since PostgreSQL had all usage that this instance counted or found in its folder.',
    },
    () => [{ value: recorder.secondsBehind }],
  );
}
