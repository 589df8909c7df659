import type { PostgresPool } from '@homeport/platform/server/postgres';
import type { LogRecords, TimedLine } from '../../application/instance-logs';
import type { AppState, InstanceRecord, RuntimeRecords } from '../../application/runtime-state';
import type { StartCheckRecords, StartCheckResult } from '../../application/start-checks';

/** Records of a runtime that did not report for this long belong to a process that has ended. */
const LOST_AFTER = `interval '30 seconds'`;

/** Repeated by another runtime, the first result stays. A deploy may be deleted meanwhile. */
const CHECK = `insert into runtime.start_checks (deploy_id, passed, reason, log)
  select id, $2, $3, $4::jsonb from apps.deploys where id = $1 on conflict do nothing`;
const INSTANCES = `insert into runtime.instances
    (id, runtime_id, app_id, deploy_id, state, started_at, memory_bytes, requests, seen_at)
  select id, $1, app_id, deploy_id, state, started_at, memory_bytes, requests, now()
  from jsonb_to_recordset($2::jsonb) as r (id uuid, app_id uuid, deploy_id uuid, state text, started_at timestamptz,
    memory_bytes bigint, requests bigint)
  on conflict (id) do update set state = excluded.state, memory_bytes = excluded.memory_bytes,
    requests = excluded.requests, seen_at = excluded.seen_at`;
const ENDED = 'delete from runtime.instances where runtime_id = $1 and not id = any ($2::uuid[])';
const LOST_INSTANCES = `delete from runtime.instances where seen_at < now() - ${LOST_AFTER}`;
/** Another runtime may run the same app: its instances keep the app ready. */
const STATES = `insert into runtime.app_states (app_id, state, reason)
  select r.app_id, r.state, r.reason from jsonb_to_recordset($2::jsonb) as r (app_id uuid, state text, reason text)
  where r.state <> 'idle' or not exists (select from runtime.instances i where i.app_id = r.app_id
    and i.runtime_id <> $1 and i.state = 'ready' and i.seen_at > now() - ${LOST_AFTER})
  on conflict (app_id) do update set state = excluded.state, reason = excluded.reason, changed_at = now()
    where (app_states.state, app_states.reason) is distinct from (excluded.state, excluded.reason)`;
/** The states that a runtime left when it was killed. */
const LOST_STATES = `update runtime.app_states s set state = 'idle', reason = null, changed_at = now()
  where s.state in ('starting', 'ready', 'crash-loop') and not exists (select from runtime.instances i
    where i.app_id = s.app_id and i.seen_at > now() - ${LOST_AFTER})`;
const LINES = `insert into runtime.log_lines (app_id, deploy_id, instance_id, at, stream, line)
  select app_id, deploy_id, instance_id, at, stream, line
  from jsonb_to_recordset($1::jsonb) as r (app_id uuid, deploy_id uuid, instance_id uuid, at timestamptz, stream text,
    line text)`;

/** Stores what a runtime reports, in PostgreSQL. */
export class PostgresRuntimeRecords implements StartCheckRecords, RuntimeRecords, LogRecords {
  /** @param runtimeId names this process. */
  constructor(
    private readonly pool: Pick<PostgresPool, 'query'>,
    private readonly runtimeId: string,
  ) {}

  async record({ deployId, passed, reason, log }: StartCheckResult): Promise<void> {
    const lines = JSON.stringify(log.map(storable));
    await this.pool.query(CHECK, [deployId, passed, reason === undefined ? null : storable(reason), lines]);
  }

  async removeLost(): Promise<void> {
    await this.pool.query(LOST_INSTANCES);
    await this.pool.query(LOST_STATES);
  }

  async saveInstances(instances: readonly InstanceRecord[]): Promise<void> {
    const rows = instances.map((instance) => ({
      id: instance.id,
      app_id: instance.appId,
      deploy_id: instance.deployId,
      state: instance.state,
      started_at: instance.startedAt,
      memory_bytes: instance.memoryBytes,
      requests: instance.requests,
    }));
    if (rows.length > 0) await this.pool.query(INSTANCES, [this.runtimeId, JSON.stringify(rows)]);
    await this.pool.query(ENDED, [this.runtimeId, rows.map(({ id }) => id)]);
  }

  async saveStates(states: readonly AppState[]): Promise<void> {
    const rows = states.map(({ appId, state, reason }) => ({ app_id: appId, state, reason: reason ?? null }));
    await this.pool.query(STATES, [this.runtimeId, JSON.stringify(rows)]);
  }

  async append(lines: readonly TimedLine[]): Promise<void> {
    const rows = lines.map(({ appId, deployId, instanceId, at, stream, line }) => {
      return { app_id: appId, deploy_id: deployId, instance_id: instanceId, at, stream, line: storable(line) };
    });
    await this.pool.query(LINES, [JSON.stringify(rows)]);
    const apps = [...new Set(lines.map(({ appId }) => appId))];
    await this.pool.query(`select pg_notify('homeport_runtime', 'log:' || id) from unnest($1::text[]) as id`, [apps]);
  }
}

/** Apps write any characters. PostgreSQL rejects NUL and halves of surrogate pairs, with everything sent along. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}
