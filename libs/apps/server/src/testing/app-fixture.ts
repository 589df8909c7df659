import type { Member } from '@homeport/identity/contracts';
import type { Database } from '@homeport/platform/server/database';
import type { JobQueue } from '@homeport/platform/server/jobs';
import { InMemoryAppRepository } from '../registry/adapters/memory/in-memory-app-repository';
import type { InMemoryApps } from '../shared/adapters/memory/in-memory-apps';
import { InMemoryAppsUnitOfWork } from '../shared/adapters/memory/in-memory-apps-unit-of-work';
import { InMemoryDnsLedger } from '../dns/adapters/memory/in-memory-dns-ledger';
import { InMemoryDnsZone } from '../dns/adapters/memory/in-memory-dns-zone';
import { InMemoryFormerOwnerRepository } from '../registry/adapters/memory/in-memory-former-owner-repository';
import { PostgresAppRepository } from '../registry/adapters/postgres/postgres-app-repository';
import { PostgresAppsUnitOfWork } from '../shared/adapters/postgres/postgres-apps-unit-of-work';
import { PostgresDnsLedger } from '../dns/adapters/postgres/postgres-dns-ledger';
import { PostgresFormerOwnerRepository } from '../registry/adapters/postgres/postgres-former-owner-repository';
import type { AppsUnitOfWork } from '../shared/application/apps-unit-of-work.port';
import type { DnsLease, DnsLedger } from '../dns/application/dns-ledger.port';
import { DnsReconciler } from '../dns/application/dns-reconciler';
import { AppPresenter } from '../shared/application/app-presenter';
import { AppCatalog } from '../registry/application/app-catalog';
import type { AppRepository } from '../registry/application/app-repository.port';
import { DeleteApp, type RecordRemoval } from '../registry/application/delete-app';
import type { FormerOwnerRepository } from '../registry/application/former-owner-repository.port';
import { PurgeFormerOwners } from '../registry/application/purge-former-owners';
import { RegisterApp, type Registration } from '../registry/application/register-app';
import { RetryDns } from '../registry/application/retry-dns';
import { HostnamePolicy } from '../shared/domain/hostname-policy';
import { AppQuota } from '../registry/domain/app-quota';
import type { AppRecord, NewApp } from '../registry/domain/app-record';
import type { NameQuarantine } from '../registry/domain/former-owner';
import { parseSubdomain } from '../shared/domain/subdomain';

/** For tests without a quarantine of names. */
export const NO_QUARANTINE: NameQuarantine = { days: 0, maxNames: 100 };

let count = 0;

export function memberOf(organization: string): Member {
  return { issuer: 'https://issuer.example', subject: 'ada', organization };
}

/** An app with a name that no other test uses. */
export function newApp(subdomain = `shop-${process.pid}-${count++}`): NewApp {
  return { name: 'My Shop', subdomain: parseSubdomain(subdomain, []), type: 'static' };
}

export interface AppFixtureOptions {
  readonly quota?: number;
  readonly quarantine?: NameQuarantine;
}

interface AppAdapters {
  readonly unitOfWork: AppsUnitOfWork;
  readonly apps: AppRepository;
  readonly formerOwners: FormerOwnerRepository;
  readonly ledger: DnsLedger;
}

/** Registers and deletes apps through the use cases, but leaves the work on their DNS records to the test. */
export class AppFixture {
  readonly #registerApp: RegisterApp;
  readonly #deleteApp: DeleteApp;
  readonly #retryDns: RetryDns;
  readonly #catalog: AppCatalog;
  readonly #purgeFormerOwners: PurgeFormerOwners;

  private constructor(adapters: AppAdapters, { quota = 1_000, quarantine = NO_QUARANTINE }: AppFixtureOptions) {
    const { ledger, formerOwners } = adapters;
    const hostnames = new HostnamePolicy({ domain: 'apps.test', cdnHostname: 'edge.test', edgePort: 1, reserved: [] });
    const zone = new InMemoryDnsZone();
    const dns = new DnsReconciler({ ledger, zone, hostnames });
    const dependencies = { ...adapters, dns, hostnames, presenter: new AppPresenter(hostnames), quarantine };
    this.#registerApp = new RegisterApp({ ...dependencies, quota: new AppQuota(quota) });
    this.#deleteApp = new DeleteApp(dependencies);
    this.#retryDns = new RetryDns(dependencies);
    this.#catalog = new AppCatalog(dependencies);
    this.#purgeFormerOwners = new PurgeFormerOwners(formerOwners, quarantine);
  }

  static inMemory(store: InMemoryApps, options: AppFixtureOptions = {}): AppFixture {
    const adapters = {
      unitOfWork: new InMemoryAppsUnitOfWork(store),
      apps: new InMemoryAppRepository(store),
      formerOwners: new InMemoryFormerOwnerRepository(store),
      ledger: new InMemoryDnsLedger(store),
    };
    return new AppFixture(adapters, options);
  }

  static inPostgres(database: Database, jobs: JobQueue, options: AppFixtureOptions = {}): AppFixture {
    const adapters = {
      unitOfWork: new PostgresAppsUnitOfWork(database, jobs),
      apps: new PostgresAppRepository(database),
      formerOwners: new PostgresFormerOwnerRepository(database),
      ledger: new PostgresDnsLedger(database, jobs),
    };
    return new AppFixture(adapters, options);
  }

  /** @throws {AppQuotaExceeded} @throws {SubdomainTaken} */
  register(
    member: Member,
    { name, subdomain, type }: NewApp = newApp(),
    idempotencyKey?: string,
  ): Promise<Registration> {
    return this.#registerApp.add(member, { name, subdomain, type }, idempotencyKey);
  }

  /** @returns the number of archived deploys. @throws {AppNotFound} */
  remove(member: Member, { id }: Pick<AppRecord, 'id'>, removal?: RecordRemoval): Promise<number> {
    return this.#deleteApp.remove(member, id, removal);
  }

  acquireDnsLease({ id }: Pick<AppRecord, 'id'>): Promise<DnsLease | undefined> {
    return this.#deleteApp.acquireLease(id);
  }

  acquireDnsLeaseForRetry(member: Member, app: AppRecord): Promise<DnsLease | undefined> {
    return this.#retryDns.acquireLease(member, app);
  }

  isTaken(organization: string, subdomain: string): Promise<boolean> {
    return this.#catalog.isTaken(organization, subdomain);
  }

  purgeFormerOwners(): Promise<void> {
    return this.#purgeFormerOwners.execute();
  }
}
