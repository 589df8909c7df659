export const SIZES = ['small', 'medium', 'large'] as const;

/** Fargate sizes: CPU units (1024 is one vCPU) and MiB of memory of a task, and how many tasks run. */
export interface TaskSize {
  readonly cpu: number;
  readonly memoryMiB: number;
  readonly least: number;
  readonly most: number;
}

export interface Size {
  readonly api: TaskSize;
  /** The edge, and beside it the runtime of SSR apps. */
  readonly edge: TaskSize;
  /**
   * `DATABASE_POOL_SIZE` of each program. PostgreSQL must have connections for twice the greatest number of tasks,
   * because an update starts the new ones first.
   */
  readonly pools: { readonly api: number; readonly edge: number; readonly runtime: number };
  readonly database: {
    readonly instanceType: string;
    readonly storageGiB: number;
    readonly maxStorageGiB: number;
    readonly isMultiAz: boolean;
    readonly backupDays: number;
  };
  readonly natGateways: number;
}

/** docs/deploy-aws.md estimates the monthly costs of each. */
export const SIZE_OF: Readonly<Record<(typeof SIZES)[number], Size>> = {
  small: {
    api: { cpu: 512, memoryMiB: 1024, least: 2, most: 4 },
    edge: { cpu: 512, memoryMiB: 1024, least: 2, most: 4 },
    pools: { api: 8, edge: 4, runtime: 3 },
    database: { instanceType: 't4g.small', storageGiB: 20, maxStorageGiB: 100, isMultiAz: false, backupDays: 7 },
    natGateways: 1,
  },
  medium: {
    api: { cpu: 1024, memoryMiB: 2048, least: 2, most: 8 },
    edge: { cpu: 1024, memoryMiB: 2048, least: 2, most: 12 },
    pools: { api: 10, edge: 10, runtime: 5 },
    database: { instanceType: 'm7g.large', storageGiB: 100, maxStorageGiB: 500, isMultiAz: true, backupDays: 14 },
    natGateways: 2,
  },
  large: {
    api: { cpu: 2048, memoryMiB: 4096, least: 4, most: 16 },
    edge: { cpu: 2048, memoryMiB: 4096, least: 6, most: 30 },
    pools: { api: 10, edge: 10, runtime: 5 },
    database: { instanceType: 'r7g.xlarge', storageGiB: 500, maxStorageGiB: 2000, isMultiAz: true, backupDays: 35 },
    natGateways: 2,
  },
};
