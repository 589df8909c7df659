import type { EntityManager } from 'typeorm';
import { ReleaseRepository } from '../../application/deploys/release-repository.port';
import type { Queries } from './queries';

/** The releases in PostgreSQL. */
export class PostgresReleaseRepository extends ReleaseRepository {
  constructor(private readonly queries: Queries) {
    super();
  }

  async add(appId: string, deployId: string): Promise<void> {
    await this.queries.run((manager) =>
      manager.query('insert into apps.releases (app_id, deploy_id) values ($1, $2)', [appId, deployId]),
    );
  }

  async undo(appId: string, deployId: string): Promise<void> {
    await this.queries.run((manager) =>
      manager.query(
        'update apps.releases set is_undone = true where app_id = $1 and deploy_id = $2 and not is_undone',
        [appId, deployId],
      ),
    );
  }

  async includes(deployId: string): Promise<boolean> {
    const found = await this.queries.run((manager) =>
      manager.query<unknown[]>('select 1 from apps.releases where deploy_id = $1 limit 1', [deployId]),
    );
    return found.length > 0;
  }

  async rollbackTargetOf(appId: string, activeDeployId: string | null): Promise<string | undefined> {
    return this.queries.run((manager) => findRollbackTarget(manager, appId, activeDeployId));
  }
}

/** See `ReleaseRepository.rollbackTargetOf`. */
export async function findRollbackTarget(
  manager: EntityManager,
  appId: string,
  activeDeployId: string | null,
): Promise<string | undefined> {
  const [target] = await manager.query<{ deploy_id: string }[]>(
    `select deploy_id from apps.releases r
     where app_id = $1 and not is_undone and deploy_id is distinct from $2
       and (select status from apps.deploys where id = r.deploy_id) = 'ready'
     order by r.id desc limit 1`,
    [appId, activeDeployId],
  );
  return target?.deploy_id;
}
