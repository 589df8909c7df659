import { appRepositoryContract } from '../../testing/app-repository.contract';
import { dnsLedgerContract } from '../../testing/dns-ledger.contract';
import { InMemoryAppRepository } from './in-memory-app-repository';
import { InMemoryApps } from './in-memory-apps';
import { InMemoryDnsLedger } from './in-memory-dns-ledger';

const store = new InMemoryApps();
const open = () => ({ apps: new InMemoryAppRepository(store), ledger: new InMemoryDnsLedger(store) });
appRepositoryContract(InMemoryAppRepository.name, open);
dnsLedgerContract(InMemoryDnsLedger.name, open);
