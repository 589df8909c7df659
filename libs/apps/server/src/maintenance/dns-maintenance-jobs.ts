import { Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { JobQueue } from '@homeport/platform/server/jobs';
import type { DnsReconciler } from '../dns/application/dns-reconciler';
import type { DnsDriftDetector } from '../dns/application/dns-drift-detector';
import type { PurgeFormerOwners } from '../registry/application/purge-former-owners';
import type { IdempotencyKeys } from '../registry/application/idempotency-keys.port';
import { DNS_JOB } from '../shared/application/job-names';

const EVERY_MINUTE = '* * * * *';
const EVERY_NIGHT = '17 3 * * *';
const MAX_LOGGED_NAMES = 20;

export interface DnsMaintenanceJobsDependencies {
  readonly jobs: JobQueue;
  readonly reconciler: DnsReconciler;
  readonly driftDetector: DnsDriftDetector;
  readonly keys: IdempotencyKeys;
  readonly purgeFormerOwners: PurgeFormerOwners;
}

/** Background jobs for DNS records; one instance executes each run. */
export class DnsMaintenanceJobs implements OnApplicationBootstrap {
  readonly #log = new Logger('dns');

  constructor(private readonly dependencies: DnsMaintenanceJobsDependencies) {}

  async onApplicationBootstrap(): Promise<void> {
    const { jobs, reconciler } = this.dependencies;
    await jobs.register({ name: DNS_JOB, cron: EVERY_MINUTE, run: () => reconciler.reconcile() });
    await jobs.register({ name: `${DNS_JOB}-sweep`, cron: EVERY_NIGHT, run: () => this.#runNightly() });
  }

  /** Removes expired idempotency keys and former owners, then compares the zone with the ledger. */
  async #runNightly(): Promise<void> {
    await this.dependencies.keys.removeExpired();
    await this.dependencies.purgeFormerOwners.execute();
    const { seen, managed, drifted, orphaned, isRemovalHalted } = await this.dependencies.driftDetector.run();
    this.#log.log(`Compared the zone with the ledger: ${seen} names, ${managed} of them managed by Homeport.`);
    if (drifted.length > 0)
      this.#log.warn(`${drifted.length} records differ from the ledger and are repaired: ${summarize(drifted)}.`);
    if (isRemovalHalted) {
      this.#log.error(
        `${orphaned.length} of ${managed} managed records belong to no app: ${summarize(orphaned)}. ` +
          'None was removed: so many point to a wrong ledger. Check the database first, then the records.',
      );
    } else if (orphaned.length > 0) {
      this.#log.warn(`${orphaned.length} managed records belong to no app and are removed: ${summarize(orphaned)}.`);
    }
  }
}

function summarize(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LOGGED_NAMES).join(', ');
  return names.length > MAX_LOGGED_NAMES ? `${shown} and ${names.length - MAX_LOGGED_NAMES} more` : shown;
}
