export { InMemoryBillingCatalog } from '../adapters/memory/in-memory-billing-catalog';
export { type CardFields, type ShippedCatalog, shippedCard, shippedCatalog } from './shipped-catalog';
