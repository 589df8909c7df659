import { dnsZoneContract } from '../../../testing/dns-zone.contract';
import { dnsZoneModel } from '../../../testing/dns-zone-model';
import { InMemoryDnsZone } from './in-memory-dns-zone';

const records = new Map();
const zone = new InMemoryDnsZone(records);
dnsZoneContract(InMemoryDnsZone.name, () => ({
  zone,
  openSecond: () => new InMemoryDnsZone(records),
  domain: 'apps.example',
  lookUp: async (hostname) => (await zone.find(hostname))?.cname,
}));
dnsZoneModel(() => ({ zone, domain: 'apps.example' }));
