import {
  type ChangeReceipt,
  type CnameRecord,
  DnsFailure,
  DnsZone,
  type RecordChange,
  RecordConflict,
  type ZoneRecord,
} from '../../application/dns-zone.port';

/** A DNS zone in memory, for tests. Passes the same contract suite as the other adapters. */
export class InMemoryDnsZone extends DnsZone {
  readonly maxBatchSize = 100;
  readonly #records: Map<string, CnameRecord>;

  /** @param records the zone itself, which several adapters may share. */
  constructor(records = new Map<string, CnameRecord>()) {
    super();
    this.#records = records;
  }

  async change(changes: readonly RecordChange[], signal: AbortSignal): Promise<ChangeReceipt> {
    if (signal.aborted) throw new DnsFailure('timeout');
    for (const { hostname, before } of changes) {
      const present = this.#records.get(hostname);
      if (present?.target !== before?.target || present?.ttl !== before?.ttl) throw new RecordConflict();
    }
    for (const { hostname, after } of changes) {
      if (after) this.#records.set(hostname, after);
      else this.#records.delete(hostname);
    }
    return {};
  }

  async find(hostname: string): Promise<ZoneRecord | undefined> {
    const cname = this.#records.get(hostname);
    return cname && { hostname, cname };
  }

  async isInSync(_id: string): Promise<boolean> {
    return true;
  }

  async *records(): AsyncIterable<ZoneRecord> {
    for (const [hostname, cname] of this.#records) yield { hostname, cname };
  }

  async ready(): Promise<void> {
    return Promise.resolve();
  }
}
