import { appRepositoryContract, NO_QUARANTINE } from '../../testing/app-repository.contract';
import { dnsLedgerContract } from '../../testing/dns-ledger.contract';
import { InMemoryAppRepository } from './in-memory-app-repository';
import { InMemoryApps } from './in-memory-apps';
import { InMemoryDnsLedger } from './in-memory-dns-ledger';

const store = new InMemoryApps();
const open = (quarantine = NO_QUARANTINE) => ({
  apps: new InMemoryAppRepository(store, quarantine),
  ledger: new InMemoryDnsLedger(store),
  releasedDaysAgo: async (subdomain: string, days: number) => {
    const former = store.formerOwners.get(subdomain);
    if (!former) return;
    store.formerOwners.set(subdomain, { ...former, releasedAt: new Date(Date.now() - days * 24 * 3_600_000) });
  },
});
appRepositoryContract(InMemoryAppRepository.name, open);
dnsLedgerContract(InMemoryDnsLedger.name, open);
