export { CatalogFiles } from './adapters/catalog-files/catalog-files';
export { InMemoryBillingCatalog } from './adapters/memory/in-memory-billing-catalog';
export { BillingCatalog } from './application/billing-catalog.port';
export { PricingModule } from './pricing.module';
export type { PricingOptions } from './pricing.module';
export type { RawCatalog } from './domain/parse-catalog';
