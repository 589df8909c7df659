import type { Member } from '@homeport/identity/server';
import { recordAudit } from '@homeport/platform/server';
import type { EntityManager } from 'typeorm';

/** An app and its live deploy. */
export interface ActiveDeployRow {
  readonly id: string;
  readonly active_deploy_id: string | null;
}

/** Locks an app until the transaction ends. @returns undefined when the organization has no such app. */
export async function lockApp(
  manager: EntityManager,
  organization: string,
  id: string,
): Promise<ActiveDeployRow | undefined> {
  const [app] = await manager.query<ActiveDeployRow[]>(
    'select id, active_deploy_id from apps.apps where id = $1 and organization = $2 for update',
    [id, organization],
  );
  return app;
}

/** Locks the app of a deploy until the transaction ends. @returns undefined when the organization has no such app. */
export async function lockAppOfDeploy(
  manager: EntityManager,
  organization: string,
  deployId: string,
): Promise<ActiveDeployRow | undefined> {
  const [app] = await manager.query<ActiveDeployRow[]>(
    `select id, active_deploy_id from apps.apps
     where id = (select app_id from apps.deploys where id = $1) and organization = $2 for update`,
    [deployId, organization],
  );
  return app;
}

/** Finds the rollback target: the latest earlier release whose deploy is ready and was not rolled back. */
export async function findRollbackTarget(manager: EntityManager, app: ActiveDeployRow): Promise<string | undefined> {
  const [target] = await manager.query<{ deploy_id: string }[]>(
    `select deploy_id from apps.releases r
     where app_id = $1 and not is_undone and deploy_id is distinct from $2
       and (select status from apps.deploys where id = r.deploy_id) = 'ready'
     order by r.id desc limit 1`,
    [app.id, app.active_deploy_id],
  );
  return target?.deploy_id;
}

/** Activates a deploy that is not the active one. */
export async function release(manager: EntityManager, member: Member, appId: string, deployId: string): Promise<void> {
  await manager.query('insert into apps.releases (app_id, deploy_id) values ($1, $2)', [appId, deployId]);
  await setActiveDeploy(manager, appId, deployId);
  await recordAudit(manager, auditOf(member, 'apps.activated', appId, { deploy: deployId }));
}

/** Activates the rollback target. The replaced deploy is not a target of later rollbacks. */
export async function rollBackTo(
  manager: EntityManager,
  member: Member,
  { id: appId, active_deploy_id: from }: ActiveDeployRow,
  target: string,
): Promise<void> {
  await manager.query(
    'update apps.releases set is_undone = true where app_id = $1 and deploy_id = $2 and not is_undone',
    [appId, from],
  );
  await setActiveDeploy(manager, appId, target);
  await recordAudit(manager, auditOf(member, 'apps.rolled-back', appId, { deploy: target, from }));
}

export function auditOf(member: Member, action: string, target: string, detail: Readonly<Record<string, unknown>>) {
  return { organization: member.organization, actor: member, action, target, detail };
}

/** Updates the row that determines what visitors see. */
async function setActiveDeploy(manager: EntityManager, appId: string, deployId: string): Promise<void> {
  await manager.query('update apps.apps set active_deploy_id = $2 where id = $1', [appId, deployId]);
}
