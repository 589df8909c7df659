import type { VariableScope } from '@homeport/apps/contracts';
import type { Queries } from '@homeport/platform/server/database';
import { EnvironmentRepository, type SealedVariable } from '../../application/environment-repository.port';
import type { EnvironmentUsage, VariableRecord } from '../../domain/variable';

interface VariableRow {
  readonly name: string;
  readonly scope: VariableScope;
  readonly updated_at: Date;
  readonly updated_by: string;
}

const COLUMNS = 'name, scope, updated_at, updated_by';

/** The variables in PostgreSQL, with sealed values. */
export class PostgresEnvironmentRepository extends EnvironmentRepository {
  constructor(private readonly queries: Queries) {
    super();
  }

  async list(appId: string): Promise<readonly VariableRecord[]> {
    const rows = await this.#query<VariableRow[]>(
      `select ${COLUMNS} from apps.environment_variables where app_id = $1 order by name collate "C"`,
      [appId],
    );
    return rows.map(toRecord);
  }

  async usageBesides(appId: string, name: string): Promise<EnvironmentUsage> {
    const [usage] = await this.#query<[EnvironmentUsage]>(
      `select count(*)::int as count, coalesce(sum(bytes), 0)::int as bytes
       from apps.environment_variables where app_id = $1 and name <> $2`,
      [appId, name],
    );
    return usage;
  }

  async set({ appId, name, scope, sealed, bytes, updatedBy }: SealedVariable): Promise<VariableRecord> {
    const [row] = await this.#query<[VariableRow]>(
      `insert into apps.environment_variables (app_id, name, scope, sealed, bytes, updated_by)
       values ($1, $2, $3, $4, $5, $6)
       on conflict (app_id, name) do update set scope = excluded.scope, sealed = excluded.sealed,
         bytes = excluded.bytes, updated_by = excluded.updated_by, updated_at = clock_timestamp()
       returning ${COLUMNS}`,
      [appId, name, scope, Buffer.from(sealed), bytes, updatedBy],
    );
    return toRecord(row);
  }

  async remove(appId: string, name: string): Promise<boolean> {
    const [, removed] = await this.#query<[unknown, number]>(
      'delete from apps.environment_variables where app_id = $1 and name = $2',
      [appId, name],
    );
    return removed > 0;
  }

  #query<T>(sql: string, values: readonly unknown[]): Promise<T> {
    return this.queries.run((manager) => manager.query<T>(sql, [...values]));
  }
}

function toRecord({ name, scope, updated_at, updated_by }: VariableRow): VariableRecord {
  return { name, scope, updatedAt: updated_at, updatedBy: updated_by };
}
