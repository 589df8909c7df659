import type { DeployError, DeploySource, DeployStatus } from '@homeport/apps/contracts';
import type { Framework } from '@homeport/hosting/contracts';
import type { DeployRecord } from '../../domain/deploy-record';
import type { ListPosition } from '../../../shared/domain/list-cursor';
import { IS_SHOWING } from '../../../domains/adapters/postgres/showing-domains';

/** A row of `apps.deploys`. */
export interface DeployRow {
  readonly id: string;
  readonly app_id: string;
  readonly number: number;
  readonly status: DeployStatus;
  readonly file_count: number;
  /** A PostgreSQL bigint, which the driver returns as text. */
  readonly total_bytes: string;
  readonly created_by: string;
  readonly source: DeploySource | null;
  readonly alias: string | null;
  readonly base_domain: string | null;
  readonly created_at: Date;
  readonly ready_at: Date | null;
  readonly archived_at: Date | null;
  readonly first_live_at: Date | null;
  readonly held_back: boolean;
  readonly framework: Framework | null;
  readonly error: DeployError | null;
  readonly problem_count: number;
  readonly created_at_micros: string;
}

export const DEPLOY_COLUMNS = `id, app_id, number, status, file_count, total_bytes, created_by, source,
  (select label from apps.aliases where deploy_id = deploys.id and deploys.status = 'ready' limit 1) as alias,
  (select name from apps.domain_claims
    where organization = deploys.organization and kind = 'base' and is_primary and ${IS_SHOWING} limit 1) as base_domain,
  created_at, ready_at, archived_at, (select min(at) from apps.releases where deploy_id = deploys.id) as first_live_at,
  held_back, framework, error, problem_count,
  (extract(epoch from created_at) * 1000000)::bigint as created_at_micros`;

export function toDeployRecord(row: DeployRow): DeployRecord {
  return {
    id: row.id,
    appId: row.app_id,
    number: row.number,
    status: row.status,
    fileCount: row.file_count,
    totalBytes: Number(row.total_bytes),
    createdBy: row.created_by,
    source: row.source ?? undefined,
    alias: row.alias ?? undefined,
    baseDomain: row.base_domain ?? undefined,
    createdAt: row.created_at,
    readyAt: row.ready_at ?? undefined,
    archivedAt: row.archived_at ?? undefined,
    firstLiveAt: row.first_live_at ?? undefined,
    isHeldBack: row.held_back,
    framework: row.framework ?? undefined,
    error: row.error ?? undefined,
    problemCount: row.problem_count,
  };
}

export function toDeployPosition({ id, created_at_micros }: DeployRow): ListPosition {
  return { id, createdAtMicros: created_at_micros };
}

/** Serializes to JSON that `jsonb` accepts: it rejects NUL and lone surrogates, which uploads may contain. */
export function toJsonb(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? part.toWellFormed().replaceAll('\0', '\uFFFD') : part,
  );
}
