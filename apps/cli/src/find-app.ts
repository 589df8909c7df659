import { allItems, type App, type Homeport, operations } from '@homeport/api-client';
import { CliError, UsageError } from './cli.errors';
import { findOr404 } from './context';
import { readProject } from './project-file';

const ID = /^[0-9a-f-]{36}$/i;

/**
 * Finds an app by its id, subdomain or name.
 * @throws {CliError} when no app matches.
 */
export async function findApp(homeport: Homeport, label: string): Promise<App> {
  const { client } = homeport;
  const byId = ID.test(label) ? await findOr404(operations.getApp({ client, path: { id: label } })) : undefined;
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
  return findApp(homeport, await labelOfProject(cwd, option));
}

/** Its id. A given id is not looked up, so that a token needs only the scope of the command. @throws {UsageError} */
export async function appIdOfProject(homeport: Homeport, cwd: string, option: string | undefined): Promise<string> {
  const label = await labelOfProject(cwd, option);
  return ID.test(label) ? label : (await findApp(homeport, label)).id;
}

async function labelOfProject(cwd: string, option: string | undefined): Promise<string> {
  const label = option ?? (await readProject(cwd)).app;
  if (label !== undefined) return label;
  throw new UsageError('No app is named.', 'Add --app, or "app" to homeport.json.');
}
