import { countBillableDomains, countEnvironmentVariables, sumDeployBytes } from '@homeport/apps/server';
import type { ObjectStore } from '@homeport/files/server';
import { PostgresAccountRepository } from '@homeport/organizations/server';
import type { Database } from '@homeport/platform/server/database';
import type { JobQueue } from '@homeport/platform/server/jobs';
import { OutageLog } from '@homeport/platform/server/observability';
import { Charging, PostgresChargeLedger, PostgresPriceRevisions, type PricingOptions } from '@homeport/pricing/server';
import {
  LevelSource,
  type MeteredItem,
  type BudgetNoticeOptions,
  PostgresBudgetNoticeLedger,
  PostgresBudgetRepository,
  PostgresMonthClosings,
  PostgresUsageStore,
  type MeteringOptions,
  PostgresStorageLedger,
  type StorageLedger,
  UsageRecorder,
  WebhookNoticeSender,
  WorkspaceChanges,
  type UsageOptions,
} from '@homeport/usage/server';
import type { Logger } from 'pino';
import type { Config } from './config';
import { PricingChargeBook } from './usage/pricing-charge-book';
import { PublishedPriceList } from './usage/published-price-list';
import { queryOn, storageMeasurement } from './usage/storage-measurement';
import { usageSpoolOf } from './usage/usage-spool';

interface UsageDependencies {
  readonly database: Database;
  /** For jobs, so that they do not delay requests. */
  readonly background: Database;
  readonly jobs: JobQueue;
  readonly pricing: PricingOptions;
  readonly objectStore: ObjectStore;
  readonly log: Pick<Logger, 'warn' | 'info'>;
}

/** The name of the outages of the folder that keeps recorded usage until PostgreSQL has it. */
const SPOOL = 'usage-spool';

export function usageOptions(
  config: Config,
  { database, background, jobs, pricing, objectStore, log }: UsageDependencies,
): UsageOptions {
  const { priceBook, priceRevisions, chargeLedger } = pricing;
  const jobStore = new PostgresUsageStore(background);
  const ledger = new PostgresStorageLedger(background);
  const outages = new OutageLog(SPOOL, log);
  const recorder = new UsageRecorder({
    store: jobStore,
    spool: usageSpoolOf(config),
    reportFailure: (error, operation) => outages.failed(error, operation),
    reportSuccess: (operation) => outages.succeeded(operation),
  });
  return {
    store: new PostgresUsageStore(database),
    closings: new PostgresMonthClosings(background),
    budgets: new PostgresBudgetRepository(database),
    budgetNotices: budgetNoticeOptions(config, background),
    accounts: new PostgresAccountRepository(database),
    prices: new PublishedPriceList(priceBook),
    charges: new PricingChargeBook(new Charging(priceBook, priceRevisions, chargeLedger)),
    jobs,
    background: {
      store: jobStore,
      accounts: new PostgresAccountRepository(background),
      budgets: new PostgresBudgetRepository(background),
      charges: new PricingChargeBook(
        new Charging(priceBook, new PostgresPriceRevisions(background), new PostgresChargeLedger(background)),
      ),
    },
    metering:
      config.METERING === 'on'
        ? {
            recorder,
            levels: levelSources(background, ledger),
            workspaceChanges: new WorkspaceChanges(ledger, (error) => outages.failed(error, 'note-changes')),
            measureStorage: storageMeasurement(ledger, { database: background, objectStore, log }),
          }
        : undefined,
  };
}

function budgetNoticeOptions(
  { USAGE_NOTICES_URL, USAGE_NOTICES_KEYS }: Config,
  database: Database,
): BudgetNoticeOptions | undefined {
  if (USAGE_NOTICES_URL === undefined || USAGE_NOTICES_KEYS === undefined) return undefined;
  return {
    notices: new PostgresBudgetNoticeLedger(database),
    sender: new WebhookNoticeSender({ url: USAGE_NOTICES_URL, keys: USAGE_NOTICES_KEYS }),
  };
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
