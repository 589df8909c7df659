import type { OnApplicationBootstrap } from '@nestjs/common';
import type { JobQueue } from '@homeport/platform/server/jobs';
import type { DueChecks } from '../domains/application/due-checks';
import { DOMAINS_JOB } from '../shared/application/job-names';

const EVERY_MINUTE = '* * * * *';

/** The background job that checks domains. */
export class DomainJobs implements OnApplicationBootstrap {
  constructor(
    private readonly jobs: JobQueue,
    private readonly checks: DueChecks,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.register({ name: DOMAINS_JOB, cron: EVERY_MINUTE, run: () => this.checks.run() });
  }
}
