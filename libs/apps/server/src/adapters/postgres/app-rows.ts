import type { AppType } from '@homeport/apps/contracts';
import type { AppPosition } from '../../domain/app-positions';
import type { AppRecord } from '../../domain/app-record';
import type { Subdomain } from '../../domain/subdomain';
import { SHOWN_COLUMNS, shownState, type ShownRow } from './dns-rows';

/** An app beside what is shown of its DNS record. */
export interface AppRow extends ShownRow {
  readonly id: string;
  readonly organization: string;
  readonly name: string;
  readonly subdomain: string;
  readonly type: AppType;
  readonly deploy_count: number;
  readonly active_deploy_id: string | null;
  readonly created_at: Date;
  /** Microseconds since 1970: a `Date` holds only milliseconds. */
  readonly created_at_micros: string;
}

/** Of `apps.apps a` beside `apps.dns_records r`. */
export const APP_COLUMNS = `a.id, a.organization, a.name, a.subdomain, a.type, a.deploy_count, a.active_deploy_id,
  a.created_at, (extract(epoch from a.created_at) * 1000000)::bigint as created_at_micros, ${SHOWN_COLUMNS}`;

export function appIn(row: AppRow): AppRecord {
  return {
    id: row.id,
    organization: row.organization,
    name: row.name,
    // Only parsed subdomains are ever written, and the table's own check keeps it so.
    subdomain: row.subdomain as Subdomain,
    type: row.type,
    deployCount: row.deploy_count,
    activeDeployId: row.active_deploy_id,
    dns: shownState(row),
    createdAt: row.created_at,
  };
}

export function positionIn({ id, created_at_micros }: AppRow): AppPosition {
  return { id, createdAtMicros: created_at_micros };
}
