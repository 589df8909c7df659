import { type App as AppResponse, APP_TYPES, type AppType } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/contracts';
import { DatabaseUnavailable, InvalidRequest } from '@homeport/kernel';
import { NEW_DNS_STATE } from '../../dns/domain/dns-record';
import type { HostnamePolicy } from '../../shared/domain/hostname-policy';
import { type App, appEvent } from '../domain/app';
import type { AppQuota } from '../domain/app-quota';
import type { AppRecord, NewApp } from '../domain/app-record';
import { RuntimeOff } from '../domain/apps.errors';
import type { NameQuarantine } from '../domain/former-owner';
import { parseSubdomain } from '../../shared/domain/subdomain';
import type { AppsRepositories, AppsUnitOfWork } from '../../shared/application/apps-unit-of-work.port';
import type { DnsLease } from '../../dns/application/dns-ledger.port';
import { type DnsReconciler, requestTimeoutSignal } from '../../dns/application/dns-reconciler';
import { appDomainsOf } from '../../domains/domain/app-domains';
import type { AppPresenter } from '../../shared/application/app-presenter';
import type { AppRepository } from './app-repository.port';

const MAX_NAME_LENGTH = 200;

/** The data of a registration. */
export interface RegisterAppRequest {
  readonly name: string;
  readonly type: AppType;
  readonly idempotencyKey?: string;
}

/** A new app. */
export interface Registration {
  readonly app: AppRecord;
  /** The lease for its DNS record; absent while other work holds the lease for an older record of the same name. */
  readonly lease?: DnsLease;
}

export interface RegisterAppDependencies {
  readonly unitOfWork: AppsUnitOfWork;
  readonly apps: AppRepository;
  readonly dns: DnsReconciler;
  readonly hostnames: HostnamePolicy;
  readonly presenter: AppPresenter;
  readonly quota: AppQuota;
  readonly quarantine: NameQuarantine;
  /** The types that can be registered; default: all. */
  readonly types?: readonly AppType[];
}

/** Registers an app of an organization. */
export class RegisterApp {
  constructor(private readonly dependencies: RegisterAppDependencies) {}

  /**
   * Registers an app and writes its DNS record. The app exists from the moment the unit of work ends, even if the
   * record cannot be written now.
   * @throws {SubdomainInvalid} @throws {SubdomainReserved} @throws {AppQuotaExceeded} @throws {SubdomainTaken}
   * @throws {RuntimeOff} for an SSR app while no servers can run.
   */
  async execute(member: Member, { name, type, idempotencyKey }: RegisterAppRequest): Promise<AppResponse> {
    const { hostnames, presenter, types = APP_TYPES } = this.dependencies;
    const subdomain = parseSubdomain(name, hostnames.reserved);
    // A name with a valid subdomain contains no white space other than U+0020.
    const trimmed = name.trim();
    if (!types.includes(type)) throw new RuntimeOff();
    if (trimmed.length > MAX_NAME_LENGTH) throw new InvalidRequest('A name has at most 200 characters.');
    const { app, lease } = await this.add(member, { name: trimmed, subdomain, type }, idempotencyKey);
    return presenter.presentApp((lease && (await this.#writeRecord(app, lease))) ?? app);
  }

  /**
   * Stores the app, the desired state of its DNS record and the audit event. Checks the quota first and the name second.
   * @param idempotencyKey linked to the app.
   * @throws {AppQuotaExceeded} @throws {SubdomainTaken}
   */
  async add(member: Member, newApp: NewApp, idempotencyKey?: string): Promise<Registration> {
    const { organization, subject: createdBy } = member;
    // Before the lease is acquired: a crash in between causes only one unnecessary job.
    await this.dependencies.dns.scheduleRecovery();
    return this.dependencies.unitOfWork.run(async (repositories) => {
      const { apps, dns, idempotencyKeys, audit } = repositories;
      await this.#assertQuota(apps, organization);
      const app = await apps.add({ ...newApp, organization, createdBy });
      await this.#takeOverName(repositories, app);
      const lease = await dns.requestRecord(app.facts);
      if (idempotencyKey !== undefined) await idempotencyKeys.linkApp(organization, idempotencyKey, app.id);
      await audit.record(appEvent(member, 'apps.registered', app.facts));
      const domains = appDomainsOf(app.facts, await repositories.domainClaims.list(organization));
      return { app: app.toRecord({ dns: NEW_DNS_STATE, activeDeploy: undefined, domains }), ...(lease && { lease }) };
    });
  }

  /** Serializes the registrations of an organization near its quota, so that concurrent ones do not exceed it. */
  async #assertQuota(apps: AppRepository, organization: string): Promise<void> {
    const { quota } = this.dependencies;
    if (!quota.isNear(await apps.count(organization))) return;
    await apps.lockRegistrations(organization);
    quota.assertBelow(await apps.count(organization));
  }

  async #takeOverName({ apps, formerOwners }: AppsRepositories, app: App): Promise<void> {
    const { quarantine } = this.dependencies;
    const history = await formerOwners.historyOf(app.subdomain, quarantine.maxNames);
    const changes = app.takeOverName(history, quarantine);
    if (!history.formerOwner) return;
    await formerOwners.remove(app.subdomain);
    await apps.update(app.id, changes);
  }

  /** Writes the DNS record of a new app. A database outage must not fail the registration, because the app exists. */
  async #writeRecord(app: AppRecord, lease: DnsLease): Promise<AppRecord | undefined> {
    const { apps, dns } = this.dependencies;
    try {
      const dnsState = await dns.recordOutcome(lease, await dns.apply(lease, requestTimeoutSignal()));
      return dnsState ? { ...app, dns: dnsState } : await apps.find(app.organization, app.id);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return undefined;
      throw error;
    }
  }
}
