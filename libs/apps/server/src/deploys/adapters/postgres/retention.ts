import type { FailedDeployRetention } from '../../application/deploy-repository.port';
import { unlinkBlobs } from './deploy-contents';
import { removeAllFiles } from './deploy-deletion';
import { findRollbackTarget } from './postgres-release-repository';
import type { Queries } from '@homeport/platform/server/database';

/** Archives the ready deploys of every app beyond the newest `limit`. @returns the number of archived deploys. */
export async function archiveBeyond(queries: Queries, limit: number): Promise<number> {
  const appsOverLimit = await queries.run((manager) =>
    manager.query<{ app_id: string }[]>(
      `select app_id from apps.deploys where status = 'ready' group by app_id having count(*) > $1`,
      [limit],
    ),
  );
  let archived = 0;
  for (const { app_id } of appsOverLimit) {
    const old = await archiveOldDeploys(queries, app_id, limit);
    // Outside the transaction, so that the app is not locked. A crash in between only makes the blob clean-up slower.
    for (const { id } of old) await queries.run((manager) => unlinkBlobs(manager, id));
    archived += old.length;
  }
  return archived;
}

/** Archives the old deploys of one app, except the active deploy and the rollback target. */
async function archiveOldDeploys(
  queries: Queries,
  appId: string,
  limit: number,
): Promise<readonly { readonly id: string }[]> {
  return queries.transaction(async (manager) => {
    const [app] = await manager.query<{ active_deploy_id: string | null }[]>(
      'select active_deploy_id from apps.apps where id = $1 for update',
      [appId],
    );
    if (!app) return [];
    const { active_deploy_id: active } = app;
    const kept = [active, (await findRollbackTarget(manager, appId, active)) ?? null];
    const [old] = await manager.query<[{ id: string }[], number]>(
      `update apps.deploys set status = 'archived', archived_at = clock_timestamp()
       where id in (select id from apps.deploys where app_id = $1 and status = 'ready'
                    order by created_at desc, id desc offset $2)
         and id <> all (array_remove($3::uuid[], null))
       returning id`,
      [appId, limit, kept],
    );
    return old;
  });
}

/** More rows per statement would exceed the statement timeout. */
const ROWS_PER_QUERY = 5_000;

/**
 * Removes failed deploys that are old or beyond the newest of their app, after the files of servers that did not start,
 * and except those whose files are removed with their manifest first. @returns how many.
 */
export async function removeFailed(queries: Queries, { newest, days }: FailedDeployRetention): Promise<number> {
  await removeFilesOfFailed(queries);
  for (let removed = 0; ;) {
    const [, some] = await queries.run((manager) =>
      manager.query<[unknown, number]>(
        `delete from apps.deploys where id in (
           select id from (
             select id, created_at, row_number() over (partition by app_id order by created_at desc, id desc) as place
             from apps.deploys where status = 'failed') as failed
           where (place > $1 or created_at < clock_timestamp() - $2 * interval '1 day')
             and not exists (select from apps.manifests where deploy_id = failed.id)
           limit ${ROWS_PER_QUERY})
         and status = 'failed'`,
        [newest, days],
      ),
    );
    removed += some;
    if (some < ROWS_PER_QUERY) return removed;
  }
}

/** Only deploys whose server did not start have files when they fail. */
async function removeFilesOfFailed(queries: Queries): Promise<void> {
  const failed = await queries.run((manager) =>
    manager.query<{ id: string }[]>(
      `select id from apps.deploys where status = 'failed' and server is not null
         and exists (select from apps.deploy_files where deploy_id = deploys.id)`,
    ),
  );
  for (const { id } of failed) await removeAllFiles(queries, id);
}
