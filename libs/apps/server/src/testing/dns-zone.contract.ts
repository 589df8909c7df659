import { describe, expect, it } from '@jest/globals';
import { type CnameRecord, type DnsZone, RecordConflict, type ZoneRecord } from '../dns/application/dns-zone.port';
import { ZONE_RACES } from './dns-zone-races';

export interface DnsZoneHarness {
  readonly zone: DnsZone;
  /** Opens a second adapter on the same zone without shared state, like another instance of the product. */
  readonly openSecond: () => DnsZone;
  readonly domain: string;
  /** The CNAME that the DNS serves for a name; undefined when it has none. */
  readonly lookUp: (hostname: string) => Promise<CnameRecord | undefined>;
}

const EDGE: CnameRecord = { target: 'edge.example', ttl: 60 };
const STRANGER: CnameRecord = { target: 'stranger.example', ttl: 60 };

/** The contract of every `DnsZone` adapter. */
export function dnsZoneContract(name: string, open: () => DnsZoneHarness): void {
  describe(`${name} as a DNS zone`, () => {
    let count = 0;
    const fresh = () => `zone-${process.pid}-${count++}.${open().domain}`;
    const signal = new AbortController().signal;
    const change = (hostname: string, before?: CnameRecord, after?: CnameRecord) =>
      open().zone.change([{ hostname, ...(before && { before }), ...(after && { after }) }], signal);

    it('creates a record only at a name without one', async () => {
      const hostname = fresh();
      await change(hostname, undefined, EDGE);
      expect(await open().lookUp(hostname)).toEqual(EDGE);
      await expect(change(hostname, undefined, EDGE)).rejects.toBeInstanceOf(RecordConflict);
      await expect(change(hostname, undefined, STRANGER)).rejects.toBeInstanceOf(RecordConflict);
      expect(await open().lookUp(hostname)).toEqual(EDGE);
    });

    it('replaces only the expected record', async () => {
      const hostname = fresh();
      await expect(change(hostname, EDGE, STRANGER)).rejects.toBeInstanceOf(RecordConflict);
      await change(hostname, undefined, EDGE);
      const other = { target: 'other.example', ttl: 61 };
      await change(hostname, EDGE, other);
      expect(await open().lookUp(hostname)).toEqual(other);
      await expect(change(hostname, EDGE, STRANGER)).rejects.toBeInstanceOf(RecordConflict);
      expect(await open().lookUp(hostname)).toEqual(other);
    });

    it('removes only the expected record', async () => {
      const hostname = fresh();
      await expect(change(hostname, EDGE)).rejects.toBeInstanceOf(RecordConflict);
      await change(hostname, undefined, STRANGER);
      await expect(change(hostname, EDGE)).rejects.toBeInstanceOf(RecordConflict);
      expect(await open().lookUp(hostname)).toEqual(STRANGER);
      await change(hostname, STRANGER);
      expect(await open().lookUp(hostname)).toBeUndefined();
    });

    it('applies all changes of a batch or none', async () => {
      const [one, other, taken] = [fresh(), fresh(), fresh()];
      await change(taken, undefined, STRANGER);
      const wanted = [one, taken, other].map((hostname) => ({ hostname, after: EDGE }));
      await expect(open().zone.change(wanted, signal)).rejects.toBeInstanceOf(RecordConflict);
      expect(await open().lookUp(one)).toBeUndefined();
      expect(await open().lookUp(other)).toBeUndefined();
      await open().zone.change(
        [
          { hostname: one, after: EDGE },
          { hostname: taken, before: STRANGER },
          { hostname: other, after: EDGE },
        ],
        signal,
      );
      expect(await Promise.all([one, taken, other].map((hostname) => open().lookUp(hostname)))).toEqual([
        EDGE,
        undefined,
        EDGE,
      ]);
    });

    it('accepts a batch of the maximum size', async () => {
      const { zone, lookUp } = open();
      const names = Array.from({ length: zone.maxBatchSize }, fresh);
      await zone.change(
        names.map((hostname) => ({ hostname, after: EDGE })),
        signal,
      );
      expect(await lookUp(names.at(-1) as string)).toEqual(EDGE);
      await zone.change(
        names.map((hostname) => ({ hostname, before: EDGE })),
        signal,
      );
      expect(await lookUp(names[0] as string)).toBeUndefined();
    });

    it('gives a name to one of many concurrent creations', async () => {
      const hostname = fresh();
      const tries = Array.from({ length: 8 }, () => change(hostname, undefined, EDGE));
      const results = await Promise.allSettled(tries);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await open().lookUp(hostname)).toEqual(EDGE);
    });

    it.each([...ZONE_RACES])('with two adapters on one zone %s', async (_title, race) => {
      const { zone: one, openSecond, lookUp } = open();
      await race({ one, other: openSecond(), newName: fresh, lookUp });
    });

    it('finds the record of exactly one name', async () => {
      const { zone } = open();
      const hostname = fresh();
      await change(hostname, undefined, EDGE);
      expect(await zone.find(hostname, signal)).toEqual({ hostname, cname: EDGE });
      expect(await zone.find(hostname.slice(1), signal)).toBeUndefined();
      expect(await zone.find(`a${hostname}`, signal)).toBeUndefined();
      expect(await zone.find(`below.${hostname}`, signal)).toBeUndefined();
    });

    it('lists every record once', async () => {
      const { zone } = open();
      const names = Array.from({ length: 3 }, fresh);
      for (const hostname of names) await change(hostname, undefined, EDGE);
      const found: ZoneRecord[] = [];
      for await (const record of zone.records(signal)) found.push(record);
      const ours = found.filter(({ hostname }) => names.includes(hostname));
      expect(ours.toSorted((a, b) => (a.hostname < b.hostname ? -1 : 1))).toEqual(
        names.toSorted().map((hostname) => ({ hostname, cname: EDGE })),
      );
      expect(found.map(({ hostname }) => hostname)).not.toContain(open().domain);
    });

    it('reports when a change is in sync', async () => {
      const { zone } = open();
      const { id } = await change(fresh(), undefined, EDGE);
      while (id !== undefined && !(await zone.isInSync(id, signal))) await new Promise(setImmediate);
    });

    it('stops when the signal is aborted', async () => {
      const aborted = AbortSignal.abort();
      await expect(open().zone.change([{ hostname: fresh(), after: EDGE }], aborted)).rejects.toMatchObject({
        code: 'timeout',
      });
    });

    it('is ready', async () => {
      await expect(open().zone.ready(signal)).resolves.toBeUndefined();
    });
  });
}
