import { dnsZoneContract } from '../../testing/dns-zone.contract';
import { dnsZoneModel } from '../../testing/dns-zone.model';
import { InMemoryDnsZone } from './in-memory-dns-zone';

const zone = new InMemoryDnsZone();
dnsZoneContract(InMemoryDnsZone.name, () => ({
  zone,
  domain: 'apps.example',
  lookUp: async (hostname) => (await zone.find(hostname))?.cname,
}));
dnsZoneModel(() => ({ zone, domain: 'apps.example' }));
