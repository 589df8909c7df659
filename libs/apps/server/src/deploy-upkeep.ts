import { Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { JobQueue } from '@homeport/platform/server';
import type { DeployKeeper } from './application/deploys/deploy-keeper';
import { UploadSpool } from './application/blobs/upload-spool';
import { DEPLOYS_JOB } from './application/upkeep-jobs';

const EVERY_MINUTE = '* * * * *';
const EVERY_HOUR = '23 * * * *';
/** Longer than any upload takes. */
const LEFTOVER_AGE_MS = 24 * 60 * 60 * 1_000;

/** The work on deploys that no request waits for, done by whichever instance comes first. */
export class DeployUpkeep implements OnApplicationBootstrap {
  readonly #log = new Logger('deploys');

  constructor(
    private readonly jobs: JobQueue,
    private readonly keeper: DeployKeeper,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.#removeLeftovers();
    await this.jobs.take({ name: DEPLOYS_JOB, cron: EVERY_MINUTE, run: () => this.#failAbandoned() });
    await this.jobs.take({ name: `${DEPLOYS_JOB}-clean-up`, cron: EVERY_HOUR, run: () => this.#cleanUp() });
  }

  /** Of this machine: each instance looks after its own. */
  async #removeLeftovers(): Promise<void> {
    const removed = await UploadSpool.removeLeftovers(new Date(Date.now() - LEFTOVER_AGE_MS));
    if (removed > 0) this.#log.log(`${removed} folders of uploads that never came to an end were removed.`);
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
