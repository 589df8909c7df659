import { hostname, userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
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

export const USAGE = `Usage: npm run pricing:publish -- [options]

Shows the changes that publishing the catalog would make. Changes nothing without --confirm.

  --confirm          publish the changes
  --allow-steep      allow amounts to change more than tenfold
  --catalog <folder> the catalog to publish; default: the catalog of this build
  --by <name>        the publisher in the audit trail; default: the current user`;

export interface Publication {
  readonly databaseUrl: string;
  readonly args: readonly string[];
  readonly print: (line: string) => void;
}

const SHIPPED = fileURLToPath(new URL('../../../../libs/pricing/catalog', import.meta.url));

/**
 * Compares the catalog files with the published prices, prints the changes and publishes them with `--confirm`.
 * @returns false when the arguments or the catalog are invalid; all errors were printed.
 */
export async function publishPrices({ databaseUrl, args, print }: Publication): Promise<boolean> {
  const publishOptions = optionsFrom(args);
  if (!publishOptions) {
    print(USAGE);
    return false;
  }
  const databaseSettings = databaseOptions({ DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: 1 });
  await migrate(databaseSettings);
  const database = await createDatabase(databaseSettings).open();
  try {
    const source = await readCatalog(publishOptions.catalog);
    const changes = await new PricePublisher(new PostgresPriceRevisions(database)).publish(source, publishOptions);
    for (const line of describeChanges(changes, publishOptions.isDryRun)) print(line);
    return true;
  } catch (error) {
    if (!(error instanceof CatalogUnavailable || error instanceof PublicationRefused)) throw error;
    print(`Nothing was published:\n${error.problems.map((problem) => `  ${problem}`).join('\n')}`);
    return false;
  } finally {
    await database.close();
  }
}

function optionsFrom(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        confirm: { type: 'boolean', default: false },
        'allow-steep': { type: 'boolean', default: false },
        catalog: { type: 'string', default: SHIPPED },
        by: { type: 'string', default: `${userInfo().username}@${hostname()}` },
      },
    });
    const { confirm, catalog, by } = values;
    return { isDryRun: !confirm, areLargeChangesAllowed: values['allow-steep'], catalog, publisher: by };
  } catch {
    return undefined;
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
