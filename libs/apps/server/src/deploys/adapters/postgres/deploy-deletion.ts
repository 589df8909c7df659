import type { EntityManager } from 'typeorm';
import type { Queries } from '@homeport/platform/server/database';

/** Files removed by one statement. More would exceed the statement timeout. */
const FILES_PER_STATEMENT = 2_000;
/** Deploys removed by one run; the next run continues. */
const DEPLOYS_PER_RUN = 500;
/** Milliseconds after which a run starts no further statement: a job ends after 120 s, and other steps follow. */
const REMOVAL_BUDGET_MS = 60_000;

/**
 * Removes the files and rows of deleted deploys within a time budget; the next run continues. A deploy that cannot be
 * removed does not block the others.
 * @param now clock in milliseconds.
 * @returns the number of removed deploys.
 * @throws the first failure, after all deploys were tried.
 */
export async function removeDeleted(queries: Queries, now: () => number = () => performance.now()): Promise<number> {
  const end = now() + REMOVAL_BUDGET_MS;
  const hasTime = () => now() < end;
  const deleted = await queries.run((manager) =>
    manager.query<{ id: string }[]>(
      'select id from apps.deploys where deleted_at is not null order by deleted_at limit $1',
      [DEPLOYS_PER_RUN],
    ),
  );
  const failures: unknown[] = [];
  let removed = 0;
  for (const { id } of deleted) {
    if (!hasTime()) break;
    try {
      if (await removeDeploy(queries, id, hasTime)) removed += 1;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return removed;
}

/** @returns whether the deploy was removed within the time budget. */
async function removeDeploy(queries: Queries, id: string, hasTime: () => boolean): Promise<boolean> {
  if (!(await removeAllFiles(queries, id, hasTime))) return false;
  await queries.run((manager) => manager.query('delete from apps.deploys where id = $1', [id]));
  return true;
}

/** Removes the files of a deploy. @returns whether all of them were removed within the time budget. */
export async function removeAllFiles(
  queries: Queries,
  id: string,
  hasTime: () => boolean = () => true,
): Promise<boolean> {
  while ((await queries.run((manager) => removeFiles(manager, id))) === FILES_PER_STATEMENT) {
    if (!hasTime()) return false;
  }
  return true;
}

/**
 * Removes one batch of files. Restarts the retention period of their blobs, which are kept as long as those of an
 * archived deploy.
 * @returns the number of removed files.
 */
async function removeFiles(manager: EntityManager, id: string): Promise<number> {
  const [{ removed }] = await manager.query<[{ removed: number }]>(
    `with removed as (
       delete from apps.deploy_files where deploy_id = $1 and path in (
         select path from apps.deploy_files where deploy_id = $1 order by path limit $2)
       returning blob_id),
     unused as (
       update apps.blobs set used_at = now() where id in (
         select id from apps.blobs where id in (select blob_id from removed) order by id for update))
     select count(*)::int as removed from removed`,
    [id, FILES_PER_STATEMENT],
  );
  return removed;
}
