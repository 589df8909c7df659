import type { InstanceState, LogStream, RuntimeState } from '@homeport/apps/contracts';
import type { Queries } from '@homeport/platform/server/database';
import { UUID } from '../../../shared/adapters/postgres/uuid';
import {
  type LoggedLine,
  type LogRetention,
  type LogSelection,
  type RuntimeReport,
  RuntimeReports,
} from '../../application/runtime-reports.port';

/** Selects the instances of runtimes that still report them. */
export const IS_ALIVE = `seen_at > clock_timestamp() - interval '30 seconds'`;
/** More rows per statement would exceed the statement timeout. */
const LINES_PER_STATEMENT = 10_000;

interface InstanceRow {
  readonly id: string;
  readonly deploy_id: string;
  readonly state: InstanceState;
  readonly started_at: Date;
  /** PostgreSQL bigints, which the driver returns as text. */
  readonly memory_bytes: string;
  readonly requests: string;
}

interface LineRow {
  readonly id: string;
  readonly at: Date;
  readonly stream: LogStream;
  readonly line: string;
  readonly deploy_id: string;
  readonly instance_id: string;
}

/** What runtimes write into PostgreSQL. */
export class PostgresRuntimeReports extends RuntimeReports {
  constructor(private readonly queries: Queries) {
    super();
  }

  async find(appId: string): Promise<RuntimeReport> {
    const [state] = await this.#query<{ state: RuntimeState; reason: string | null }[]>(
      'select state, reason from runtime.app_states where app_id = $1',
      [appId],
    );
    const rows = await this.#query<InstanceRow[]>(
      `select id, deploy_id, state, started_at, memory_bytes, requests from runtime.instances
       where app_id = $1 and ${IS_ALIVE} order by started_at, id`,
      [appId],
    );
    const instances = rows.map((row) => ({
      id: row.id,
      deployId: row.deploy_id,
      state: row.state,
      startedAt: row.started_at,
      memoryBytes: Number(row.memory_bytes),
      requests: Number(row.requests),
    }));
    return { state: state?.state ?? 'none', reason: state?.reason ?? null, instances };
  }

  async lines(appId: string, selection: LogSelection, limit: number): Promise<readonly LoggedLine[]> {
    return this.#lines(appId, selection, `order by id limit ${limit}`);
  }

  async lastLines(appId: string, selection: LogSelection, limit: number): Promise<readonly LoggedLine[]> {
    return (await this.#lines(appId, selection, `order by id desc limit ${limit}`)).toReversed();
  }

  async removeLines({ days, bytes }: LogRetention): Promise<number> {
    let removed = await this.#removeBatches(`at < clock_timestamp() - interval '${days} days'`);
    removed += await this.#removeBatches('not exists (select from apps.apps where id = log_lines.app_id)');
    const large = await this.#query<{ app_id: string; oldest: string }[]>(
      `select app_id, max(id) as oldest from (
         select app_id, id, sum(octet_length(line)) over (partition by app_id order by id desc) as bytes
         from runtime.log_lines) sizes
       where bytes > $1 group by app_id`,
      [bytes],
    );
    for (const { app_id: appId, oldest } of large) {
      removed += await this.#removeBatches('app_id = $1 and id <= $2', [appId, oldest]);
    }
    return removed;
  }

  async #lines(appId: string, selection: LogSelection, order: string): Promise<readonly LoggedLine[]> {
    const { deployId, since, after, before } = selection;
    if (deployId !== undefined && !UUID.test(deployId)) return [];
    const rows = await this.#query<LineRow[]>(
      `select id, at, stream, line, deploy_id, instance_id from runtime.log_lines
       where app_id = $1 and ($2::uuid is null or deploy_id = $2) and ($3::timestamptz is null or at > $3)
         and ($4::bigint is null or id > $4) and ($5::bigint is null or id < $5) ${order}`,
      [appId, deployId ?? null, since ?? null, after ?? null, before ?? null],
    );
    return rows.map(({ deploy_id, instance_id, ...line }) => ({
      ...line,
      deployId: deploy_id,
      instanceId: instance_id,
    }));
  }

  async #removeBatches(condition: string, values: readonly unknown[] = []): Promise<number> {
    for (let removed = 0; ;) {
      const [, some] = await this.#query<[unknown, number]>(
        `delete from runtime.log_lines where id in (
           select id from runtime.log_lines where ${condition} limit ${LINES_PER_STATEMENT})`,
        values,
      );
      removed += some;
      if (some < LINES_PER_STATEMENT) return removed;
    }
  }

  #query<T>(sql: string, values: readonly unknown[]): Promise<T> {
    return this.queries.run((manager) => manager.query<T>(sql, [...values]));
  }
}
