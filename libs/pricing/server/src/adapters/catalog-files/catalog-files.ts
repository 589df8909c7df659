import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RawCatalog } from '../../domain/parse-catalog';
import { CatalogUnavailable } from '../../domain/pricing.errors';

/**
 * The catalog in a folder of JSON files: `usage/<version>.json`, `legacy.json`, `signup.json`, `billing-rules.json`.
 * @throws {CatalogUnavailable} when a file is not there or no JSON; nothing else about them is checked.
 */
export async function readCatalog(folder: string): Promise<RawCatalog> {
  const json = async (file: string): Promise<unknown> => {
    try {
      return JSON.parse(await readFile(join(folder, file), 'utf8'));
    } catch (error) {
      throw new CatalogUnavailable([`${file}: ${(error as Error).message}`], { cause: error });
    }
  };
  const [legacy, signup, billingRules, files] = await Promise.all([
    json('legacy.json'),
    json('signup.json'),
    json('billing-rules.json'),
    cardsIn(folder),
  ]);
  const usage = await Promise.all(files.map(async (file) => [file, await json(`usage/${file}`)] as const));
  return { usage: Object.fromEntries(usage), legacy, signup, billingRules };
}

async function cardsIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(join(folder, 'usage'))).filter((file) => file.endsWith('.json')).toSorted();
  } catch (error) {
    throw new CatalogUnavailable([`usage: ${(error as Error).message}`], { cause: error });
  }
}
