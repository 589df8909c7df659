import type { Member } from '@homeport/identity/server';
import type { ListPosition } from '../../domain/list-cursor';
import type { AppRecord, NewApp } from '../../domain/registry/app-record';
import type { DnsLease, SyncOutcome } from '../dns/dns-ledger.port';

/** A page of a list. */
export interface PageRequest {
  readonly limit: number;
  /** The end of the previous page. */
  readonly after?: ListPosition;
}

export interface AppPage {
  readonly apps: readonly AppRecord[];
  /** Absent on the last page. */
  readonly end?: ListPosition;
}

export interface Registration {
  readonly app: AppRecord;
  /** The lease for its DNS record; absent while other work holds the lease for an older record of the same name. */
  readonly lease?: DnsLease;
}

/** Stores apps. In addition to the documented errors, every method can reject with DatabaseUnavailable. */
export abstract class AppRepository {
  /**
   * Adds an app, the desired state of its DNS record and the audit event, in one transaction. A database constraint
   * resolves concurrent registrations of a subdomain. Only the former organization can register a name while its old
   * record may still be in the DNS, and during the days of quarantine after its app was removed.
   * @param quota how many apps an organization may have.
   * @param idempotencyKey stored with the app.
   * @throws {SubdomainTaken} @throws {AppQuotaExceeded}
   */
  abstract register(
    member: Member,
    app: NewApp,
    options: { readonly quota: number; readonly idempotencyKey?: string },
  ): Promise<Registration>;

  /** Lists the organization's apps, newest first; all of them without a page. */
  abstract list(organization: string, page?: PageRequest): Promise<AppPage>;

  /** @returns undefined when the organization has no app with this id, or the id is malformed. */
  abstract find(organization: string, id: string): Promise<AppRecord | undefined>;

  /** Whether the organization cannot register the name now. This is a hint; `register` is binding. */
  abstract isTaken(organization: string, subdomain: string): Promise<boolean>;

  /** Removes expired former owners of names; can be repeated. */
  abstract purgeFormerOwners(): Promise<void>;

  /** Acquires the lease for the DNS record of an app. @returns undefined while other work holds it. */
  abstract acquireDnsLease(app: AppRecord): Promise<DnsLease | undefined>;

  /** Acquires the lease for a manual retry, and records an audit event. */
  abstract acquireDnsLeaseForRetry(member: Member, app: AppRecord): Promise<DnsLease | undefined>;

  /**
   * Archives the deploys of an app and removes the app, in one transaction. Afterwards no app needs its DNS
   * record, and its name is in quarantine.
   * @param work the outcome of removing the record; absent when other work held the lease.
   * @returns the number of archived deploys; undefined when the app did not exist any more.
   */
  abstract remove(
    member: Member,
    app: AppRecord,
    work: { readonly lease: DnsLease; readonly outcome: SyncOutcome } | undefined,
  ): Promise<number | undefined>;
}
