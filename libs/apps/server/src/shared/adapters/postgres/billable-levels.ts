import type { Query } from '@homeport/platform/server/postgres';

interface LevelRow {
  readonly organization: string;
  readonly level: string;
}

/** The domains for which each organization is charged now. */
export function countBillableDomains(query: Query, kind: 'hostname' | 'base'): Promise<ReadonlyMap<string, bigint>> {
  return levels(
    query,
    `select organization, count(*) as level from apps.domain_periods
     where ended_at is null and kind = $1 group by organization`,
    [kind],
  );
}

/** The environment variables of the apps of each organization. All of them are stored sealed. */
export function countEnvironmentVariables(query: Query): Promise<ReadonlyMap<string, bigint>> {
  return levels(
    query,
    `select organization, count(*) as level from apps.environment_variables
     join apps.apps on apps.id = environment_variables.app_id group by organization`,
  );
}

/** The bytes of the files of deploys of each organization, without compressed copies. Equal files are stored once. */
export function sumDeployBytes(query: Query): Promise<ReadonlyMap<string, bigint>> {
  return levels(
    query,
    `select organization, sum(size) as level from apps.blobs where state = 'stored' group by organization`,
  );
}

async function levels(query: Query, text: string, values: unknown[] = []): Promise<ReadonlyMap<string, bigint>> {
  const rows = await query<LevelRow>(text, values);
  return new Map(rows.map(({ organization, level }) => [organization, BigInt(level)]));
}
