export { InMemoryPriceRevisions } from '../adapters/memory/in-memory-price-revisions';
export { type CardFields, type ShippedCatalog, shippedCard, shippedCatalog } from './shipped-catalog';
