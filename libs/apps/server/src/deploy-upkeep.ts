import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import type { JobQueue } from '@homeport/platform/server';
import type { DeployKeeper } from './application/deploys/deploy-keeper';
import type { DeployIntake } from './application/deploys/deploy-intake';
import type { SpoolFolder } from './application/blobs/spool-folder';
import { DEPLOYS_JOB } from './application/upkeep-jobs';

const EVERY_MINUTE = '* * * * *';
const EVERY_HOUR = '23 * * * *';
/** What is being uploaded when the process is told to stop may end in this time. Requests are cut off after 25 s. */
const STOP_AFTER_MS = 15_000;

export interface DeployUpkeepTools {
  readonly jobs: JobQueue;
  readonly keeper: DeployKeeper;
  readonly intake: Pick<DeployIntake, 'stop'>;
  readonly spools: Pick<SpoolFolder, 'open' | 'removeLeftovers' | 'close'>;
}

/** The work on deploys that no request waits for, done by whichever instance comes first. */
export class DeployUpkeep implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  readonly #log = new Logger('deploys');

  constructor(private readonly tools: DeployUpkeepTools) {}

  /** @throws {Error} when the folder for temporary files cannot be written to: every deploy would fail. */
  async onApplicationBootstrap(): Promise<void> {
    const { jobs, spools } = this.tools;
    await spools.open();
    await this.#removeLeftovers();
    await jobs.take({ name: DEPLOYS_JOB, cron: EVERY_MINUTE, run: () => this.#failAbandoned() });
    await jobs.take({ name: `${DEPLOYS_JOB}-clean-up`, cron: EVERY_HOUR, run: () => this.#cleanUp() });
  }

  /** Called first when the process stops, before the server waits for its requests. */
  onModuleDestroy(): void {
    setTimeout(() => this.tools.intake.stop(), STOP_AFTER_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.tools.spools.close();
  }

  /** Of this machine: each instance looks after its own. */
  async #removeLeftovers(): Promise<void> {
    const removed = await this.tools.spools.removeLeftovers();
    if (removed > 0) this.#log.log(`${removed} folders with unfinished uploads of stopped processes were removed.`);
  }

  async #failAbandoned(): Promise<void> {
    const failed = await this.tools.keeper.failAbandoned();
    if (failed > 0) this.#log.warn(`${failed} uploads were interrupted: nobody was working on them any more.`);
  }

  async #cleanUp(): Promise<void> {
    const { archived, forgotten, removed } = await this.tools.keeper.cleanUp();
    if (archived + forgotten + removed === 0) return;
    this.#log.log(`${archived} old deploys were archived, ${forgotten} failed ones and ${removed} blobs removed.`);
  }
}
