import type { Catalog } from '../domain/catalog';

/** Where the prices come from. */
export abstract class BillingCatalog {
  /** The whole, checked catalog. Repeating it is harmless. @throws {CatalogUnavailable} */
  abstract load(): Promise<Catalog>;
}
