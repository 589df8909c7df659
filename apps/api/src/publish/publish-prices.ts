import { createDatabase, migrate } from '@homeport/platform/server/database';
import {
  CatalogUnavailable,
  PostgresPriceRevisions,
  PricePublisher,
  PublicationRefused,
  type PublishedChange,
  readCatalog,
} from '@homeport/pricing/server';
import { databaseOptions } from '../database-options';
import type { PublishOptions } from './publish-options';

export interface Publication {
  readonly databaseUrl: string;
  readonly options: PublishOptions;
  readonly print: (line: string) => void;
}

/**
 * Compares the catalog files with the published prices, prints the changes and publishes them with `--confirm`.
 * @returns false when the catalog is invalid; all errors were printed.
 */
export async function publishPrices({ databaseUrl, options, print }: Publication): Promise<boolean> {
  const databaseSettings = databaseOptions({ DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: 1 });
  await migrate(databaseSettings);
  const database = await createDatabase(databaseSettings).open();
  try {
    const source = await readCatalog(options.catalog);
    const changes = await new PricePublisher(new PostgresPriceRevisions(database)).publish(source, options);
    for (const line of describeChanges(changes, options.isDryRun)) print(line);
    return true;
  } catch (error) {
    if (!(error instanceof CatalogUnavailable || error instanceof PublicationRefused)) throw error;
    print(`Nothing was published:\n${error.problems.map((problem) => `  ${problem}`).join('\n')}`);
    return false;
  } finally {
    await database.close();
  }
}

function describeChanges(changes: readonly PublishedChange[], isDryRun: boolean): string[] {
  if (changes.length === 0) return ['The catalog has no unpublished changes.'];
  return [
    ...changes.flatMap(({ version, effectiveAt, difference }) => [
      `${version}, served from ${effectiveAt.toISOString()}:`,
      ...difference.map((line) => `  ${line}`),
    ]),
    isDryRun ? 'Nothing was published. To publish these changes, add --confirm.' : 'Published.',
  ];
}
