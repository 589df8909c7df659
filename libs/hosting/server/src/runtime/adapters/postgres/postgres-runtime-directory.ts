import type { RevisionScope, ServerPlan } from '@homeport/hosting/contracts';
import { blobKey } from '@homeport/platform/server/blobs';
import type { PostgresPool } from '@homeport/platform/server/postgres';
import { type BundleFile, RuntimeDirectory, type ServerRecord } from '../../application/runtime-directory.port';
import type { Revision } from '../../domain/revision';

/** Deploys in these states may run: `starting` ones for their start check. */
const RUNNABLE = `d.server is not null and d.status in ('starting', 'ready')`;

const SERVER = `select d.app_id, d.server, d.start_scope, a.runtime_version from apps.deploys d join apps.apps a on a.id = d.app_id
  where d.id = $1 and ${RUNNABLE}`;
const FILES = `select coalesce(f.bundle_path, f.path) as path, f.size, encode(f.digest, 'hex') as digest,
    b.id as blob_id, b.organization
  from apps.deploy_files f join apps.blobs b on b.id = f.blob_id where f.deploy_id = $1`;
const VARIABLES = `select name, scope, sealed from apps.environment_variables
  where app_id = $1 and scope in ('all', $2)`;
const LIVE = `select d.id, a.runtime_version from apps.apps a join apps.deploys d on d.id = a.active_deploy_id
  where a.id = $1 and ${RUNNABLE}`;
const UNCHECKED = `select d.id from apps.deploys d
  where d.status = 'starting' and not exists (select from runtime.start_checks c where c.deploy_id = d.id)`;

interface ServerRow {
  readonly app_id: string;
  readonly server: ServerPlan;
  readonly start_scope: RevisionScope;
  readonly runtime_version: number;
}

interface FileRow {
  readonly path: string;
  /** A PostgreSQL bigint, which the driver returns as text. */
  readonly size: string;
  readonly digest: string;
  readonly blob_id: string;
  readonly organization: string;
}

/** A variable as it is stored. */
export interface SealedVariable {
  readonly appId: string;
  readonly name: string;
  readonly scope: string;
  readonly sealed: Buffer;
}

/** Opens the value of a variable. @throws {Error} when no key fits. */
export type OpenVariable = (variable: SealedVariable) => string;

/** The directory of servers in PostgreSQL. */
export class PostgresRuntimeDirectory extends RuntimeDirectory {
  constructor(
    private readonly pool: Pick<PostgresPool, 'query'>,
    private readonly openVariable: OpenVariable,
  ) {
    super();
  }

  /** Resolves when the tables exist and are readable. @throws {DatabaseUnavailable} */
  async ready(): Promise<void> {
    await this.pool.query(UNCHECKED);
  }

  async findServer(deployId: string): Promise<ServerRecord | undefined> {
    const [row] = await this.pool.query<ServerRow>(SERVER, [deployId]);
    if (!row) return undefined;
    const { app_id: appId, server: plan, start_scope: startScope, runtime_version: version } = row;
    return { appId, plan, startScope, version };
  }

  async listFiles(deployId: string): Promise<readonly BundleFile[]> {
    const rows = await this.pool.query<FileRow>(FILES, [deployId]);
    return rows.map(({ path, size, digest, blob_id: blobId, organization }) => {
      return { path, size: Number(size), digest, blob: blobKey(organization, digest, blobId) };
    });
  }

  async environmentOf(appId: string, scope: RevisionScope): Promise<Readonly<Record<string, string>>> {
    const rows = await this.pool.query<Omit<SealedVariable, 'appId'>>(VARIABLES, [appId, scope]);
    return Object.fromEntries(rows.map((row) => [row.name, this.openVariable({ appId, ...row })]));
  }

  async findLive(appId: string): Promise<Revision | undefined> {
    const [row] = await this.pool.query<{ id: string; runtime_version: number }>(LIVE, [appId]);
    return row && { deployId: row.id, version: row.runtime_version, scope: 'production' };
  }

  async listUnchecked(): Promise<readonly string[]> {
    return (await this.pool.query<{ id: string }>(UNCHECKED)).map(({ id }) => id);
  }

  async findRunnable(deployIds: readonly string[]): Promise<ReadonlySet<string>> {
    const sql = `select d.id from apps.deploys d where d.id = any ($1::uuid[]) and ${RUNNABLE}`;
    return new Set((await this.pool.query<{ id: string }>(sql, [deployIds])).map(({ id }) => id));
  }
}
