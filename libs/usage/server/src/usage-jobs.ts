import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { JobQueue } from '@homeport/platform/server/jobs';
import type { MeasureLevels } from './metering/application/measure-levels';
import type { UsageRecorder } from './metering/application/usage-recorder';
import type { CloseMonths } from './months/application/close-months';

const EVERY_TEN_MINUTES = '*/10 * * * *';

interface UsageJobsOptions {
  readonly jobs: JobQueue;
  readonly recorder: UsageRecorder;
  readonly measureLevels: MeasureLevels;
  readonly closeMonths: CloseMonths;
}

/** The background work of usage. Several attempts in an hour make a missed level rare. */
export class UsageJobs implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly options: UsageJobsOptions) {}

  async onApplicationBootstrap(): Promise<void> {
    const { jobs, recorder, measureLevels, closeMonths } = this.options;
    recorder.start();
    await jobs.register({ name: 'usage.levels', cron: EVERY_TEN_MINUTES, run: () => measureLevels.execute() });
    await jobs.register({ name: 'usage.months', cron: EVERY_TEN_MINUTES, run: () => closeMonths.execute() });
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.options.recorder.stop();
  }
}
