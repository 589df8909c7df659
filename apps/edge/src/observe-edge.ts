import type { Edge, MeasuredVisit } from '@homeport/hosting/server';
import type { HealthMonitor } from '@homeport/platform/server/health';
import { addProgramMetrics, dependencyCalls, type Metrics } from '@homeport/platform/server/metrics';
import type { LoadShedder } from '@homeport/platform/server/node-http';
import type { DependencyCall } from '@homeport/platform/server/observability';
import type { PostgresPool } from '@homeport/platform/server/postgres';

/** Receives what the edge does. */
export interface EdgeObserver {
  onCall(call: DependencyCall): void;
  onVisit(visit: MeasuredVisit): void;
  /** Adds what is read at each scrape. */
  observe(state: EdgeState): void;
}

export interface EdgeState {
  readonly edge: Edge;
  readonly health: HealthMonitor;
  readonly pool: PostgresPool;
  readonly shedder: Pick<LoadShedder, 'refused'>;
}

/** Creates the metrics that count what the edge does. Sites and paths are no labels: their number has no limit. */
export function edgeObserver(metrics: Metrics): EdgeObserver {
  const record = metrics.durations({
    name: 'homeport_edge_request_duration_seconds',
    help: 'Duration of requests to deployed apps until the head of the response; server: answered by the server of an app.',
    labels: ['served_by', 'status'],
  });
  return {
    onCall: dependencyCalls(metrics),
    onVisit: ({ servedBy, status, seconds }) =>
      record({ served_by: servedBy, status: `${Math.floor(status / 100)}xx` }, seconds),
    observe: (state) => observeState(metrics, state),
  };
}

function observeState(metrics: Metrics, { edge, health, pool, shedder }: EdgeState): void {
  addProgramMetrics(metrics, { health, isReady: () => edge.isReady, pools: { requests: pool }, folders: {} });
  const eachCache = (valueOf: (cache: Edge['caches']['sites']) => number) => () =>
    Object.entries(edge.caches).map(([cache, use]) => ({ labels: { cache }, value: valueOf(use) }));
  metrics.observedCounter(
    { name: 'homeport_edge_cache_hits_total', help: 'Lookups that a cache answered.', labels: ['cache'] },
    eachCache(({ hits }) => hits),
  );
  metrics.observedCounter(
    {
      name: 'homeport_edge_cache_misses_total',
      help: 'Lookups that PostgreSQL or the storage had to answer.',
      labels: ['cache'],
    },
    eachCache(({ misses }) => misses),
  );
  metrics.gauge(
    { name: 'homeport_edge_cache_entries', help: 'Entries of a cache.', labels: ['cache'] },
    eachCache(({ entries }) => entries),
  );
  metrics.observedCounter(
    { name: 'homeport_edge_requests_refused_total', help: 'Requests refused with 503 because of an overload.' },
    () => [{ value: shedder.refused }],
  );
  metrics.gauge({ name: 'homeport_edge_cache_bytes', help: 'Memory of the cached bodies of files.' }, () => [
    { value: edge.cachedBytes },
  ]);
}
