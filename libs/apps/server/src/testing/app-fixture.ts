import type { Member } from '@homeport/identity/server';
import type { Database, JobQueue } from '@homeport/platform/server';
import { InMemoryAppRepository } from '../adapters/memory/in-memory-app-repository';
import type { InMemoryApps } from '../adapters/memory/in-memory-apps';
import { InMemoryAppsUnitOfWork } from '../adapters/memory/in-memory-apps-unit-of-work';
import { InMemoryDnsLedger } from '../adapters/memory/in-memory-dns-ledger';
import { InMemoryDnsZone } from '../adapters/memory/in-memory-dns-zone';
import { InMemoryNameRepository } from '../adapters/memory/in-memory-name-repository';
import { PostgresAppRepository } from '../adapters/postgres/postgres-app-repository';
import { PostgresAppsUnitOfWork } from '../adapters/postgres/postgres-apps-unit-of-work';
import { PostgresDnsLedger } from '../adapters/postgres/postgres-dns-ledger';
import { PostgresNameRepository } from '../adapters/postgres/postgres-name-repository';
import type { AppsUnitOfWork } from '../application/apps-unit-of-work.port';
import type { DnsLease, DnsLedger } from '../application/dns/dns-ledger.port';
import { DnsReconciler } from '../application/dns/dns-reconciler';
import { ZoneWriter } from '../application/dns/zone-writer';
import { RecordPresenter } from '../application/record-presenter';
import { AppCatalog } from '../application/registry/app-catalog';
import type { AppRepository } from '../application/registry/app-repository.port';
import { DeleteApp, type RecordRemoval } from '../application/registry/delete-app';
import type { NameRepository } from '../application/registry/name-repository.port';
import { PurgeFormerOwners } from '../application/registry/purge-former-owners';
import { RegisterApp, type Registration } from '../application/registry/register-app';
import { RetryDns } from '../application/registry/retry-dns';
import { HostnamePolicy } from '../domain/hostname-policy';
import { AppQuota } from '../domain/registry/app-quota';
import type { AppRecord, NewApp } from '../domain/registry/app-record';
import type { NameQuarantine } from '../domain/registry/former-owner';
import { parseSubdomain } from '../domain/registry/subdomain';

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
  readonly names: NameRepository;
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
    const { ledger, names } = adapters;
    const hostnames = new HostnamePolicy({ domain: 'apps.test', cdnHostname: 'edge.test', edgePort: 1, reserved: [] });
    const zone = new InMemoryDnsZone();
    const dns = new DnsReconciler({ ledger, zone, hostnames, writer: new ZoneWriter(zone) });
    const tools = { ...adapters, dns, hostnames, presenter: new RecordPresenter(hostnames), quarantine };
    this.#registerApp = new RegisterApp({ ...tools, quota: new AppQuota(quota) });
    this.#deleteApp = new DeleteApp(tools);
    this.#retryDns = new RetryDns(tools);
    this.#catalog = new AppCatalog(tools);
    this.#purgeFormerOwners = new PurgeFormerOwners(names, quarantine);
  }

  static inMemory(store: InMemoryApps, options: AppFixtureOptions = {}): AppFixture {
    const adapters = {
      unitOfWork: new InMemoryAppsUnitOfWork(store),
      apps: new InMemoryAppRepository(store),
      names: new InMemoryNameRepository(store),
      ledger: new InMemoryDnsLedger(store),
    };
    return new AppFixture(adapters, options);
  }

  static inPostgres(database: Database, jobs: JobQueue, options: AppFixtureOptions = {}): AppFixture {
    const adapters = {
      unitOfWork: new PostgresAppsUnitOfWork(database, jobs),
      apps: new PostgresAppRepository(database),
      names: new PostgresNameRepository(database),
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
