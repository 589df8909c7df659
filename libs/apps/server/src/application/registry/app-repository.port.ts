import type { Member } from '@homeport/identity/server';
import type { ListPosition } from '../../domain/list-cursor';
import type { AppRecord, NewApp } from '../../domain/registry/app-record';
import type { DnsLease, SyncOutcome } from '../dns/dns-ledger.port';

/** A part of a list. */
export interface PageRequest {
  readonly limit: number;
  /** What an earlier page ended with. */
  readonly after?: ListPosition;
}

export interface AppPage {
  readonly apps: readonly AppRecord[];
  /** Absent on the last page. */
  readonly end?: ListPosition;
}

export interface Registration {
  readonly app: AppRecord;
  /** The right to make its DNS record; absent while somebody is still busy with an older one of the same name. */
  readonly claim?: DnsLease;
}

/** The registered apps. Every method raises DatabaseUnavailable besides what it names. */
export abstract class AppRepository {
  /**
   * Adds an app, with the wish for its DNS record and the audit event, or nothing. The database's own constraint decides
   * who gets a subdomain, however many try at once. A name is open to its former organization only while its old record
   * may still be in the DNS, and for the days of quarantine after its app was removed.
   * @param quota how many apps an organization may have. @param idempotencyKey is tied to the app.
   * @throws {SubdomainTaken} @throws {AppQuotaExceeded}
   */
  abstract register(
    member: Member,
    app: NewApp,
    options: { readonly quota: number; readonly idempotencyKey?: string },
  ): Promise<Registration>;

  /** The organization's own apps, newest first; all of them without a page. */
  abstract list(organization: string, page?: PageRequest): Promise<AppPage>;

  /** Undefined for an id that is absent, malformed or another organization's. */
  abstract find(organization: string, id: string): Promise<AppRecord | undefined>;

  /** Whether this organization could not register the name now. A hint: `register` decides. */
  abstract isTaken(organization: string, subdomain: string): Promise<boolean>;

  /** Removes former owners of names whom nothing needs any more; repeating is harmless. */
  abstract purgeFormerOwners(): Promise<void>;

  /** Claims the DNS record of an app; undefined while somebody else has it. */
  abstract acquireDnsLease(app: AppRecord): Promise<DnsLease | undefined>;

  /** The same, because somebody asked for it, which is written down. */
  abstract acquireDnsLeaseForRetry(member: Member, app: AppRecord): Promise<DnsLease | undefined>;

  /**
   * Archives the deploys of an app and removes it, all or nothing. From then on its DNS record is not wanted, and its
   * name is in quarantine.
   * @param work what came of removing the record; absent when somebody else had the claim.
   * @returns how many deploys were archived; undefined when the app was gone.
   */
  abstract remove(
    member: Member,
    app: AppRecord,
    work: { readonly claim: DnsLease; readonly outcome: SyncOutcome } | undefined,
  ): Promise<number | undefined>;
}
