import { Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { JobQueue } from '@homeport/platform/server';
import type { DnsKeeper } from './application/dns/dns-keeper';
import type { DnsSweep } from './application/dns/dns-sweep';
import type { AppRepository } from './application/registry/app-repository.port';
import type { IdempotencyKeys } from './application/registry/idempotency-keys.port';
import { DNS_JOB } from './application/upkeep-jobs';

const EVERY_MINUTE = '* * * * *';
const EVERY_NIGHT = '17 3 * * *';
const MOST_NAMED = 20;

export interface UpkeepTools {
  readonly jobs: JobQueue;
  readonly keeper: DnsKeeper;
  readonly sweep: DnsSweep;
  readonly keys: IdempotencyKeys;
  readonly apps: AppRepository;
}

/** The work on DNS records that no request waits for, done by whichever instance comes first. */
export class DnsUpkeep implements OnApplicationBootstrap {
  readonly #log = new Logger('dns');

  constructor(private readonly tools: UpkeepTools) {}

  async onApplicationBootstrap(): Promise<void> {
    const { jobs, keeper } = this.tools;
    await jobs.take({ name: DNS_JOB, cron: EVERY_MINUTE, run: () => keeper.reconcile() });
    await jobs.take({ name: `${DNS_JOB}-sweep`, cron: EVERY_NIGHT, run: () => this.#sweep() });
  }

  async #sweep(): Promise<void> {
    await this.tools.keys.removeExpired();
    await this.tools.apps.forgetFormerOwners();
    const { seen, ours, drifted, orphaned, isHeldBack } = await this.tools.sweep.run();
    this.#log.log(`The zone has ${seen} names, ${ours} of them ours.`);
    if (drifted.length > 0) this.#log.warn(`${drifted.length} records were not what they should be: ${some(drifted)}.`);
    if (isHeldBack) {
      this.#log.error(
        `${orphaned.length} of ${ours} records of ours belong to no app. That is too many to remove them unasked: ${some(orphaned)}.`,
      );
    } else if (orphaned.length > 0) {
      this.#log.warn(`${orphaned.length} records of ours belong to no app, and are removed: ${some(orphaned)}.`);
    }
  }
}

function some(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).join(', ');
  return names.length > MOST_NAMED ? `${shown} and ${names.length - MOST_NAMED} more` : shown;
}
