import type { AppDeletion } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/contracts';
import { recoveryDelayMs } from '../../dns/domain/dns-record';
import { appEvent } from '../domain/app';
import { AppNotFound } from '../domain/apps.errors';
import type { AppsUnitOfWork } from '../../shared/application/apps-unit-of-work.port';
import { type DnsLease, retryDelayOf, type SyncOutcome } from '../../dns/application/dns-ledger.port';
import { type DnsReconciler, requestTimeoutSignal } from '../../dns/application/dns-reconciler';
import { waitForLease } from '../../dns/application/wait-for-lease';
import type { AppRepository } from './app-repository.port';

/** The work on the DNS record of a deleted app. */
export interface RecordRemoval {
  readonly lease: DnsLease;
  readonly outcome: SyncOutcome;
}

export interface DeleteAppDependencies {
  readonly unitOfWork: AppsUnitOfWork;
  readonly apps: AppRepository;
  readonly dns: DnsReconciler;
}

/** Deletes an app of an organization. */
export class DeleteApp {
  constructor(private readonly dependencies: DeleteAppDependencies) {}

  /** Removes the DNS record, and then the app even if the record could not be removed. @throws {AppNotFound} */
  async execute(member: Member, id: string): Promise<AppDeletion> {
    const { apps, dns } = this.dependencies;
    const app = await apps.find(member.organization, id);
    if (!app) throw new AppNotFound();
    const signal = requestTimeoutSignal();
    const lease = await waitForLease(() => this.acquireLease(app.id));
    const removal = lease && { lease, outcome: await dns.remove(lease, signal) };
    const archived = await this.remove(member, app.id, removal);
    const isRemoved = removal?.outcome.state === 'settled';
    return { id: app.id, deleted: true, dns: isRemoved ? 'deleted' : 'dangling', archived_deploys: archived };
  }

  /** Acquires the lease for the DNS record. @returns undefined while other work holds it. */
  acquireLease(id: string): Promise<DnsLease | undefined> {
    return this.dependencies.unitOfWork.run(async ({ dns }) => {
      // Before the lease is acquired: a crash in between causes only one unnecessary job.
      await dns.scheduleReconciliation(recoveryDelayMs());
      return dns.acquireLease(id);
    });
  }

  /**
   * Archives the deploys of an app and removes the app. Afterwards no app needs its DNS record, and its name is in
   * quarantine.
   * @param removal the work on the DNS record; absent when other work held the lease.
   * @returns the number of archived deploys.
   * @throws {AppNotFound}
   */
  remove(member: Member, id: string, removal?: RecordRemoval): Promise<number> {
    return this.dependencies.unitOfWork.run(async ({ apps, formerOwners, dns, deploys, audit }) => {
      if (removal?.outcome.state !== 'settled') {
        await dns.scheduleReconciliation(recoveryDelayMs(removal && retryDelayOf(removal.outcome)));
      }
      const app = await apps.remove(member.organization, id);
      if (!app) throw new AppNotFound();
      await formerOwners.add(app.toFormerOwner());
      await dns.withdrawRecord(app.id);
      if (removal) await dns.recordOutcome({ ...removal.lease, appId: undefined }, removal.outcome);
      const archived = await deploys.archiveAll(app.id);
      await audit.record(appEvent(member, 'apps.deleted', app.facts));
      return archived;
    });
  }
}
