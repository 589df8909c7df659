import { InMemoryDnsZone } from '../adapters/memory/in-memory-dns-zone';
import type { ChangeReceipt, RecordChange, ZoneRecord } from '../application/dns/dns-zone.port';

/** A zone in memory that a test has go wrong, and that counts what it is asked. */
export class FaultyDnsZone extends InMemoryDnsZone {
  /** What the next calls run into, in their order; after the last one everything is well. */
  readonly setbacks: (Error | 'hang' | 'happen-and-hang' | undefined)[] = [];
  /** Every call runs into this. */
  outage: Error | undefined;
  /** What changes are called that are not visible everywhere yet; undefined: they are at once. */
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

  /** Puts a record there behind everybody's back. */
  async put(hostname: string, target: string, ttl = 60): Promise<void> {
    const before = (await super.find(hostname))?.cname;
    await super.change([{ hostname, ...(before && { before }), after: { target, ttl } }], new AbortController().signal);
  }

  /** Takes a record away behind everybody's back. */
  async drop(hostname: string): Promise<void> {
    const before = (await super.find(hostname))?.cname;
    if (before) await super.change([{ hostname, before }], new AbortController().signal);
  }

  async targetOf(hostname: string): Promise<string | undefined> {
    return (await super.find(hostname))?.cname?.target;
  }
}
