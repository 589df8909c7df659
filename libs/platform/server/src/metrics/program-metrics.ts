import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { HealthMonitor } from '../health/health-monitor';
import type { DependencyCall } from '../observability/outage-log';
import type { PoolUse } from '../postgres/query-queue';
import { homeportVersion } from '../process/effective-configuration';
import type { Metrics } from './metrics';

export interface ProgramMetricsOptions {
  readonly health: Pick<HealthMonitor, 'states'>;
  readonly isReady: () => boolean;
  /** The connection pools by name. */
  readonly pools: Readonly<Record<string, { readonly use: PoolUse }>>;
  /** Folders that grow with use, by a short constant name. */
  readonly folders: Readonly<Record<string, string>>;
  /** Default: `statfs`. */
  readonly readDisk?: typeof statfs;
}

/** @returns a function that records calls of dependencies, for `OutageLog`. */
export function dependencyCalls(metrics: Metrics): (call: DependencyCall) => void {
  const record = metrics.durations({
    name: 'homeport_dependency_call_duration_seconds',
    help: 'Duration of calls to a dependency by outcome; a failure is an outage, not an expected answer such as 404.',
    labels: ['dependency', 'operation', 'outcome'],
  });
  return ({ dependency, operation, outcome, seconds }) => record({ dependency, operation, outcome }, seconds);
}

/** Adds the metrics that all programs have. */
export function addProgramMetrics(
  metrics: Metrics,
  { health, isReady, pools, folders, readDisk = statfs }: ProgramMetricsOptions,
): void {
  metrics.gauge(
    { name: 'homeport_build_info', help: 'Always 1, with the version of Homeport.', labels: ['version'] },
    () => [{ labels: { version: homeportVersion() }, value: 1 }],
  );
  metrics.gauge({ name: 'homeport_ready', help: 'Whether this instance should receive requests.' }, () => [
    { value: Number(isReady()) },
  ]);
  metrics.gauge(
    {
      name: 'homeport_dependency_up',
      help: 'Whether the last background check of a dependency succeeded.',
      labels: ['dependency'],
    },
    () =>
      health.states
        .filter(({ status }) => status !== 'unknown')
        .map(({ name, status }) => ({ labels: { dependency: name }, value: Number(status === 'up') })),
  );
  addPoolMetrics(metrics, pools);
  addDiskMetrics(metrics, folders, readDisk);
}

const AVAILABLE = 'homeport_disk_available_bytes';
const SIZE = 'homeport_disk_size_bytes';

/** A source with a time limit, because a network disk may not answer. */
function addDiskMetrics(metrics: Metrics, folders: ProgramMetricsOptions['folders'], read: typeof statfs): void {
  if (Object.keys(folders).length === 0) return;
  const disks = Object.entries(folders).map(([folder, path]) => {
    let reading: Promise<StatsFs | undefined> | undefined;
    // One call at a time: each that does not return holds a thread of the pool for files.
    return { folder, disk: () => (reading ??= diskOf(path, read).finally(() => (reading = undefined))) };
  });
  metrics.source({
    name: 'disks',
    figures: [
      {
        type: 'gauge',
        name: AVAILABLE,
        help: 'Free space on the disk of a folder that this process writes to.',
        labels: ['folder'],
      },
      { type: 'gauge', name: SIZE, help: 'Size of the disk of that folder.', labels: ['folder'] },
    ],
    read: async () => {
      const found = await Promise.all(disks.map(async ({ folder, disk }) => ({ folder, disk: await disk() })));
      const samples = (blocksOf: (disk: StatsFs) => number) =>
        found.flatMap(({ folder, disk }) => (disk ? [{ labels: { folder }, value: blocksOf(disk) * disk.bsize }] : []));
      return { [AVAILABLE]: samples(({ bavail }) => bavail), [SIZE]: samples(({ blocks }) => blocks) };
    },
  });
}

/** The disk of a folder, or the one on which it will be created. Undefined when it cannot be read. */
async function diskOf(path: string, read: typeof statfs): Promise<StatsFs | undefined> {
  try {
    return await read(path);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return isMissing && dirname(path) !== path ? diskOf(dirname(path), read) : undefined;
  }
}

function addPoolMetrics(metrics: Metrics, pools: ProgramMetricsOptions['pools']): void {
  const eachPool = (valueOf: (use: PoolUse) => number) => () =>
    Object.entries(pools).map(([pool, { use }]) => ({ labels: { pool }, value: valueOf(use) }));
  metrics.gauge(
    {
      name: 'homeport_postgres_pool_limit',
      help: 'Queries and transactions of a connection pool that may run at the same time.',
      labels: ['pool'],
    },
    eachPool(({ limit }) => limit),
  );
  metrics.gauge(
    {
      name: 'homeport_postgres_pool_active',
      help: 'Queries and transactions that run.',
      labels: ['pool'],
    },
    eachPool(({ active }) => active),
  );
  metrics.gauge(
    {
      name: 'homeport_postgres_pool_waiting',
      help: 'Queries and transactions that wait for a connection.',
      labels: ['pool'],
    },
    eachPool(({ waiting }) => waiting),
  );
}
