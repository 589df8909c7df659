import type { DeployProblem } from '@homeport/apps/contracts';
import { NO_RULES, type SiteRules } from '@homeport/hosting/contracts';
import type { EntityManager } from 'typeorm';
import { FILES_PER_PAGE, type FilePageRequest, type ReadyDeploy } from '../../application/deploy-repository.port';
import type { DeployContents, DeployFilePage } from '../../domain/deploy-record';

/** More files per statement would exceed the statement timeout. */
const FILES_PER_QUERY = 2_000;

/** Inserts the files of a deploy. */
export async function insertFiles(manager: EntityManager, id: string, files: ReadyDeploy['files']): Promise<void> {
  for (let start = 0; start < files.length; start += FILES_PER_QUERY) {
    const batch = files.slice(start, start + FILES_PER_QUERY);
    await manager.query(
      `insert into apps.deploy_files (deploy_id, path, size, content_type, digest, blob_id, role, bundle_path)
       select $1, path, size, content_type, decode(digest, 'hex'), blob_id, role, bundle_path
       from unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::uuid[], $7::text[], $8::text[])
         as file (path, size, content_type, digest, blob_id, role, bundle_path)`,
      [
        id,
        batch.map(({ path }) => path),
        batch.map(({ size }) => size),
        batch.map(({ contentType }) => contentType),
        batch.map(({ digest }) => digest),
        batch.map(({ blobId }) => blobId ?? null),
        batch.map(({ role = 'static' }) => role),
        batch.map(({ bundlePath }) => bundlePath ?? null),
      ],
    );
  }
}

export async function contentsOf(manager: EntityManager, id: string): Promise<DeployContents> {
  return { ...(await filesOf(manager, id, { limit: FILES_PER_PAGE })), problems: await problemsOf(manager, id) };
}

/** Files per row: the driver copies larger rows several times, which causes collections of the whole heap. */
const FILES_PER_ROW = 50;

interface FilesRow {
  /** Encoded files, separated by commas. */
  readonly files: string;
  /** The path of the last file of the page, if more files follow. */
  readonly end: string | null;
}

/**
 * Reads a page in the order of the primary key, whose collation sorts paths by their UTF-8 bytes. Files of a deploy with
 * a server have other paths in the upload, so they are sorted.
 */
export async function filesOf(
  manager: EntityManager,
  id: string,
  { limit, after }: FilePageRequest,
): Promise<DeployFilePage> {
  const path = (await hasServer(manager, id)) ? 'coalesce(bundle_path, path)' : 'path';
  const rows = await manager.query<FilesRow[]>(
    `with page as (
       select ${path} as path, size, content_type, 'sha-256:' || encode(digest, 'hex') as digest
       from apps.deploy_files where deploy_id = $1 ${after === undefined ? '' : `and ${path} > $3`}
       order by 1 limit $2 + 1),
     numbered as (select path, row_to_json(page)::text as file, row_number() over (order by path) as position from page)
     select string_agg(file, ',' order by position) as files,
       max(path) filter (where position = $2 and (select count(*) from page) > $2) as end
     from numbered where position <= $2
     group by (position - 1) / ${FILES_PER_ROW} order by min(position)`,
    [id, limit, ...(after === undefined ? [] : [after])],
  );
  const end = rows.at(-1)?.end;
  return { filesJson: `[${rows.map(({ files }) => files).join(',')}]`, ...(typeof end === 'string' && { end }) };
}

async function hasServer(manager: EntityManager, id: string): Promise<boolean> {
  const found = await manager.query<unknown[]>('select 1 from apps.deploys where id = $1 and server is not null', [id]);
  return found.length > 0;
}

async function problemsOf(manager: EntityManager, id: string): Promise<readonly DeployProblem[]> {
  const [row] = await manager.query<{ problems: DeployProblem[] }[]>(
    'select problems from apps.deploys where id = $1',
    [id],
  );
  return row?.problems ?? [];
}

export async function existingPaths(
  manager: EntityManager,
  id: string,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await manager.query<{ path: string }[]>(
    `select path from apps.deploy_files where deploy_id = $1 and path = any ($2::text[]) and role = 'static'`,
    [id, paths],
  );
  return new Set(rows.map(({ path }) => path));
}

export async function findNestedFile(manager: EntityManager, id: string, name: string): Promise<string | undefined> {
  const [row] = await manager.query<{ path: string }[]>(
    `select path from apps.deploy_files where deploy_id = $1 and starts_with(reverse(path), reverse('/' || $2))
     order by length(path) - length(replace(path, '/', '')), path limit 1`,
    [id, name],
  );
  return row?.path;
}

export async function rulesOf(manager: EntityManager, id: string): Promise<SiteRules> {
  const [row] = await manager.query<{ rules: SiteRules }[]>('select rules from apps.deploys where id = $1', [id]);
  return row?.rules ?? NO_RULES;
}

/** Unlinks the blobs of an archived deploy, so that queries for the deploys of a blob need not skip it. */
export async function unlinkBlobs(manager: EntityManager, id: string): Promise<void> {
  // Restarts the retention period of the blobs, which otherwise counts from their last reservation.
  await manager.query(
    `update apps.blobs set used_at = now() where id in (
       select id from apps.blobs where id in (select blob_id from apps.deploy_files where deploy_id = $1)
       order by id for update)`,
    [id],
  );
  await manager.query('update apps.deploy_files set blob_id = null where deploy_id = $1', [id]);
}
