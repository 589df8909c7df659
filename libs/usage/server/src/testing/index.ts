export { FakeChargeBook } from './fake-charge-book';
export { usageCard } from './usage-card';
export { usageSpoolContract } from './usage-spool.contract';
export { usageStoreContract } from './usage-store.contract';
