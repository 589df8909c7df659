import { setTimeout as delay } from 'node:timers/promises';
import type { App, AppDeletion, AppList, AppType, SubdomainAvailability } from '@homeport/apps/contracts';
import { subdomainFrom } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/server';
import { DatabaseUnavailable, InvalidRequest } from '@homeport/platform/server';
import { ListCursor } from '../../domain/list-cursor';
import type { AppRecord } from '../../domain/registry/app-record';
import { AppNotFound } from '../../domain/registry/apps.errors';
import type { HostnamePolicy } from '../../domain/hostname-policy';
import { parseSubdomain } from '../../domain/registry/subdomain';
import type { AppRepository } from './app-repository.port';
import { type DnsReconciler, requestTimeoutSignal } from '../dns/dns-reconciler';
import type { DnsLease } from '../dns/dns-ledger.port';

const MAX_NAME_LENGTH = 200;
/** Limits the response when `APPS_PER_ORGANIZATION` is raised or off; with its default the list is always complete. */
export const MAX_APPS_BY_DEFAULT = 10_000;
/** How long a request waits for other work on the same record. */
const LEASE_ATTEMPTS = 30;
const LEASE_RETRY_MS = 100;

/** The data of a registration. */
export interface RegisterAppRequest {
  readonly name: string;
  readonly type: AppType;
  readonly idempotencyKey?: string;
}

export interface ListRequest {
  readonly limit?: number;
  readonly cursor?: string;
}

export interface RegistryTools {
  readonly apps: AppRepository;
  readonly dns: DnsReconciler;
  readonly platform: HostnamePolicy;
  /** How many apps an organization may have. */
  readonly quota: number;
}

/** Registers, lists and removes an organization's apps. */
export class AppRegistry {
  constructor(private readonly tools: RegistryTools) {}

  /**
   * Registers an app. It exists from the moment its row is committed, even if its DNS record cannot be written now.
   * @throws {SubdomainInvalid} @throws {SubdomainReserved} @throws {SubdomainTaken} @throws {AppQuotaExceeded}
   */
  async register(member: Member, { name, type, idempotencyKey }: RegisterAppRequest): Promise<App> {
    const { apps, platform, quota } = this.tools;
    const subdomain = parseSubdomain(name, platform.reserved);
    // A name with a valid subdomain contains no white space other than U+0020.
    const trimmed = name.trim();
    if (trimmed.length > MAX_NAME_LENGTH) throw new InvalidRequest('A name has at most 200 characters.');
    const newApp = { name: trimmed, subdomain, type };
    const options = { quota, ...(idempotencyKey !== undefined && { idempotencyKey }) };
    const { app, lease } = await apps.register(member, newApp, options);
    return platform.presentApp((lease && (await this.#writeRecord(member, app, lease))) ?? app);
  }

  /** Newest first; without a limit at most `MAX_APPS_BY_DEFAULT`. @throws {InvalidRequest} for an invalid cursor. */
  async list(member: Member, { limit, cursor }: ListRequest): Promise<AppList> {
    const after = cursor === undefined ? undefined : ListCursor.decode(cursor);
    const page = { limit: limit ?? (after ? 100 : MAX_APPS_BY_DEFAULT), ...(after && { after }) };
    const { apps, end } = await this.tools.apps.list(member.organization, page);
    return {
      items: apps.map((app) => this.tools.platform.presentApp(app)),
      next_cursor: end ? ListCursor.encode(end) : null,
    };
  }

  /** @throws {AppNotFound} */
  async get(member: Member, id: string): Promise<App> {
    return this.tools.platform.presentApp(await this.#find(member, id));
  }

  /** Writes the DNS record again, even if it is active. @throws {AppNotFound} */
  async retryDns(member: Member, id: string): Promise<App> {
    const { apps, dns } = this.tools;
    const app = await this.#find(member, id);
    const signal = requestTimeoutSignal();
    const lease = await waitForLease(() => apps.acquireDnsLeaseForRetry(member, app));
    const dnsState = lease && (await dns.recordOutcome(lease, await dns.apply(lease, signal)));
    return dnsState ? this.tools.platform.presentApp({ ...app, dns: dnsState }) : this.get(member, id);
  }

  /** Removes the DNS record, and then the app even if the record could not be removed. @throws {AppNotFound} */
  async delete(member: Member, id: string): Promise<AppDeletion> {
    const { apps, dns } = this.tools;
    const app = await this.#find(member, id);
    const signal = requestTimeoutSignal();
    const lease = await waitForLease(() => apps.acquireDnsLease(app));
    const work = lease && { lease, outcome: await dns.remove(lease, signal) };
    const archived = await apps.remove(member, app, work);
    if (archived === undefined) throw new AppNotFound();
    const isRemoved = work?.outcome.state === 'settled';
    return { id: app.id, deleted: true, dns: isRemoved ? 'deleted' : 'dangling', archived_deploys: archived };
  }

  /** The subdomain of a name, and whether it is available. */
  async availability(member: Member, candidate: string): Promise<SubdomainAvailability> {
    const { subdomain, fault } = subdomainFrom(candidate, this.tools.platform.reserved);
    if (fault !== undefined) {
      return { candidate, subdomain, available: false, reason: fault === 'reserved' ? 'reserved' : 'invalid' };
    }
    const isTaken = await this.tools.apps.isTaken(member.organization, subdomain);
    return { candidate, subdomain, available: !isTaken, reason: isTaken ? 'taken' : null };
  }

  async #find(member: Member, id: string): Promise<AppRecord> {
    const app = await this.tools.apps.find(member.organization, id);
    if (!app) throw new AppNotFound();
    return app;
  }

  /** Writes the DNS record of a new app. A database outage must not fail the registration, because the app exists. */
  async #writeRecord(member: Member, app: AppRecord, lease: DnsLease): Promise<AppRecord | undefined> {
    const { apps, dns } = this.tools;
    try {
      const dnsState = await dns.recordOutcome(lease, await dns.apply(lease, requestTimeoutSignal()));
      return dnsState ? { ...app, dns: dnsState } : await apps.find(member.organization, app.id);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return undefined;
      throw error;
    }
  }
}

/** @returns undefined when other work holds the lease for too long. */
async function waitForLease(acquire: () => Promise<DnsLease | undefined>): Promise<DnsLease | undefined> {
  for (let tries = 1; tries <= LEASE_ATTEMPTS; tries += 1) {
    const lease = await acquire();
    if (lease) return lease;
    await delay(LEASE_RETRY_MS);
  }
  return undefined;
}
