import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RawCatalog } from '../../domain/parse-catalog';
import { CatalogUnavailable } from '../../domain/pricing.errors';

/**
 * Reads a catalog from JSON files: `usage/<version>.json`, `legacy.json`, `signup.json`, `billing-rules.json`.
 * @throws {CatalogUnavailable} with every file that is missing or not valid JSON; the content is not checked.
 */
export async function readCatalog(folder: string): Promise<RawCatalog> {
  const problems: string[] = [];
  const collectProblem = async <T>(file: string, read: Promise<T>): Promise<T | undefined> =>
    read.catch((error: unknown) => {
      problems.push(`${file}: ${(error as Error).message}`);
      return undefined;
    });
  const json = (file: string): Promise<unknown> =>
    collectProblem(
      file,
      readFile(join(folder, file), 'utf8').then((text): unknown => JSON.parse(text)),
    );
  const cards = async () => {
    const files = (await collectProblem('usage', readdir(join(folder, 'usage')))) ?? [];
    const names = files.filter((file) => file.endsWith('.json')).toSorted();
    return Promise.all(names.map(async (file) => [file, await json(`usage/${file}`)] as const));
  };
  const [usage, legacy, signup, billingRules] = await Promise.all([
    cards(),
    json('legacy.json'),
    json('signup.json'),
    json('billing-rules.json'),
  ]);
  if (problems.length > 0) throw new CatalogUnavailable(problems.toSorted());
  return { usage: Object.fromEntries(usage), legacy, signup, billingRules };
}
