import {
  INSTANCE_STATES,
  type InstanceStart,
  RUNTIME_FAILURES,
  type RuntimeFailure,
  type RuntimeProgram,
} from '@homeport/hosting/server/runtime';
import type { HealthMonitor } from '@homeport/platform/server/health';
import { addProgramMetrics, dependencyCalls, type Metrics } from '@homeport/platform/server/metrics';
import type { DependencyCall } from '@homeport/platform/server/observability';
import type { PostgresPool } from '@homeport/platform/server/postgres';

/** Receives what the runtime does. */
export interface RuntimeObserver {
  onCall(call: DependencyCall): void;
  onStart(start: InstanceStart): void;
  onFailure(failure: RuntimeFailure): void;
  /** Adds what is read at each scrape. */
  observe(state: RuntimeState): void;
}

export interface RuntimeState {
  readonly runtime: RuntimeProgram;
  readonly health: HealthMonitor;
  readonly pool: PostgresPool;
  /** Where the files of deploys are. */
  readonly folder: string;
  /** Undefined where apps do not run on this machine. */
  readonly memoryLimitBytes: number | undefined;
  /** Whether the runtime accepts requests. */
  readonly isReady: () => boolean;
}

/** Creates the metrics that count what the runtime does. Apps are no labels: their number has no limit. */
export function runtimeObserver(metrics: Metrics): RuntimeObserver {
  const start = metrics.durations({
    name: 'homeport_runtime_start_duration_seconds',
    help: 'Duration of starts of instances (cold starts) until the app listens, by outcome.',
    labels: ['outcome'],
  });
  const failed = metrics.counter({
    name: 'homeport_runtime_failures_total',
    help: 'Requests without a response of their app; queue-full: too many waited for an instance.',
    labels: ['failure'],
  });
  // A counter that appears with its first failure would hide that failure from rate().
  for (const failure of RUNTIME_FAILURES) failed({ failure }, 0);
  return {
    onCall: dependencyCalls(metrics),
    onStart: ({ outcome, seconds }) => start({ outcome }, seconds),
    onFailure: (failure) => failed({ failure }),
    observe: (state) => observeState(metrics, state),
  };
}

function observeState(metrics: Metrics, state: RuntimeState): void {
  const { runtime, health, pool, folder, memoryLimitBytes, isReady } = state;
  addProgramMetrics(metrics, { health, isReady, pools: { requests: pool }, folders: { runtime: folder } });
  metrics.gauge(
    { name: 'homeport_runtime_instances', help: 'Instances of apps on this machine by state.', labels: ['state'] },
    () => {
      const { byState } = runtime.instances;
      return INSTANCE_STATES.map((state) => ({ labels: { state }, value: byState.get(state) ?? 0 }));
    },
  );
  metrics.gauge(
    { name: 'homeport_runtime_crash_looping_revisions', help: 'Deploys that crash again and again.' },
    () => [{ value: runtime.instances.crashLooping }],
  );
  metrics.gauge({ name: 'homeport_runtime_memory_bytes', help: 'Memory of all instances, as last measured.' }, () => [
    { value: runtime.instances.memoryBytes },
  ]);
  metrics.gauge({ name: 'homeport_runtime_memory_limit_bytes', help: 'Memory that all instances may take.' }, () =>
    memoryLimitBytes === undefined ? [] : [{ value: memoryLimitBytes }],
  );
}
