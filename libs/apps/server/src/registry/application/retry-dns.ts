import type { App } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/contracts';
import { recoveryDelayMs } from '../../dns/domain/dns-record';
import { appEvent } from '../domain/app';
import type { AppRecord } from '../domain/app-record';
import { AppNotFound } from '../domain/apps.errors';
import type { AppsUnitOfWork } from '../../shared/application/apps-unit-of-work.port';
import type { DnsLease } from '../../dns/application/dns-ledger.port';
import { type DnsReconciler, requestTimeoutSignal } from '../../dns/application/dns-reconciler';
import { waitForLease } from '../../dns/application/wait-for-lease';
import type { AppPresenter } from '../../shared/application/app-presenter';
import type { AppRepository } from './app-repository.port';

export interface RetryDnsDependencies {
  readonly unitOfWork: AppsUnitOfWork;
  readonly apps: AppRepository;
  readonly dns: DnsReconciler;
  readonly presenter: AppPresenter;
}

/** Writes the DNS record of an app again at a member's request. */
export class RetryDns {
  constructor(private readonly dependencies: RetryDnsDependencies) {}

  /** Checks the record and writes it if needed, even if it is active. @throws {AppNotFound} */
  async execute(member: Member, id: string): Promise<App> {
    const { dns, presenter } = this.dependencies;
    const app = await this.#find(member, id);
    const signal = requestTimeoutSignal();
    const lease = await waitForLease(() => this.acquireLease(member, app));
    const dnsState = lease && (await dns.recordOutcome(lease, await dns.apply(lease, signal)));
    return presenter.presentApp(dnsState ? { ...app, dns: dnsState } : await this.#find(member, id));
  }

  /** Acquires the lease for the DNS record, and records the audit event. @returns undefined while other work holds it. */
  acquireLease(member: Member, app: AppRecord): Promise<DnsLease | undefined> {
    return this.dependencies.unitOfWork.run(async ({ dns, audit }) => {
      // Before the lease is acquired: a crash in between causes only one unnecessary job.
      await dns.scheduleReconciliation(recoveryDelayMs());
      const lease = await dns.acquireLease(app.id);
      if (lease) await audit.record(appEvent(member, 'apps.dns-retried', app));
      return lease;
    });
  }

  async #find(member: Member, id: string): Promise<AppRecord> {
    const app = await this.dependencies.apps.find(member.organization, id);
    if (!app) throw new AppNotFound();
    return app;
  }
}
