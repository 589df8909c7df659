import type { DeployError, DeployProblem, DeployStatus } from '@homeport/apps/contracts';
import type { EntityManager } from 'typeorm';
import type { ReadyDeploy } from '../../application/deploy-repository.port';
import type { DeployedFile, DeployRecord } from '../../domain/deploy-record';
import type { ListPosition } from '../../domain/list-positions';

/** A row of `apps.deploys`. */
export interface DeployRow {
  readonly id: string;
  readonly app_id: string;
  readonly status: DeployStatus;
  readonly file_count: number;
  /** PostgreSQL's bigint. */
  readonly total_bytes: string;
  readonly created_by: string;
  readonly created_at: Date;
  readonly ready_at: Date | null;
  readonly archived_at: Date | null;
  readonly error: DeployError | null;
  readonly created_at_micros: string;
}

export const DEPLOY_COLUMNS = `id, app_id, status, file_count, total_bytes, created_by, created_at, ready_at,
  archived_at, error, (extract(epoch from created_at) * 1000000)::bigint as created_at_micros`;

export function deployIn(row: DeployRow): DeployRecord {
  return {
    id: row.id,
    appId: row.app_id,
    status: row.status,
    fileCount: row.file_count,
    totalBytes: Number(row.total_bytes),
    createdBy: row.created_by,
    createdAt: row.created_at,
    readyAt: row.ready_at ?? undefined,
    archivedAt: row.archived_at ?? undefined,
    error: row.error ?? undefined,
  };
}

export function deployPositionIn({ id, created_at_micros }: DeployRow): ListPosition {
  return { id, createdAtMicros: created_at_micros };
}

/** As JSON that PostgreSQL takes: it knows neither NUL nor half a character, which uploads may well hold. */
export function jsonIn(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? part.toWellFormed().replaceAll('\0', '\uFFFD') : part,
  );
}

/** Of a statement: more takes longer than one may. */
const FILES_AT_ONCE = 2_000;

/** Writes the files of a deploy down. */
export async function insertFiles(manager: EntityManager, id: string, files: ReadyDeploy['files']): Promise<void> {
  for (let start = 0; start < files.length; start += FILES_AT_ONCE) {
    const some = files.slice(start, start + FILES_AT_ONCE);
    await manager.query(
      `insert into apps.deploy_files (deploy_id, path, size, content_type, digest, blob_id)
       select $1, path, size, content_type, decode(digest, 'hex'), blob_id
       from unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::uuid[])
         as file (path, size, content_type, digest, blob_id)`,
      [
        id,
        some.map(({ path }) => path),
        some.map(({ size }) => size),
        some.map(({ contentType }) => contentType),
        some.map(({ digest }) => digest),
        some.map(({ blobId }) => blobId ?? null),
      ],
    );
  }
}

/** A deploy that is archived has had its files; whoever asks for the deploys of a blob need not pass it by each time. */
export async function unlinkBlobs(manager: EntityManager, id: string): Promise<void> {
  // From now on they are unused, and not since they were last claimed.
  await manager.query(
    `update apps.blobs set used_at = now() where id in (
       select id from apps.blobs where id in (select blob_id from apps.deploy_files where deploy_id = $1)
       order by id for update)`,
    [id],
  );
  await manager.query('update apps.deploy_files set blob_id = null where deploy_id = $1', [id]);
}

interface FileRow {
  readonly path: string;
  readonly size: string;
  readonly content_type: string;
  readonly digest: string;
}

export async function filesOf(manager: EntityManager, id: string): Promise<DeployedFile[]> {
  const rows = await manager.query<FileRow[]>(
    `select path, size, content_type, encode(digest, 'hex') as digest
     from apps.deploy_files where deploy_id = $1 order by path`,
    [id],
  );
  return rows.map(({ path, size, content_type, digest }) => {
    return { path, size: Number(size), contentType: content_type, digest };
  });
}

export async function problemsOf(manager: EntityManager, id: string): Promise<readonly DeployProblem[]> {
  const [row] = await manager.query<{ problems: DeployProblem[] }[]>(
    'select problems from apps.deploys where id = $1',
    [id],
  );
  return row?.problems ?? [];
}
