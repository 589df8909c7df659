import type { Database } from '@homeport/platform/server';
import { unlinkBlobs } from './deploy-contents';
import { formerDeploy, type ShownApp } from './releases';

/** Archives what every app has beyond so many deploys that are ready. @returns how many. */
export async function archiveBeyond(database: Database, kept: number): Promise<number> {
  const crowded = await database.run((manager) =>
    manager.query<{ app_id: string }[]>(
      `select app_id from apps.deploys where status = 'ready' group by app_id having count(*) > $1`,
      [kept],
    ),
  );
  let archived = 0;
  for (const { app_id } of crowded) {
    const old = await archiveOf(database, app_id, kept);
    // Not while the app is locked. What a crash leaves linked makes the clean-up slower, and nothing else.
    for (const { id } of old) await database.run((manager) => unlinkBlobs(manager, id));
    archived += old.length;
  }
  return archived;
}

/** Never the active deploy, nor what a roll-back would show. */
async function archiveOf(database: Database, appId: string, kept: number): Promise<readonly { readonly id: string }[]> {
  return database.transaction(async (manager) => {
    const [app] = await manager.query<ShownApp[]>(
      'select id, active_deploy_id from apps.apps where id = $1 for update',
      [appId],
    );
    if (!app) return [];
    const needed = [app.active_deploy_id, (await formerDeploy(manager, app)) ?? null];
    const [old] = await manager.query<[{ id: string }[], number]>(
      `update apps.deploys set status = 'archived', archived_at = clock_timestamp()
       where id in (select id from apps.deploys where app_id = $1 and status = 'ready'
                    order by created_at desc, id desc offset $2)
         and id <> all (array_remove($3::uuid[], null))
       returning id`,
      [appId, kept, needed],
    );
    return old;
  });
}
