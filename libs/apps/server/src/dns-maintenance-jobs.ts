import { Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { JobQueue } from '@homeport/platform/server';
import type { DnsReconciler } from './application/dns/dns-reconciler';
import type { DnsDriftDetector } from './application/dns/dns-drift-detector';
import type { AppRepository } from './application/registry/app-repository.port';
import type { IdempotencyKeys } from './application/registry/idempotency-keys.port';
import { DNS_JOB } from './application/maintenance-jobs';

const EVERY_MINUTE = '* * * * *';
const EVERY_NIGHT = '17 3 * * *';
const MAX_LOGGED_NAMES = 20;

export interface DnsMaintenanceJobsTools {
  readonly jobs: JobQueue;
  readonly reconciler: DnsReconciler;
  readonly driftDetector: DnsDriftDetector;
  readonly keys: IdempotencyKeys;
  readonly apps: AppRepository;
}

/** The work on DNS records that no request waits for, done by whichever instance comes first. */
export class DnsMaintenanceJobs implements OnApplicationBootstrap {
  readonly #log = new Logger('dns');

  constructor(private readonly tools: DnsMaintenanceJobsTools) {}

  async onApplicationBootstrap(): Promise<void> {
    const { jobs, reconciler } = this.tools;
    await jobs.register({ name: DNS_JOB, cron: EVERY_MINUTE, run: () => reconciler.reconcile() });
    await jobs.register({ name: `${DNS_JOB}-sweep`, cron: EVERY_NIGHT, run: () => this.#sweep() });
  }

  async #sweep(): Promise<void> {
    await this.tools.keys.removeExpired();
    await this.tools.apps.purgeFormerOwners();
    const { seen, ours, drifted, orphaned, isRemovalHalted } = await this.tools.driftDetector.run();
    this.#log.log(`The zone has ${seen} names, ${ours} of them ours.`);
    if (drifted.length > 0)
      this.#log.warn(`${drifted.length} records were not what they should be: ${summarize(drifted)}.`);
    if (isRemovalHalted) {
      this.#log.error(
        `${orphaned.length} of ${ours} records of ours belong to no app. That is too many to remove them unasked: ${summarize(orphaned)}.`,
      );
    } else if (orphaned.length > 0) {
      this.#log.warn(`${orphaned.length} records of ours belong to no app, and are removed: ${summarize(orphaned)}.`);
    }
  }
}

function summarize(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LOGGED_NAMES).join(', ');
  return names.length > MAX_LOGGED_NAMES ? `${shown} and ${names.length - MAX_LOGGED_NAMES} more` : shown;
}
