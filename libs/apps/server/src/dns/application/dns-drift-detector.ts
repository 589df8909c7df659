import { subdomainFrom } from '@homeport/apps/contracts';
import type { CnameRecord } from '../domain/dns-record';
import type { HostnamePolicy } from '../../shared/domain/hostname-policy';
import type { DnsLedger } from './dns-ledger.port';
import type { DnsZone, ZoneRecord } from './dns-zone.port';

/** The result of comparing the zone with the ledger. */
export interface DriftReport {
  /** Names in the zone, and how many of them are managed by Homeport. */
  readonly seen: number;
  readonly managed: number;
  /** Names whose record is missing or does not point to the CDN. They are scheduled for reconciliation. */
  readonly drifted: readonly string[];
  /** Names with a managed record that belongs to no app. */
  readonly orphaned: readonly string[];
  /** Whether the orphans are kept because there are too many of them. */
  readonly isRemovalHalted: boolean;
}

/** A larger share of orphans is not removed, because then the ledger is more likely to be wrong. */
const MAX_ORPHAN_SHARE = 0.3;
/** With fewer orphans the share is not checked. */
const MIN_ORPHANS_FOR_LIMIT = 10;
const BATCH = 500;
const LIST_TIMEOUT_MS = 10 * 60_000;

export interface DnsDriftDetectorDependencies {
  readonly ledger: DnsLedger;
  readonly zone: DnsZone;
  readonly hostnames: HostnamePolicy;
}

interface OwnedRecord {
  readonly subdomain: string;
  readonly known: CnameRecord;
}

/** Compares the zone with the ledger, and schedules the repair of differences. */
export class DnsDriftDetector {
  constructor(private readonly dependencies: DnsDriftDetectorDependencies) {}

  /** Compares, and changes nothing. @throws {DnsFailure} @throws {DatabaseUnavailable} */
  async compare(): Promise<DriftReport> {
    return (await this.#compare()).report;
  }

  /** Compares once. @throws {DnsFailure} @throws {DatabaseUnavailable} without a change in the zone. */
  async run(): Promise<DriftReport> {
    const { ledger } = this.dependencies;
    const { report, orphans } = await this.#compare();
    await ledger.markDrifted(report.drifted);
    if (!report.isRemovalHalted) await ledger.adopt(orphans);
    await ledger.scheduleReconciliation(0);
    return report;
  }

  async #compare(): Promise<{ readonly report: DriftReport; readonly orphans: readonly OwnedRecord[] }> {
    const { ledger, zone } = this.dependencies;
    const startedAt = await ledger.now();
    const found = new Map<string, ZoneRecord>();
    for await (const record of zone.records(AbortSignal.timeout(LIST_TIMEOUT_MS))) {
      const label = this.dependencies.hostnames.labelOf(record.hostname);
      if (label !== undefined) found.set(label, record);
    }
    const drifted = await this.#drifted(found, startedAt);
    const managed = [...found].flatMap(([subdomain, record]) => this.#managedRecord(subdomain, record));
    const orphans = await this.#orphans(managed);
    const isRemovalHalted =
      orphans.length >= MIN_ORPHANS_FOR_LIMIT && orphans.length > MAX_ORPHAN_SHARE * managed.length;
    const orphaned = orphans.map(({ subdomain }) => subdomain);
    return { report: { seen: found.size, managed: managed.length, drifted, orphaned, isRemovalHalted }, orphans };
  }

  /** Ignores names that no app can have, such as wildcards and reserved names: operators created these records. */
  #managedRecord(subdomain: string, { cname }: ZoneRecord): OwnedRecord[] {
    const { cdnHostname, reserved } = this.dependencies.hostnames;
    const isManaged = cname?.target === cdnHostname && subdomainFrom(subdomain, reserved).fault === undefined;
    return isManaged ? [{ subdomain, known: cname }] : [];
  }

  /** Names that are in sync in the ledger, but missing or different in the zone. */
  async #drifted(found: ReadonlyMap<string, ZoneRecord>, startedAt: Date): Promise<string[]> {
    const drifted: string[] = [];
    for await (const names of this.dependencies.ledger.settledNames(startedAt)) {
      drifted.push(
        ...names.filter((name) => found.get(name)?.cname?.target !== this.dependencies.hostnames.cdnHostname),
      );
    }
    return drifted;
  }

  /** Managed records that the ledger does not know. */
  async #orphans(managed: readonly OwnedRecord[]): Promise<OwnedRecord[]> {
    const orphans: OwnedRecord[] = [];
    for (let start = 0; start < managed.length; start += BATCH) {
      const batch = managed.slice(start, start + BATCH);
      const known = await this.dependencies.ledger.filterKnown(batch.map(({ subdomain }) => subdomain));
      orphans.push(...batch.filter(({ subdomain }) => !known.has(subdomain)));
    }
    return orphans;
  }
}
