import { recordOutages } from '@homeport/platform/server/testing';
import { describe, expect, it } from '@jest/globals';
import { DnsFailure } from '../../application/dns-zone.port';
import { dnsZoneContract } from '../../../testing/dns-zone.contract';
import { FaultyDnsZone } from '../../../testing/faulty-dns-zone';
import { InMemoryDnsZone } from '../memory/in-memory-dns-zone';
import { ObservedDnsZone } from './observed-dns-zone';

const records = new Map();
const openZone = () => new ObservedDnsZone(new InMemoryDnsZone(records), recordOutages('dns').outages);
const zone = openZone();
const signal = new AbortController().signal;
dnsZoneContract(ObservedDnsZone.name, () => ({
  zone,
  openSecond: openZone,
  domain: 'apps.example',
  lookUp: async (hostname) => (await zone.find(hostname, signal))?.cname,
}));

describe('ObservedDnsZone', () => {
  it('logs a failing provider, but not a rejected record', async () => {
    const faulty = new FaultyDnsZone();
    const { outages, lines } = recordOutages('dns');
    const observed = new ObservedDnsZone(faulty, outages);
    const change = () => observed.change([{ hostname: 'a.example', after: { target: 'b.example', ttl: 60 } }], signal);
    faulty.outage = new DnsFailure('invalid-record');
    await expect(change()).rejects.toThrow();
    expect(lines).toEqual([]);
    faulty.outage = new DnsFailure('throttled');
    await expect(change()).rejects.toThrow();
    faulty.outage = undefined;
    await change();
    expect(lines).toMatchObject([
      { msg: 'dependency failed', operation: 'update', cause: 'throttled' },
      { msg: 'dependency recovered', operation: 'update', cause: 'throttled' },
    ]);
  });
});
