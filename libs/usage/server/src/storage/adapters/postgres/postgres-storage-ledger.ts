import type { Database } from '@homeport/platform/server/database';
import {
  type MeasuredWorkspace,
  StorageLedger,
  type WorkspaceOwner,
  type WorkspacePage,
} from '../../application/storage-ledger.port';

interface WorkspaceRow {
  readonly workspace: string;
  readonly bytes: string;
  readonly changed_at: Date | null;
  readonly measured_at: Date | null;
}

/** The ledger in PostgreSQL. Times are in milliseconds, which a `Date` keeps. */
export class PostgresStorageLedger extends StorageLedger {
  constructor(private readonly database: Database) {
    super();
  }

  noteChanges(owners: readonly WorkspaceOwner[]): Promise<void> {
    return this.#insert(owners, 'update set organization = excluded.organization, changed_at = excluded.changed_at');
  }

  add(owners: readonly WorkspaceOwner[]): Promise<void> {
    return this.#insert(owners, 'nothing');
  }

  async #insert(owners: readonly WorkspaceOwner[], onConflict: string): Promise<void> {
    if (owners.length === 0) return;
    await this.database.run((manager) =>
      manager.query(
        // The order prevents deadlocks between instances.
        `insert into usage.workspaces (workspace, organization, changed_at)
         select workspace, organization, date_trunc('milliseconds', clock_timestamp())
         from unnest($1::text[], $2::text[]) as owners (workspace, organization) order by workspace
         on conflict (workspace) do ${onConflict}`,
        [owners.map(({ workspace }) => workspace), owners.map(({ organization }) => organization)],
      ),
    );
  }

  async missing(workspaces: readonly string[]): Promise<readonly string[]> {
    const rows = await this.database.run((manager) =>
      manager.query<{ workspace: string }[]>(
        `select workspace from unnest($1::text[]) as stored (workspace)
         where not exists (select from usage.workspaces known where known.workspace = stored.workspace)`,
        [workspaces],
      ),
    );
    return rows.map(({ workspace }) => workspace);
  }

  async page({ after = '', limit, onlyChanged }: WorkspacePage): Promise<readonly MeasuredWorkspace[]> {
    const rows = await this.database.run((manager) =>
      manager.query<WorkspaceRow[]>(
        `select workspace, bytes, changed_at, measured_at from usage.workspaces
         where workspace > $1 and (changed_at is not null or not $3) order by workspace limit $2`,
        [after, limit, onlyChanged],
      ),
    );
    return rows.map(({ workspace, bytes, changed_at, measured_at }) => ({
      workspace,
      bytes: BigInt(bytes),
      changedAt: changed_at ?? undefined,
      measuredAt: measured_at ?? undefined,
    }));
  }

  async setBytes({ workspace, bytes, changedAt, measuredAt }: MeasuredWorkspace): Promise<boolean> {
    const [, count] = await this.database.run((manager) =>
      manager.query<[unknown[], number]>(
        // Two measurements in a millisecond have different times too.
        `update usage.workspaces
         set bytes = $2,
           measured_at = greatest(
             date_trunc('milliseconds', clock_timestamp()),
             date_trunc('milliseconds', measured_at) + interval '1 millisecond'
           ),
           changed_at = case when changed_at is not distinct from $3 then null else changed_at end
         where workspace = $1 and date_trunc('milliseconds', measured_at) is not distinct from $4`,
        [workspace, String(bytes), changedAt ?? null, measuredAt ?? null],
      ),
    );
    return count > 0;
  }

  async totals(): Promise<ReadonlyMap<string, bigint>> {
    const rows = await this.database.run((manager) =>
      manager.query<{ organization: string; bytes: string }[]>(
        'select organization, sum(bytes) as bytes from usage.workspaces group by organization',
      ),
    );
    return new Map(rows.map(({ organization, bytes }) => [organization, BigInt(bytes)]));
  }
}
