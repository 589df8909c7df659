import type { App, AppDeletion, AppList, AppType } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/server';
import { InvalidRequest } from '@homeport/platform/server';
import type { AppRecord, DnsState } from '../domain/app-record';
import { AppMissing } from '../domain/apps.errors';
import type { PlatformDomain } from '../domain/platform-domain';
import { parseSubdomain } from '../domain/subdomain';
import type { AppRepository } from './app-repository.port';
import { DnsFailure, type DnsZone } from './dns-zone.port';

const DNS_LIMIT_MS = 4_000;
const MAX_NAME_LENGTH = 200;

/** Registers, lists and removes an organization's apps, and keeps their DNS records in step. */
export class AppRegistry {
  constructor(
    private readonly apps: AppRepository,
    private readonly dns: DnsZone,
    private readonly platform: PlatformDomain,
  ) {}

  /**
   * The app exists from the moment its row is committed; a DNS record that cannot be made now makes it `dns-failed`
   * and is never a reason to take the app back.
   * @throws {SubdomainInvalid} @throws {SubdomainReserved} @throws {SubdomainTaken}
   */
  async register(member: Member, name: string, type: AppType): Promise<App> {
    const subdomain = parseSubdomain(name, this.platform.reserved);
    const kept = name.replace(/^ +| +$/g, '');
    if (kept.length > MAX_NAME_LENGTH) throw new InvalidRequest('A name has at most 200 characters.');
    const { organization, subject: createdBy } = member;
    const app = await this.apps.add({ organization, name: kept, subdomain, type, createdBy });
    return this.platform.describe(await this.#withRecord(app));
  }

  async list(member: Member): Promise<AppList> {
    const apps = await this.apps.list(member.organization);
    return { items: apps.map((app) => this.platform.describe(app)), next_cursor: null };
  }

  /** @throws {AppMissing} */
  async get(member: Member, id: string): Promise<App> {
    return this.platform.describe(await this.#own(member, id));
  }

  /** Tries the DNS record again, also when it is there already. @throws {AppMissing} */
  async retryDns(member: Member, id: string): Promise<App> {
    return this.platform.describe(await this.#withRecord(await this.#own(member, id)));
  }

  /** The DNS record goes first; a failure there never keeps the app. @throws {AppMissing} */
  async delete(member: Member, id: string): Promise<AppDeletion> {
    const app = await this.#own(member, id);
    const hostname = this.platform.hostnameOf(app.subdomain);
    const failure = await this.#tryDns((signal) => this.dns.remove(hostname, this.platform.cdnHostname, signal));
    const removed = await this.apps.remove(app, failure !== undefined);
    if (!removed) throw new AppMissing();
    return { id: app.id, deleted: true, dns: failure ? 'dangling' : 'deleted', archived_deploys: 0 };
  }

  async #own(member: Member, id: string): Promise<AppRecord> {
    const app = await this.apps.find(member.organization, id);
    if (!app) throw new AppMissing();
    return app;
  }

  async #withRecord(app: AppRecord): Promise<AppRecord> {
    const hostname = this.platform.hostnameOf(app.subdomain);
    const failure = await this.#tryDns((signal) => this.dns.point(hostname, this.platform.cdnHostname, signal));
    const attempts = (app.dns.error?.attempts ?? 0) + 1;
    const recorded = await this.apps.recordDns(app.id, stateAfter(failure, attempts));
    if (recorded) return recorded;
    // Deleted in the meantime: the record we have just made must not outlive the app.
    await this.#tryDns((signal) => this.dns.remove(hostname, this.platform.cdnHostname, signal));
    throw new AppMissing();
  }

  async #tryDns(change: (signal: AbortSignal) => Promise<void>): Promise<DnsFailure | undefined> {
    try {
      await change(AbortSignal.timeout(DNS_LIMIT_MS));
      return undefined;
    } catch (error) {
      return error instanceof DnsFailure ? error : new DnsFailure('provider-unavailable', { cause: error });
    }
  }
}

function stateAfter(failure: DnsFailure | undefined, attempts: number): DnsState {
  if (!failure) return { status: 'dns-active' };
  const { code, message, retryable } = failure;
  return { status: 'dns-failed', error: { code, message, retryable, attempts, next_attempt_at: null } };
}
