import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { JobQueue } from '@homeport/platform/server/jobs';
import type { MeasureLevels } from './metering/application/measure-levels';
import type { RemoveExpiredUsage } from './metering/application/remove-expired-usage';
import type { UsageRecorder } from './metering/application/usage-recorder';
import type { MeasureStorage } from './storage/application/measure-storage';
import type { WorkspaceChanges } from './storage/application/workspace-changes';
import type { CloseMonths } from './months/application/close-months';

const EVERY_TEN_MINUTES = '*/10 * * * *';
const EVERY_MINUTE = '* * * * *';
const EVERY_NIGHT = '17 3 * * *';

/** The jobs that run while metering is on. */
export const USAGE_JOBS = {
  storage: 'usage.storage',
  inventory: 'usage.storage-inventory',
  expiry: 'usage.expiry',
  levels: 'usage.levels',
  months: 'usage.months',
};

interface UsageJobsOptions {
  readonly jobs: JobQueue;
  readonly recorder: UsageRecorder;
  readonly workspaceChanges: WorkspaceChanges;
  readonly measureStorage: MeasureStorage;
  readonly measureLevels: MeasureLevels;
  readonly closeMonths: CloseMonths;
  readonly removeExpired: RemoveExpiredUsage;
}

/** The background work of usage. Several attempts in an hour make a missed level rare. */
export class UsageJobs implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly options: UsageJobsOptions) {}

  async onApplicationBootstrap(): Promise<void> {
    const { jobs, recorder, workspaceChanges, measureStorage, measureLevels, closeMonths, removeExpired } =
      this.options;
    await recorder.start();
    workspaceChanges.start();
    await jobs.register({
      name: USAGE_JOBS.storage,
      cron: EVERY_MINUTE,
      run: () => measureStorage.measureChanged(),
    });
    await jobs.register({
      name: USAGE_JOBS.inventory,
      cron: EVERY_NIGHT,
      run: () => measureStorage.takeInventory(),
    });
    await jobs.register({ name: USAGE_JOBS.expiry, cron: EVERY_TEN_MINUTES, run: () => removeExpired.execute() });
    await jobs.register({ name: USAGE_JOBS.levels, cron: EVERY_TEN_MINUTES, run: () => measureLevels.execute() });
    await jobs.register({ name: USAGE_JOBS.months, cron: EVERY_TEN_MINUTES, run: () => closeMonths.execute() });
    // A month can have become due while no instance ran.
    await jobs.enqueue(USAGE_JOBS.months, 0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.options.recorder.stop(), this.options.workspaceChanges.stop()]);
  }
}
