import { type App, type AppList, type SubdomainAvailability, subdomainFrom } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/contracts';
import type { HostnamePolicy } from '../../shared/domain/hostname-policy';
import { ListCursor } from '../../shared/domain/list-cursor';
import { AppNotFound } from '../domain/apps.errors';
import { isNameClosedTo, type NameQuarantine } from '../domain/former-owner';
import type { ListRequest } from '../../shared/application/list-request';
import type { AppPresenter } from '../../shared/application/app-presenter';
import type { AppRepository } from './app-repository.port';
import type { FormerOwnerRepository } from './former-owner-repository.port';

/** Limits the response when `APPS_PER_ORGANIZATION` is above it; with the default setting the list is complete. */
export const MAX_APPS_BY_DEFAULT = 10_000;
/** Default page size after the first page. */
const APPS_PER_PAGE = 100;

export interface AppCatalogDependencies {
  readonly apps: AppRepository;
  readonly formerOwners: FormerOwnerRepository;
  readonly hostnames: HostnamePolicy;
  readonly presenter: AppPresenter;
  readonly quarantine: NameQuarantine;
}

/** Lists an organization's apps, and tells which names are available. */
export class AppCatalog {
  constructor(private readonly dependencies: AppCatalogDependencies) {}

  /** Newest first; without a limit at most `MAX_APPS_BY_DEFAULT`. @throws {InvalidRequest} for an invalid cursor. */
  async list(member: Member, { limit, cursor }: ListRequest): Promise<AppList> {
    const { apps, presenter } = this.dependencies;
    if (member.grant?.appId !== undefined) return this.#listBoundApp(member, member.grant.appId);
    const after = cursor === undefined ? undefined : ListCursor.decode(cursor);
    const page = { limit: limit ?? (after ? APPS_PER_PAGE : MAX_APPS_BY_DEFAULT), ...(after && { after }) };
    const { apps: items, end } = await apps.list(member.organization, page);
    return {
      items: items.map((app) => presenter.presentApp(app)),
      next_cursor: end ? ListCursor.encode(end) : null,
    };
  }

  /** The list for a token that may use only one app. */
  async #listBoundApp({ organization }: Member, id: string): Promise<AppList> {
    const app = await this.dependencies.apps.find(organization, id);
    return { items: app ? [this.dependencies.presenter.presentApp(app)] : [], next_cursor: null };
  }

  /** @throws {AppNotFound} */
  async get(member: Member, id: string): Promise<App> {
    const app = await this.dependencies.apps.find(member.organization, id);
    if (!app) throw new AppNotFound();
    return this.dependencies.presenter.presentApp(app);
  }

  /** The subdomain of a name, and whether it is available. This is a hint; only a registration is binding. */
  async availability(member: Member, candidate: string): Promise<SubdomainAvailability> {
    const { subdomain, fault } = subdomainFrom(candidate, this.dependencies.hostnames.reserved);
    if (fault !== undefined) {
      return { candidate, subdomain, available: false, reason: fault === 'reserved' ? 'reserved' : 'invalid' };
    }
    const isTaken = await this.isTaken(member.organization, subdomain);
    return { candidate, subdomain, available: !isTaken, reason: isTaken ? 'taken' : null };
  }

  /** Whether the organization cannot register the subdomain now. */
  async isTaken(organization: string, subdomain: string): Promise<boolean> {
    const { apps, formerOwners, quarantine } = this.dependencies;
    if (await apps.hasSubdomain(subdomain)) return true;
    return isNameClosedTo(organization, await formerOwners.historyOf(subdomain, quarantine.maxNames), quarantine);
  }
}
