import { Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { JobQueue } from '@homeport/platform/server';
import { DEPLOYS_JOB } from './adapters/postgres/postgres-deploy-repository';
import type { DeployKeeper } from './application/deploy-keeper';

const EVERY_MINUTE = '* * * * *';
const EVERY_HOUR = '23 * * * *';

/** The work on deploys that no request waits for, done by whichever instance comes first. */
export class DeployUpkeep implements OnApplicationBootstrap {
  readonly #log = new Logger('deploys');

  constructor(
    private readonly jobs: JobQueue,
    private readonly keeper: DeployKeeper,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.take({ name: DEPLOYS_JOB, cron: EVERY_MINUTE, run: () => this.#failAbandoned() });
    await this.jobs.take({ name: `${DEPLOYS_JOB}-clean-up`, cron: EVERY_HOUR, run: () => this.#cleanUp() });
  }

  async #failAbandoned(): Promise<void> {
    const failed = await this.keeper.failAbandoned();
    if (failed > 0) this.#log.warn(`${failed} uploads were interrupted: nobody was working on them any more.`);
  }

  async #cleanUp(): Promise<void> {
    const { archived, removed } = await this.keeper.cleanUp();
    if (archived + removed > 0) this.#log.log(`${archived} old deploys were archived, ${removed} blobs removed.`);
  }
}
