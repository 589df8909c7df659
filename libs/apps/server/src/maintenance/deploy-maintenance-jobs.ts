import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { JobQueue } from '@homeport/platform/server/jobs';
import type { DeployGarbageCollector } from '../deploys/application/deploy-garbage-collector';
import type { SpoolFolder } from '../blobs/application/spool-folder';
import { DEPLOYS_JOB } from '../shared/application/job-names';

const EVERY_MINUTE = '* * * * *';
const EVERY_HOUR = '23 * * * *';

export interface DeployMaintenanceJobsDependencies {
  readonly jobs: JobQueue;
  readonly garbageCollector: DeployGarbageCollector;
  readonly spools: Pick<SpoolFolder, 'open' | 'removeLeftovers' | 'close'>;
}

/** Background jobs for deploys; one instance executes each run. */
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

  async #cleanUp(): Promise<void> {
    const { archived, forgotten, removed } = await this.dependencies.garbageCollector.cleanUp();
    if (archived + forgotten + removed === 0) return;
    this.#log.log(`Archived ${archived} old deploys; removed ${forgotten} failed deploys and ${removed} blobs.`);
  }
}
