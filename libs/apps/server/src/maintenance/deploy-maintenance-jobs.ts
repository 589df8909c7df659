import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { JobQueue } from '@homeport/platform/server/jobs';
import type { DeployGarbageCollector } from '../deploys/application/deploy-garbage-collector';
import type { SpoolFolder } from '../blobs/application/spool-folder';
import type { LogRetention, RuntimeReports } from '../runtime/application/runtime-reports.port';
import { DEPLOYS_JOB } from '../shared/application/job-names';

const EVERY_MINUTE = '* * * * *';
const EVERY_TEN_MINUTES = '*/10 * * * *';
const EVERY_HOUR = '23 * * * *';
const LOG_RETENTION: LogRetention = { days: 7, bytes: 10 * 1024 * 1024 };

export interface DeployMaintenanceJobsDependencies {
  readonly jobs: JobQueue;
  readonly garbageCollector: DeployGarbageCollector;
  readonly spools: Pick<SpoolFolder, 'open' | 'removeLeftovers' | 'close'>;
  readonly reports: Pick<RuntimeReports, 'removeLines'>;
}

/** Background jobs for deploys and the logs of their servers; one instance executes each run. */
export class DeployMaintenanceJobs implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #log = new Logger('deploys');

  constructor(private readonly dependencies: DeployMaintenanceJobsDependencies) {}

  /** @throws {Error} when the temporary folder cannot be written to, because every deploy would fail. */
  async onApplicationBootstrap(): Promise<void> {
    const { jobs, spools } = this.dependencies;
    await spools.open();
    await this.#removeLeftovers();
    await jobs.register({ name: DEPLOYS_JOB, cron: EVERY_MINUTE, run: () => this.#failAbandoned() });
    await jobs.register({ name: `${DEPLOYS_JOB}-clean-up`, cron: EVERY_HOUR, run: () => this.#cleanUp() });
    await jobs.register({ name: 'logs-clean-up', cron: EVERY_TEN_MINUTES, run: () => this.#removeLines() });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.dependencies.spools.close();
  }

  /** Runs on each instance, because the folders are on its own disk. */
  async #removeLeftovers(): Promise<void> {
    const removed = await this.dependencies.spools.removeLeftovers();
    if (removed > 0) this.#log.log(`Removed ${removed} temporary upload folders of stopped processes.`);
  }

  async #failAbandoned(): Promise<void> {
    const failed = await this.dependencies.garbageCollector.failAbandoned();
    if (failed > 0) this.#log.warn(`Marked ${failed} uploads as failed: their instance stopped renewing the lease.`);
  }

  async #removeLines(): Promise<void> {
    const removed = await this.dependencies.reports.removeLines(LOG_RETENTION);
    if (removed > 0) this.#log.log(`Removed ${removed} old lines of logs.`);
  }

  async #cleanUp(): Promise<void> {
    const { archived, forgotten, removed } = await this.dependencies.garbageCollector.cleanUp();
    if (archived + forgotten + removed === 0) return;
    this.#log.log(`Archived ${archived} old deploys; removed ${forgotten} failed deploys and ${removed} blobs.`);
  }
}
