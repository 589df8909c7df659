import type { Queries } from '@homeport/platform/server/database';
import { AliasRepository, type BranchAlias } from '../../application/alias-repository.port';

/** The branch aliases in PostgreSQL. Their deletion with an app is a foreign key of the table. */
export class PostgresAliasRepository extends AliasRepository {
  constructor(private readonly queries: Queries) {
    super();
  }

  async move({ appId, label, deployId }: BranchAlias): Promise<boolean> {
    const moved = await this.queries.run((manager) =>
      manager.query<unknown[]>(
        `insert into apps.aliases (label, app_id, deploy_id) values ($1, $2, $3)
         on conflict (label) do update set deploy_id = excluded.deploy_id
         where aliases.app_id = excluded.app_id
           and (select number from apps.deploys where id = aliases.deploy_id)
             < (select number from apps.deploys where id = excluded.deploy_id)
         returning 1`,
        [label, appId, deployId],
      ),
    );
    return moved.length > 0;
  }

  async release(appId: string, label: string): Promise<boolean> {
    const [, released] = await this.queries.run((manager) =>
      manager.query<[unknown, number]>('delete from apps.aliases where label = $1 and app_id = $2', [label, appId]),
    );
    return released > 0;
  }

  async releaseOf(deployId: string): Promise<void> {
    await this.queries.run((manager) => manager.query('delete from apps.aliases where deploy_id = $1', [deployId]));
  }
}
