import type { AppRuntime, AppType, RuntimeState } from '@homeport/apps/contracts';
import type { ListPosition } from '../../../shared/domain/list-cursor';
import { App } from '../../domain/app';
import type { ActiveDeployRecord, AppDomainRecord, AppRecord } from '../../domain/app-record';
import { IS_ALIVE } from '../../../runtime/adapters/postgres/postgres-runtime-reports';
import { IS_SHOWING } from '../../../domains/adapters/postgres/showing-domains';
import type { Subdomain } from '../../../shared/domain/subdomain';
import { DNS_STATE_COLUMNS, toDnsState, type DnsStateRow } from '../../../dns/adapters/postgres/dns-rows';

/** An app joined with its active deploy and the state of its DNS record. */
export interface AppRow extends StoredAppRow, ActiveDeployRow, DnsStateRow, RuntimeRow {
  readonly domains: readonly AppDomainRecord[];
}

interface RuntimeRow {
  /** Null before a runtime has reported it. */
  readonly runtime_state: RuntimeState | null;
  readonly runtime_reason: string | null;
  readonly instances: number;
}

/** Nulls when no deploy is active. */
interface ActiveDeployRow {
  readonly deploy_number: number | null;
  readonly deploy_created_at: Date;
  readonly deploy_created_by: string;
  readonly deploy_problem_count: number;
  readonly deploy_lacks_start_page: boolean;
}

/** A row of `apps.apps`. */
export interface StoredAppRow {
  readonly id: string;
  readonly organization: string;
  readonly name: string;
  readonly subdomain: string;
  readonly type: AppType;
  readonly deploy_count: number;
  readonly active_deploy_id: string | null;
  readonly clears_data_until: Date | null;
  readonly deleted_deploys: number;
  readonly created_at: Date;
  /** Microseconds since 1970: a `Date` holds only milliseconds. */
  readonly created_at_micros: string;
}

const COLUMNS = [
  'id',
  'organization',
  'name',
  'subdomain',
  'type',
  'deploy_count',
  'active_deploy_id',
  'clears_data_until',
  'deleted_deploys',
  'created_at',
];

const columnsOf = (prefix: string) =>
  COLUMNS.map((name) => prefix + name)
    .concat(`(extract(epoch from ${prefix}created_at) * 1000000)::bigint as created_at_micros`)
    .join(', ');

/** Columns of `apps.apps`. */
export const STORED_APP_COLUMNS = columnsOf('');

/**
 * Apps joined with their DNS records and active deploys. Without the limits, the planner reads the rows of all
 * organizations to join them with the few of one.
 */
export const APPS = `apps.apps a
  left join lateral (select * from apps.dns_records where subdomain = a.subdomain limit 1) r on true
  left join lateral (
    select number, created_at, created_by, problem_count, lacks_start_page
    from apps.deploys where id = a.active_deploy_id limit 1) d on true
  left join lateral (
    select state, reason from runtime.app_states where a.type = 'ssr' and app_id = a.id limit 1) s on true`;

/** Columns of `APPS`. */
export const APP_COLUMNS = `${columnsOf('a.')}, ${DNS_STATE_COLUMNS}, d.number as deploy_number,
  d.created_at as deploy_created_at, d.created_by as deploy_created_by, d.problem_count as deploy_problem_count,
  d.lacks_start_page as deploy_lacks_start_page, s.state as runtime_state, s.reason as runtime_reason,
  case when a.type = 'ssr' then (select count(*)::int from runtime.instances where app_id = a.id and ${IS_ALIVE})
    else 0 end as instances,
  (select coalesce(json_agg(json_build_object('kind', kind, 'name', name, 'isPrimary', is_primary)
      order by created_at, id), '[]')
    from apps.domain_claims where organization = a.organization and (app_id = a.id or kind = 'base')
      and ${IS_SHOWING}) as domains`;

export function toApp(row: StoredAppRow): App {
  return new App({
    id: row.id,
    organization: row.organization,
    name: row.name,
    // Only parsed subdomains are inserted, and a check constraint of the table enforces the form.
    subdomain: row.subdomain as Subdomain,
    type: row.type,
    deployCount: row.deploy_count,
    activeDeployId: row.active_deploy_id,
    clearsDataUntil: row.clears_data_until ?? undefined,
    deletedDeploys: row.deleted_deploys,
    createdAt: row.created_at,
  });
}

export function toAppRecord(row: AppRow): AppRecord {
  const record = toApp(row).toRecord({ dns: toDnsState(row), activeDeploy: toActiveDeploy(row), domains: row.domains });
  return row.type === 'ssr' ? { ...record, runtime: toRuntime(row) } : record;
}

function toRuntime({ runtime_state: state, runtime_reason: reason, instances }: RuntimeRow): AppRuntime {
  return { state: state ?? 'none', instances, ...(reason !== null && { reason }) };
}

export function toListPosition({ id, created_at_micros }: AppRow): ListPosition {
  return { id, createdAtMicros: created_at_micros };
}

function toActiveDeploy(row: ActiveDeployRow): ActiveDeployRecord | undefined {
  if (row.deploy_number === null) return undefined;
  return {
    number: row.deploy_number,
    createdAt: row.deploy_created_at,
    createdBy: row.deploy_created_by,
    problemCount: row.deploy_problem_count,
    hasStartPage: !row.deploy_lacks_start_page,
  };
}
