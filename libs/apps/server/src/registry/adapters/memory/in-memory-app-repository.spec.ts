import { AppFixture, type AppFixtureOptions } from '../../../testing/app-fixture';
import { appRepositoryContract } from '../../../testing/app-repository.contract';
import { dnsLedgerContract } from '../../../testing/dns-ledger.contract';
import { InMemoryAppRepository } from './in-memory-app-repository';
import { InMemoryApps } from '../../../shared/adapters/memory/in-memory-apps';
import { InMemoryAppsUnitOfWork } from '../../../shared/adapters/memory/in-memory-apps-unit-of-work';
import { InMemoryDnsLedger } from '../../../dns/adapters/memory/in-memory-dns-ledger';
import { InMemoryFormerOwnerRepository } from './in-memory-former-owner-repository';

const store = new InMemoryApps();
const open = (options?: AppFixtureOptions) => ({
  unitOfWork: new InMemoryAppsUnitOfWork(store),
  apps: new InMemoryAppRepository(store),
  formerOwners: new InMemoryFormerOwnerRepository(store),
  ledger: new InMemoryDnsLedger(store),
  registry: AppFixture.inMemory(store, options),
  releasedDaysAgo: async (subdomain: string, days: number) => {
    const former = store.formerOwners.get(subdomain);
    if (!former) return;
    store.formerOwners.set(subdomain, { ...former, releasedAt: new Date(Date.now() - days * 24 * 3_600_000) });
  },
  auditedActions: async (organization: string) =>
    [...store.auditEvents.values()].filter((event) => event.organization === organization).map(({ action }) => action),
});
appRepositoryContract(InMemoryAppRepository.name, open);
dnsLedgerContract(InMemoryDnsLedger.name, open);
