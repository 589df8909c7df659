import { type DynamicModule, Module } from '@nestjs/common';
import type { AccountRepository } from '@homeport/organizations/server';
import type { JobQueue } from '@homeport/platform/server/jobs';
import { BudgetController } from './budgets/adapters/http/budget.controller';
import type { BudgetRepository } from './budgets/application/budget-repository.port';
import { Budgets } from './budgets/application/budgets';
import type { LevelSource } from './metering/application/level-source.port';
import { MeasureLevels } from './metering/application/measure-levels';
import { RemoveExpiredUsage } from './metering/application/remove-expired-usage';
import { ReportUsage } from './metering/application/report-usage';
import type { UsageRecorder } from './metering/application/usage-recorder';
import type { UsageStore } from './metering/application/usage-store.port';
import { ChargesController } from './months/adapters/http/charges.controller';
import { UsageController } from './months/adapters/http/usage.controller';
import { Accounts } from './months/application/accounts';
import type { ChargeBook } from './months/application/charge-book.port';
import { ChargeHistory } from './months/application/charge-history';
import { CloseMonths } from './months/application/close-months';
import type { MonthClosings } from './months/application/month-closings.port';
import type { PriceList } from './months/application/price-list.port';
import { ReadMonth } from './months/application/read-month';
import { TrialCoverage } from './months/application/trial-coverage';
import type { MeasureStorage } from './storage/application/measure-storage';
import type { WorkspaceChanges } from './storage/application/workspace-changes';
import { UsageJobs } from './usage-jobs';

export interface UsageOptions {
  readonly store: UsageStore;
  readonly closings: MonthClosings;
  readonly budgets: BudgetRepository;
  readonly accounts: AccountRepository;
  readonly prices: PriceList;
  readonly charges: ChargeBook;
  readonly jobs: JobQueue;
  /** The same tables through the connections of the background work, so that jobs do not delay requests. */
  readonly background: Pick<UsageOptions, 'store' | 'accounts' | 'charges'>;
  /** Undefined when metering is off: nothing is measured and no month is charged. */
  readonly metering: MeteringOptions | undefined;
}

export interface MeteringOptions {
  readonly recorder: UsageRecorder;
  readonly levels: readonly LevelSource[];
  readonly workspaceChanges: WorkspaceChanges;
  readonly measureStorage: MeasureStorage;
}

/** Measures usage, shows it with its cost, and charges it. */
@Module({})
export class UsageModule {
  static forRoot({
    store,
    closings,
    budgets,
    prices,
    charges,
    jobs,
    metering,
    background,
    ...options
  }: UsageOptions): DynamicModule {
    const accounts = new Accounts(options.accounts, prices);
    const coverage = new TrialCoverage(store, charges);
    const closeMonths = new CloseMonths({
      ...{ closings, store: background.store, charges: background.charges },
      accounts: new Accounts(background.accounts, prices),
      coverage: new TrialCoverage(background.store, background.charges),
    });
    return {
      module: UsageModule,
      controllers: [UsageController, ChargesController, BudgetController],
      providers: [
        { provide: ReadMonth, useValue: new ReadMonth(store, accounts, coverage) },
        { provide: ReportUsage, useValue: new ReportUsage(store, accounts) },
        { provide: ChargeHistory, useValue: new ChargeHistory(charges) },
        { provide: Budgets, useValue: new Budgets(budgets) },
        ...(metering
          ? [
              {
                provide: UsageJobs,
                useValue: new UsageJobs({
                  jobs,
                  recorder: metering.recorder,
                  workspaceChanges: metering.workspaceChanges,
                  measureStorage: metering.measureStorage,
                  measureLevels: new MeasureLevels(background.store, metering.levels),
                  closeMonths,
                  removeExpired: new RemoveExpiredUsage(background.store),
                }),
              },
            ]
          : []),
      ],
    };
  }
}
