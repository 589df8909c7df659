import { allItems, ApiProblem, type App, type Homeport, operations } from '@homeport/api-client';
import { CliError, UsageError } from './cli.errors';
import { readProject } from './project-file';

const ID = /^[0-9a-f-]{36}$/i;

export function isAppId(reference: string): boolean {
  return ID.test(reference);
}

/**
 * Finds an app.
 * @param reference its id, subdomain or name.
 * @throws {CliError} when no app matches.
 */
export async function findApp(homeport: Homeport, reference: string): Promise<App> {
  const byId = isAppId(reference) ? await findAppById(homeport, reference) : undefined;
  if (byId) return byId;
  for await (const app of allApps(homeport)) {
    if (app.subdomain === reference.toLowerCase() || app.name === reference) return app;
  }
  throw new CliError(`There is no app "${reference}".`, 'notFound', 'List the apps with "homeport apps list".');
}

async function findAppById({ client }: Homeport, id: string): Promise<App | undefined> {
  return operations.getApp({ client, path: { id } }).catch((error: unknown) => {
    if (error instanceof ApiProblem && error.status === 404) return undefined;
    throw error;
  });
}

export function allApps({ client }: Homeport): AsyncGenerator<App, void> {
  return allItems((cursor) =>
    operations.listApps({ client, query: { limit: 100, ...(cursor !== undefined && { cursor }) } }),
  );
}

/**
 * Finds the app of a command for a project.
 * @param option the value of `--app`; undefined for the app of homeport.json.
 * @throws {UsageError} when neither names an app. @throws {CliError} when no app matches.
 */
export async function findAppOfProject(homeport: Homeport, cwd: string, option: string | undefined): Promise<App> {
  return findApp(homeport, await appReference(cwd, option));
}

/** Like `findAppOfProject`, but looks up no id, so that a token needs only the scope of the command. */
export async function appIdOfProject(homeport: Homeport, cwd: string, option: string | undefined): Promise<string> {
  const reference = await appReference(cwd, option);
  return isAppId(reference) ? reference : (await findApp(homeport, reference)).id;
}

/** @throws {UsageError} when neither the option nor homeport.json names an app. */
export async function appReference(cwd: string, option: string | undefined): Promise<string> {
  const reference = option ?? (await readProject(cwd)).app;
  if (reference !== undefined) return reference;
  throw new UsageError('No app is named.', 'Add --app, or "app" to homeport.json.');
}
