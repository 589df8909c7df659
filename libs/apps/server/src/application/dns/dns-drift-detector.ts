import { subdomainFrom } from '@homeport/apps/contracts';
import type { CnameRecord } from '../../domain/dns/dns-record';
import type { HostnamePolicy } from '../../domain/hostname-policy';
import type { DnsLedger } from './dns-ledger.port';
import type { DnsZone, ZoneRecord } from './dns-zone.port';

/** What a comparison of zone and ledger found. */
export interface DriftReport {
  /** Records in the zone, and how many of them are ours. */
  readonly seen: number;
  readonly ours: number;
  /** Names whose record is missing, or is not what it should be: they are mended. */
  readonly drifted: readonly string[];
  /** Names with a record of ours that nobody wants. */
  readonly orphaned: readonly string[];
  /** Whether the orphans stay because they are too many at once. */
  readonly isRemovalHalted: boolean;
}

/** More than this share of our records is not removed in one go: then the ledger is more likely to be wrong. */
const MAX_ORPHAN_SHARE = 0.3;
/** Below this many the share means nothing. */
const MIN_ORPHANS_FOR_LIMIT = 10;
const BATCH = 500;
const LIST_TIMEOUT_MS = 10 * 60_000;

export interface DnsDriftDetectorTools {
  readonly ledger: DnsLedger;
  readonly zone: DnsZone;
  readonly platform: HostnamePolicy;
}

interface OwnedRecord {
  readonly subdomain: string;
  readonly known: CnameRecord;
}

/** Compares the zone with the ledger, and puts right what others have changed. */
export class DnsDriftDetector {
  constructor(private readonly tools: DnsDriftDetectorTools) {}

  /** Raises DnsFailure and DatabaseUnavailable; nothing has been changed in the zone then. */
  async run(): Promise<DriftReport> {
    const { ledger, zone } = this.tools;
    const began = await ledger.now();
    const found = new Map<string, ZoneRecord>();
    for await (const record of zone.records(AbortSignal.timeout(LIST_TIMEOUT_MS))) {
      const label = this.tools.platform.labelOf(record.hostname);
      if (label !== undefined) found.set(label, record);
    }
    const drifted = await this.#drifted(found, began);
    const ours = [...found].flatMap(([subdomain, record]) => this.#oursIn(subdomain, record));
    const orphans = await this.#orphans(ours);
    await ledger.markDrifted(drifted);
    const isRemovalHalted = orphans.length >= MIN_ORPHANS_FOR_LIMIT && orphans.length > MAX_ORPHAN_SHARE * ours.length;
    if (!isRemovalHalted) await ledger.adopt(orphans);
    await ledger.scheduleReconciliation(0);
    return {
      seen: found.size,
      ours: ours.length,
      drifted,
      orphaned: orphans.map(({ subdomain }) => subdomain),
      isRemovalHalted,
    };
  }

  /** What can never have been an app's, such as a wildcard or a reserved name, an operator has made. */
  #oursIn(subdomain: string, { cname }: ZoneRecord): OwnedRecord[] {
    const { cdnHostname, reserved } = this.tools.platform;
    const isOurs = cname?.target === cdnHostname && subdomainFrom(subdomain, reserved).fault === undefined;
    return isOurs ? [{ subdomain, known: cname }] : [];
  }

  /** What is wanted and settled, and stands in the zone otherwise or not at all. */
  async #drifted(found: ReadonlyMap<string, ZoneRecord>, began: Date): Promise<string[]> {
    const drifted: string[] = [];
    for await (const names of this.tools.ledger.settledNames(began)) {
      drifted.push(...names.filter((name) => found.get(name)?.cname?.target !== this.tools.platform.cdnHostname));
    }
    return drifted;
  }

  /** What is ours, and unknown to the ledger. */
  async #orphans(ours: readonly OwnedRecord[]): Promise<OwnedRecord[]> {
    const orphans: OwnedRecord[] = [];
    for (let start = 0; start < ours.length; start += BATCH) {
      const batch = ours.slice(start, start + BATCH);
      const known = await this.tools.ledger.filterKnown(batch.map(({ subdomain }) => subdomain));
      orphans.push(...batch.filter(({ subdomain }) => !known.has(subdomain)));
    }
    return orphans;
  }
}
