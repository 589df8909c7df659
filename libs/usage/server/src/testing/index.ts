export { budgetNoticeLedgerContract } from './budget-notice-ledger.contract';
export { budgetRepositoryContract } from './budget-repository.contract';
export { FakeChargeBook } from './fake-charge-book';
export { monthClosingsContract } from './month-closings.contract';
export { storageLedgerContract } from './storage-ledger.contract';
export { usageCard } from './usage-card';
export { usageSpoolContract } from './usage-spool.contract';
export { usageStoreContract } from './usage-store.contract';
