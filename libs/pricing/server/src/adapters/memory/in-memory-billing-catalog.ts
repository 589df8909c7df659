import { BillingCatalog } from '../../application/billing-catalog.port';
import type { Catalog } from '../../domain/catalog';
import { parseCatalog, type RawCatalog } from '../../domain/parse-catalog';

/** A catalog in memory, for tests and for trying modules out. */
export class InMemoryBillingCatalog extends BillingCatalog {
  constructor(private readonly raw: RawCatalog) {
    super();
  }

  async load(): Promise<Catalog> {
    return parseCatalog(this.raw);
  }
}
