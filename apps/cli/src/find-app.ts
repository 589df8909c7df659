import { allItems, type App, type Homeport, operations } from '@homeport/api-client';
import { CliError, UsageError } from './cli.errors';
import { findOr404 } from './context';
import { readProject } from './project-file';

/**
 * Finds an app by its id, subdomain or name.
 * @throws {CliError} when no app matches.
 */
export async function findApp(homeport: Homeport, label: string): Promise<App> {
  const { client } = homeport;
  const byId = /^[0-9a-f-]{36}$/i.test(label)
    ? await findOr404(operations.getApp({ client, path: { id: label } }))
    : undefined;
  if (byId) return byId;
  for await (const app of allApps(homeport)) {
    if (app.subdomain === label.toLowerCase() || app.name === label) return app;
  }
  throw new CliError(`There is no app "${label}".`, 'notFound', 'List the apps with "homeport apps list".');
}

export function allApps({ client }: Homeport): AsyncGenerator<App, void> {
  return allItems((cursor) =>
    operations.listApps({ client, query: { limit: 100, ...(cursor !== undefined && { cursor }) } }),
  );
}

/** The app of `--app`, or of homeport.json. @throws {UsageError} without both. */
export async function appOfProject(homeport: Homeport, cwd: string, option: string | undefined): Promise<App> {
  const label = option ?? (await readProject(cwd)).app;
  if (label !== undefined) return findApp(homeport, label);
  throw new UsageError('No app is named.', 'Add --app, or "app" to homeport.json.');
}
