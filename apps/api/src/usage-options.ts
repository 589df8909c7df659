import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hash } from 'node:crypto';
import { countBillableDomains, countEnvironmentVariables, sumDeployBytes } from '@homeport/apps/server';
import type { ObjectStore } from '@homeport/files/server';
import { PostgresAccountRepository } from '@homeport/organizations/server';
import type { Database } from '@homeport/platform/server/database';
import type { JobQueue } from '@homeport/platform/server/jobs';
import { OutageLog } from '@homeport/platform/server/observability';
import { Charging, type PricingOptions } from '@homeport/pricing/server';
import {
  FileUsageSpool,
  LevelSource,
  type MeteredItem,
  PostgresBudgetRepository,
  PostgresMonthClosings,
  PostgresUsageStore,
  type MeteringOptions,
  PostgresStorageLedger,
  type StorageLedger,
  UsageRecorder,
  WorkspaceChanges,
  type UsageOptions,
} from '@homeport/usage/server';
import type { Logger } from 'pino';
import type { Config } from './config';
import { ChargesByPricing } from './usage/charges-by-pricing';
import { StatedPrices } from './usage/stated-prices';
import { queryOn, storageMeasurement } from './usage/storage-measurement';

interface UsageDependencies {
  readonly database: Database;
  readonly jobs: JobQueue;
  readonly pricing: PricingOptions;
  readonly objectStore: ObjectStore;
  readonly log: Pick<Logger, 'warn' | 'info'>;
}

/** The name of the outages of the folder that keeps recorded usage until PostgreSQL has it. */
const SPOOL = 'usage-spool';

export function usageOptions(
  config: Config,
  { database, jobs, pricing, objectStore, log }: UsageDependencies,
): UsageOptions {
  const { priceBook, priceRevisions, chargeLedger } = pricing;
  const store = new PostgresUsageStore(database);
  const ledger = new PostgresStorageLedger(database);
  const outages = new OutageLog(SPOOL, log);
  const recorder = new UsageRecorder({
    store,
    spool: new FileUsageSpool(usageFolderOf(config)),
    reportFailure: (error) => outages.failed(error, 'deliver'),
    reportSuccess: () => outages.succeeded('deliver'),
  });
  return {
    store,
    closings: new PostgresMonthClosings(database),
    budgets: new PostgresBudgetRepository(database),
    accounts: new PostgresAccountRepository(database),
    prices: new StatedPrices(priceBook),
    charges: new ChargesByPricing(new Charging(priceBook, priceRevisions, chargeLedger)),
    jobs,
    metering:
      config.METERING === 'on'
        ? {
            recorder,
            levels: levelSources(database, ledger),
            workspaceChanges: new WorkspaceChanges(ledger, (error) => outages.failed(error, 'note-changes')),
            measureStorage: storageMeasurement(ledger, { database, objectStore, log }),
          }
        : undefined,
  };
}

/** A folder for each database, because several installations can run on a machine. The password may change. */
export function usageFolderOf({
  USAGE_SPOOL_DIR,
  DATABASE_URL,
}: Pick<Config, 'USAGE_SPOOL_DIR' | 'DATABASE_URL'>): string {
  const database = DATABASE_URL.replace(/\/\/[^@/]*@/, '//');
  return join(USAGE_SPOOL_DIR ?? join(tmpdir(), 'homeport-usage'), hash('sha256', database).slice(0, 16));
}

function levelSources(database: Database, ledger: StorageLedger): MeteringOptions['levels'] {
  const query = queryOn(database);
  return [
    new QueriedLevels('storage', async () => sumOf(await sumDeployBytes(query), await ledger.totals())),
    new QueriedLevels('secret', () => countEnvironmentVariables(query)),
    new QueriedLevels('standard', () => countBillableDomains(query, 'hostname')),
    new QueriedLevels('premium', () => countBillableDomains(query, 'base')),
  ];
}

function sumOf(one: ReadonlyMap<string, bigint>, other: ReadonlyMap<string, bigint>): ReadonlyMap<string, bigint> {
  const sums = new Map(one);
  for (const [organization, level] of other) sums.set(organization, (sums.get(organization) ?? 0n) + level);
  return sums;
}

/** Levels that another domain counts. */
class QueriedLevels extends LevelSource {
  constructor(
    readonly item: MeteredItem,
    readonly levels: () => Promise<ReadonlyMap<string, bigint>>,
  ) {
    super();
  }
}
