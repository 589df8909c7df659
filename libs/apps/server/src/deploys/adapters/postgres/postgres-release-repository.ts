import type { EntityManager } from 'typeorm';
import { ReleaseRepository } from '../../application/release-repository.port';
import type { Queries } from '@homeport/platform/server/database';
import { ReleaseEntity } from './release.entity';

/** The releases in PostgreSQL. */
export class PostgresReleaseRepository extends ReleaseRepository {
  constructor(private readonly queries: Queries) {
    super();
  }

  async add(appId: string, deployId: string): Promise<void> {
    await this.queries.run((manager) => manager.insert(ReleaseEntity, { appId, deployId, isRolledBack: false }));
  }

  async markRolledBack(appId: string, deployId: string): Promise<void> {
    await this.queries.run((manager) =>
      manager.update(ReleaseEntity, { appId, deployId, isRolledBack: false }, { isRolledBack: true }),
    );
  }

  async includes(deployId: string): Promise<boolean> {
    return this.queries.run((manager) => manager.existsBy(ReleaseEntity, { deployId }));
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
