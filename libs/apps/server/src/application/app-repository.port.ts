import type { AppRecord, DnsState, NewApp } from '../domain/app-record';

/** The registered apps. Every method raises DatabaseUnavailable besides what it names. */
export abstract class AppRepository {
  /**
   * Adds an app. The database's own constraint decides who gets a subdomain, however many try at once. A name whose
   * old record may still be in the DNS is open to its former organization only.
   * @throws {SubdomainTaken}
   */
  abstract add(app: NewApp): Promise<AppRecord>;

  /** The organization's own apps, newest first. */
  abstract list(organization: string): Promise<readonly AppRecord[]>;

  /** Undefined for an id that is absent, malformed or another organization's. */
  abstract find(organization: string, id: string): Promise<AppRecord | undefined>;

  /** Stores what became of the DNS record; undefined when the app is gone by now. */
  abstract recordDns(id: string, dns: DnsState): Promise<AppRecord | undefined>;

  /**
   * Removes an app. With `dangling`, the subdomain stays closed to other organizations.
   * @returns whether it was there.
   */
  abstract remove(app: AppRecord, dangling: boolean): Promise<boolean>;
}
