import { EntitySchema } from 'typeorm';

/** One row of `apps.releases`: a deploy became active. */
export interface ReleaseRow {
  /** A PostgreSQL bigint, which the driver returns as text; generated. */
  readonly id?: string;
  readonly appId: string;
  readonly deployId: string;
  /** Whether it was rolled back. */
  readonly isRolledBack: boolean;
}

export const ReleaseEntity = new EntitySchema<ReleaseRow>({
  name: 'Release',
  schema: 'apps',
  tableName: 'releases',
  columns: {
    id: { type: 'bigint', primary: true, insert: false, update: false },
    appId: { name: 'app_id', type: 'uuid' },
    deployId: { name: 'deploy_id', type: 'uuid' },
    isRolledBack: { name: 'is_undone', type: 'boolean' },
  },
});
