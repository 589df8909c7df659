import { describe, expect, it } from '@jest/globals';
import type { DnsZone } from '../application/dns-zone.port';

export interface OpenZone {
  readonly zone: DnsZone;
  readonly domain: string;
  /** Where a name points in the DNS itself, not in the adapter's opinion; undefined when it has no record. */
  readonly lookUp: (hostname: string) => Promise<string | undefined>;
}

/** What every adapter of `DnsZone` must do. */
export function dnsZoneContract(name: string, open: () => OpenZone): void {
  describe(`${name} as a DNS zone`, () => {
    let count = 0;
    const fresh = () => `zone-${process.pid}-${count++}.${open().domain}`;
    const signal = new AbortController().signal;

    it('points a name at a target, and does so again without harm', async () => {
      const { zone, lookUp } = open();
      const hostname = fresh();
      await zone.point(hostname, 'edge.example', signal);
      await zone.point(hostname, 'edge.example', signal);
      expect(await lookUp(hostname)).toBe('edge.example');
    });

    it('removes a record, also when it is gone already', async () => {
      const { zone, lookUp } = open();
      const hostname = fresh();
      await zone.point(hostname, 'edge.example', signal);
      await zone.remove(hostname, 'edge.example', signal);
      await zone.remove(hostname, 'edge.example', signal);
      expect(await lookUp(hostname)).toBeUndefined();
    });

    it('neither replaces nor removes a record that somebody else made', async () => {
      const { zone, lookUp } = open();
      const hostname = fresh();
      await zone.point(hostname, 'stranger.example', signal);
      await expect(zone.point(hostname, 'edge.example', signal)).rejects.toMatchObject({ code: 'foreign-record' });
      await expect(zone.remove(hostname, 'edge.example', signal)).rejects.toMatchObject({ code: 'foreign-record' });
      expect(await lookUp(hostname)).toBe('stranger.example');
    });

    it('leaves neighbouring names alone', async () => {
      const { zone, lookUp } = open();
      const [one, other] = [fresh(), fresh()];
      await zone.point(one, 'edge.example', signal);
      await zone.point(other, 'edge.example', signal);
      await zone.remove(one, 'edge.example', signal);
      expect(await lookUp(other)).toBe('edge.example');
    });

    it('says that it is ready', async () => {
      await expect(open().zone.ready(signal)).resolves.toBeUndefined();
    });
  });
}
