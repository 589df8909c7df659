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
/** Bounds the answer where `APPS_PER_ORGANIZATION` is raised or off; at its default the list is always whole. */
export const MAX_APPS_BY_DEFAULT = 10_000;
/** How long a person waits for somebody else's work on the same record. */
const LEASE_ATTEMPTS = 30;
const LEASE_RETRY_MS = 100;

/** What somebody wants to register. */
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
   * The app exists from the moment its row is committed; a DNS record that cannot be made now is never a reason to
   * take the app back.
   * @throws {SubdomainInvalid} @throws {SubdomainReserved} @throws {SubdomainTaken} @throws {AppQuotaExceeded}
   */
  async register(member: Member, { name, type, idempotencyKey }: RegisterAppRequest): Promise<App> {
    const { apps, platform, quota } = this.tools;
    const subdomain = parseSubdomain(name, platform.reserved);
    // What has become a subdomain has no white space but U+0020.
    const kept = name.trim();
    if (kept.length > MAX_NAME_LENGTH) throw new InvalidRequest('A name has at most 200 characters.');
    const wish = { name: kept, subdomain, type };
    const options = { quota, ...(idempotencyKey !== undefined && { idempotencyKey }) };
    const { app, claim } = await apps.register(member, wish, options);
    return platform.presentApp((claim && (await this.#made(member, app, claim))) ?? app);
  }

  /** The newest `MAX_APPS_BY_DEFAULT` by default, newest first. @throws {InvalidRequest} for a cursor this list did not give out. */
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
    return this.tools.platform.presentApp(await this.#own(member, id));
  }

  /** Tries the DNS record again, also when it is there already. @throws {AppNotFound} */
  async retryDns(member: Member, id: string): Promise<App> {
    const { apps, dns } = this.tools;
    const app = await this.#own(member, id);
    const patience = requestTimeoutSignal();
    const claim = await waitForLease(() => apps.acquireDnsLeaseForRetry(member, app));
    const shown = claim && (await dns.recordOutcome(claim, await dns.apply(claim, patience)));
    return shown ? this.tools.platform.presentApp({ ...app, dns: shown }) : this.get(member, id);
  }

  /** The DNS record goes first; a failure there never keeps the app. @throws {AppNotFound} */
  async delete(member: Member, id: string): Promise<AppDeletion> {
    const { apps, dns } = this.tools;
    const app = await this.#own(member, id);
    const patience = requestTimeoutSignal();
    const claim = await waitForLease(() => apps.acquireDnsLease(app));
    const work = claim && { claim, outcome: await dns.remove(claim, patience) };
    const archived = await apps.remove(member, app, work);
    if (archived === undefined) throw new AppNotFound();
    const isGone = work?.outcome.state === 'settled';
    return { id: app.id, deleted: true, dns: isGone ? 'deleted' : 'dangling', archived_deploys: archived };
  }

  /** What a name would become, and whether it is free: for forms. */
  async availability(member: Member, candidate: string): Promise<SubdomainAvailability> {
    const { subdomain, fault } = subdomainFrom(candidate, this.tools.platform.reserved);
    if (fault !== undefined) {
      return { candidate, subdomain, available: false, reason: fault === 'reserved' ? 'reserved' : 'invalid' };
    }
    const isTaken = await this.tools.apps.isTaken(member.organization, subdomain);
    return { candidate, subdomain, available: !isTaken, reason: isTaken ? 'taken' : null };
  }

  async #own(member: Member, id: string): Promise<AppRecord> {
    const app = await this.tools.apps.find(member.organization, id);
    if (!app) throw new AppNotFound();
    return app;
  }

  /** The app exists by now: a database that goes away in between must not say anything else. */
  async #made(member: Member, app: AppRecord, claim: DnsLease): Promise<AppRecord | undefined> {
    const { apps, dns } = this.tools;
    try {
      const shown = await dns.recordOutcome(claim, await dns.apply(claim, requestTimeoutSignal()));
      return shown ? { ...app, dns: shown } : await apps.find(member.organization, app.id);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return undefined;
      throw error;
    }
  }
}

/** Undefined when somebody else keeps the claim for too long. */
async function waitForLease(claim: () => Promise<DnsLease | undefined>): Promise<DnsLease | undefined> {
  for (let tries = 1; tries <= LEASE_ATTEMPTS; tries += 1) {
    const own = await claim();
    if (own) return own;
    await delay(LEASE_RETRY_MS);
  }
  return undefined;
}
