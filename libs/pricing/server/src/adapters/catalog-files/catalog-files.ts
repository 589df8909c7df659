import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BillingCatalog } from '../../application/billing-catalog.port';
import type { Catalog } from '../../domain/catalog';
import { parseCatalog, type RawCatalog } from '../../domain/parse-catalog';
import { CatalogUnavailable } from '../../domain/pricing.errors';

/** The catalog in a folder of JSON files: `usage/<version>.json`, `legacy.json`, `signup.json`, `billing-rules.json`. */
export class CatalogFiles extends BillingCatalog {
  constructor(private readonly folder: string) {
    super();
  }

  async load(): Promise<Catalog> {
    return parseCatalog(await this.#read());
  }

  async #read(): Promise<RawCatalog> {
    try {
      const [legacy, signup, billingRules, cards] = await Promise.all([
        this.#json('legacy.json'),
        this.#json('signup.json'),
        this.#json('billing-rules.json'),
        readdir(join(this.folder, 'usage')),
      ]);
      const files = cards.filter((file) => file.endsWith('.json')).toSorted();
      const usage = await Promise.all(files.map(async (file) => [file, await this.#json(`usage/${file}`)] as const));
      return { usage: Object.fromEntries(usage), legacy, signup, billingRules };
    } catch (error) {
      throw new CatalogUnavailable([], { cause: error });
    }
  }

  async #json(file: string): Promise<unknown> {
    return JSON.parse(await readFile(join(this.folder, file), 'utf8'));
  }
}
