import { InMemoryDnsZone } from '../dns/adapters/memory/in-memory-dns-zone';
import type { ChangeReceipt, RecordChange, ZoneRecord } from '../dns/application/dns-zone.port';

/** A zone in memory that fails on demand and counts its calls. */
export class FaultyDnsZone extends InMemoryDnsZone {
  /** Faults of the next changes, in order. Later changes succeed. */
  readonly setbacks: (Error | 'hang' | 'happen-and-hang' | undefined)[] = [];
  /** While set, every call throws it. */
  outage: Error | undefined;
  /** Id of changes that are not in sync yet; undefined when changes are in sync at once. */
  changeId: string | undefined;
  readonly batches: (readonly RecordChange[])[] = [];
  looks = 0;

  override async change(changes: readonly RecordChange[], signal: AbortSignal): Promise<ChangeReceipt> {
    this.batches.push(changes);
    const setback = this.outage ?? this.setbacks.shift();
    if (setback instanceof Error) throw setback;
    if (setback !== 'hang') await super.change(changes, signal);
    if (setback !== undefined) await new Promise(() => undefined);
    return this.changeId === undefined ? {} : { id: this.changeId };
  }

  override async find(hostname: string): Promise<ZoneRecord | undefined> {
    this.looks += 1;
    if (this.outage) throw this.outage;
    return super.find(hostname);
  }

  override async isInSync(id: string): Promise<boolean> {
    return id !== this.changeId;
  }

  /** Sets a record as another client of the zone would. */
  async put(hostname: string, target: string, ttl = 60): Promise<void> {
    const before = (await super.find(hostname))?.cname;
    await super.change([{ hostname, ...(before && { before }), after: { target, ttl } }], new AbortController().signal);
  }

  /** Removes a record as another client of the zone would. */
  async drop(hostname: string): Promise<void> {
    const before = (await super.find(hostname))?.cname;
    if (before) await super.change([{ hostname, before }], new AbortController().signal);
  }

  async targetOf(hostname: string): Promise<string | undefined> {
    return (await super.find(hostname))?.cname?.target;
  }
}
