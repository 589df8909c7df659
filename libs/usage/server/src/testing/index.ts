export { FakeChargeBook } from './fake-charge-book';
export { storageLedgerContract } from './storage-ledger.contract';
export { usageCard } from './usage-card';
export { usageSpoolContract } from './usage-spool.contract';
export { usageStoreContract } from './usage-store.contract';
