import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import type { AccountRepository } from '@homeport/organizations/server';
import type { JobQueue } from '@homeport/platform/server/jobs';
import { DisabledJobs } from './disabled-jobs';
import { BUDGET_NOTICE_JOB, BudgetNoticeJobs } from './budgets/budget-notice-jobs';
import { BudgetController } from './budgets/adapters/http/budget.controller';
import type { BudgetNoticeLedger } from './budgets/application/budget-notice-ledger.port';
import type { BudgetRepository } from './budgets/application/budget-repository.port';
import { Budgets } from './budgets/application/budgets';
import type { NoticeSender } from './budgets/application/notice-sender.port';
import { UsageEventsController } from './metering/adapters/http/usage-events.controller';
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
import { USAGE_JOBS, UsageJobs } from './usage-jobs';

export interface UsageOptions {
  readonly store: UsageStore;
  readonly closings: MonthClosings;
  readonly budgets: BudgetRepository;
  /** Undefined when notices are shown on the page only. */
  readonly budgetNotices: BudgetNoticeOptions | undefined;
  readonly accounts: AccountRepository;
  readonly prices: PriceList;
  readonly charges: ChargeBook;
  readonly jobs: JobQueue;
  /** The same tables through the connections of the background work, so that jobs do not delay requests. */
  readonly background: Pick<UsageOptions, 'store' | 'accounts' | 'budgets' | 'charges'>;
  /** Undefined when metering is off: nothing is measured and no month is charged. */
  readonly metering: MeteringOptions | undefined;
}

export interface BudgetNoticeOptions {
  readonly notices: BudgetNoticeLedger;
  readonly sender: NoticeSender;
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
  static forRoot(options: UsageOptions): DynamicModule {
    const { store, budgets, prices, charges } = options;
    const accounts = new Accounts(options.accounts, prices);
    const coverage = new TrialCoverage(store, charges);
    const isMetering = options.metering !== undefined;
    return {
      module: UsageModule,
      controllers: [UsageController, UsageEventsController, ChargesController, BudgetController],
      providers: [
        { provide: ReadMonth, useValue: new ReadMonth(store, accounts, coverage, { isMetering }) },
        { provide: ReportUsage, useValue: new ReportUsage(store, accounts) },
        { provide: ChargeHistory, useValue: new ChargeHistory(charges, isMetering) },
        { provide: Budgets, useValue: new Budgets(budgets) },
        ...jobs(options),
      ],
    };
  }
}

/** The jobs use the connections of the background work. */
function jobs({ jobs, closings, budgetNotices, prices, metering, background }: UsageOptions): Provider[] {
  const { store, budgets, charges } = background;
  const accounts = new Accounts(background.accounts, prices);
  const coverage = new TrialCoverage(store, charges);
  const providers: Provider[] = [];
  const disabled: string[] = [];
  if (budgetNotices) {
    const months = new ReadMonth(store, accounts, coverage);
    const notices = new BudgetNoticeJobs(jobs, { ...budgetNotices, budgets, months });
    providers.push({ provide: BudgetNoticeJobs, useValue: notices });
  } else disabled.push(BUDGET_NOTICE_JOB);
  if (metering) {
    const { levels, ...measured } = metering;
    const usageJobs = new UsageJobs({
      ...{ jobs, ...measured },
      measureLevels: new MeasureLevels(store, levels),
      closeMonths: new CloseMonths({ store, closings, accounts, charges, coverage }),
      removeExpired: new RemoveExpiredUsage(store),
    });
    providers.push({ provide: UsageJobs, useValue: usageJobs });
  } else disabled.push(...Object.values(USAGE_JOBS));
  return [...providers, { provide: DisabledJobs, useValue: new DisabledJobs(jobs, disabled) }];
}
