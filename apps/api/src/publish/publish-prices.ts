import { hostname, userInfo } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createDatabase, migrate } from '@homeport/platform/server';
import {
  CatalogUnavailable,
  PostgresPriceRevisions,
  PricePublisher,
  PublicationRefused,
  type PublishedChange,
  readCatalog,
} from '@homeport/pricing/server';
import { databaseOptions } from '../adapters';

export const USAGE = `Usage: npm run pricing:publish -- [options]

Shows what publishing the catalog would change. Nothing is changed without --confirm.

  --confirm          publish it
  --allow-steep      amounts may change more than tenfold
  --catalog <folder> default: the catalog of this build
  --by <name>        who publishes, for the record; default: the current user`;

export interface Publication {
  readonly databaseUrl: string;
  readonly args: readonly string[];
  readonly print: (line: string) => void;
}

const SHIPPED = fileURLToPath(new URL('../../../../libs/pricing/catalog', import.meta.url));

/**
 * Compares the catalog of files with what is published, says what is new, and publishes it when told to.
 * @returns whether all is well; what is wrong was printed, everything at once.
 */
export async function publishPrices({ databaseUrl, args, print }: Publication): Promise<boolean> {
  const order = orderIn(args);
  if (!order) {
    print(USAGE);
    return false;
  }
  const options = databaseOptions({ DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: 1 });
  await migrate(options);
  const database = await createDatabase(options).open();
  try {
    const source = await readCatalog(order.catalog);
    const changes = await new PricePublisher(new PostgresPriceRevisions(database)).publish(source, order);
    for (const line of wordsFor(changes, order.isDryRun)) print(line);
    return true;
  } catch (error) {
    if (!(error instanceof CatalogUnavailable || error instanceof PublicationRefused)) throw error;
    print(`Nothing was published:\n${error.problems.map((problem) => `  ${problem}`).join('\n')}`);
    return false;
  } finally {
    await database.close();
  }
}

function orderIn(args: readonly string[]) {
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

function wordsFor(changes: readonly PublishedChange[], isDryRun: boolean): string[] {
  if (changes.length === 0) return ['Everything in the catalog is published.'];
  return [
    ...changes.flatMap(({ version, effectiveAt, difference }) => [
      `${version}, served from ${effectiveAt.toISOString()}:`,
      ...difference.map((line) => `  ${line}`),
    ]),
    isDryRun ? 'Nothing was published. Publish it with --confirm.' : 'Published.',
  ];
}
