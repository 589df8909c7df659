import type { OnApplicationBootstrap } from '@nestjs/common';
import type { JobQueue } from '@homeport/platform/server/jobs';
import { type BudgetNoticePorts, SendBudgetNotices } from './application/send-budget-notices';

export const BUDGET_NOTICE_JOB = 'usage.budget-notices';
const EVERY_TEN_MINUTES = '*/10 * * * *';

/** Sends notices in the background. */
export class BudgetNoticeJobs implements OnApplicationBootstrap {
  readonly #send: SendBudgetNotices;

  constructor(
    private readonly jobs: JobQueue,
    ports: Omit<BudgetNoticePorts, 'retryAfter'>,
  ) {
    this.#send = new SendBudgetNotices({ ...ports, retryAfter: (seconds) => jobs.enqueue(BUDGET_NOTICE_JOB, seconds) });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.register({ name: BUDGET_NOTICE_JOB, cron: EVERY_TEN_MINUTES, run: () => this.#send.execute() });
  }
}
