import { storageLedgerContract } from '../../../testing/storage-ledger.contract';
import { InMemoryStorageLedger } from './in-memory-storage-ledger';

storageLedgerContract(InMemoryStorageLedger.name, async () => new InMemoryStorageLedger());
