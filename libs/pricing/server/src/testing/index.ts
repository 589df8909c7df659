export { InMemoryChargeLedger } from '../adapters/memory/in-memory-charge-ledger';
export { InMemoryPriceRevisions } from '../adapters/memory/in-memory-price-revisions';
export { Estimates } from '../application/estimates';
export { chargeLedgerContract } from './charge-ledger.contract';
export { priceRevisionsContract } from './price-revisions.contract';
export { firstRevision, withCard } from './revisions';
export { type CardFields, type ShippedCatalog, shippedCard, shippedCatalog } from './shipped-catalog';
