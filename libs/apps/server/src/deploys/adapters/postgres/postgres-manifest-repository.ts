import type { Queries } from '@homeport/platform/server/database';
import { type DividedManifest, ManifestRepository } from '../../application/manifest-repository.port';
import { DeployInterrupted } from '../../domain/deploys.errors';
import type { ManifestFile } from '../../domain/site-manifest';
import { insertFiles } from './deploy-contents';
import { removeAllFiles } from './deploy-deletion';

/** More files per statement would exceed the statement timeout. */
const FILES_PER_QUERY = 5_000;
/** Manifests removed by one run; the next run continues. */
const MANIFESTS_PER_RUN = 100;
const LEASE = `clock_timestamp() + interval '1 hour'`;
/** Leases are renewed at most once a minute, because thousands of requests may belong to one deploy. */
const RENEWED_WITHIN = `interval '59 minutes'`;

interface FileRow {
  readonly path: string;
  /** A PostgreSQL bigint, which the driver returns as text. */
  readonly size: string;
  readonly digest: string;
}

const FILE_COLUMNS = `path, size, encode(digest, 'hex') as digest`;

/** The manifests in PostgreSQL. */
export class PostgresManifestRepository extends ManifestRepository {
  constructor(private readonly queries: Queries) {
    super();
  }

  async add(deployId: string, { linked, pending }: DividedManifest): Promise<void> {
    await this.queries.transaction(async (manager) => {
      const [, begun] = await manager.query<[unknown, number]>(
        `update apps.deploys set lease_until = ${LEASE} where id = $1 and lease_until is not null`,
        [deployId],
      );
      if (begun !== 1) throw new DeployInterrupted();
      await manager.query(
        'insert into apps.manifests (deploy_id, organization) select id, organization from apps.deploys where id = $1',
        [deployId],
      );
      await insertFiles(manager, deployId, linked);
      for (let start = 0; start < pending.length; start += FILES_PER_QUERY) {
        const batch = pending.slice(start, start + FILES_PER_QUERY);
        await manager.query(
          `insert into apps.manifest_files (deploy_id, digest, path, size)
           select $1, decode(digest, 'hex'), path, size
           from unnest($2::text[], $3::text[], $4::bigint[]) as file (digest, path, size)`,
          [deployId, batch.map(({ digest }) => digest), batch.map(({ path }) => path), batch.map(({ size }) => size)],
        );
      }
    });
  }

  async pendingFiles(deployId: string): Promise<readonly ManifestFile[] | undefined> {
    const rows = await this.queries.run((manager) =>
      manager.query<(FileRow | { readonly path: null })[]>(
        `select ${FILE_COLUMNS} from apps.manifests m left join apps.manifest_files f on f.deploy_id = m.deploy_id
         where m.deploy_id = $1 order by path`,
        [deployId],
      ),
    );
    // A manifest without pending files is one row of nulls.
    return rows.length === 0 ? undefined : rows.filter((row) => row.path !== null).map(toFile);
  }

  async findFile(deployId: string, digest: string): Promise<ManifestFile | undefined> {
    // Linked files have no index by digest, but they are searched only when a stored blob is uploaded again.
    const [row] = await this.queries.run((manager) =>
      manager.query<FileRow[]>(
        `(select ${FILE_COLUMNS} from apps.manifest_files where deploy_id = $1 and digest = decode($2, 'hex') limit 1)
         union all
         (select ${FILE_COLUMNS} from apps.deploy_files
          where deploy_id = (select deploy_id from apps.manifests where deploy_id = $1) and digest = decode($2, 'hex')
          limit 1)
         limit 1`,
        [deployId, digest],
      ),
    );
    return row && toFile(row);
  }

  async renew(deployId: string): Promise<void> {
    await this.queries.run((manager) =>
      manager.query(
        `update apps.deploys set lease_until = ${LEASE}
         where id = $1 and lease_until < clock_timestamp() + ${RENEWED_WITHIN}`,
        [deployId],
      ),
    );
  }

  async countUnfinished(organization: string): Promise<number> {
    const [row] = await this.queries.run((manager) =>
      manager.query<{ count: number }[]>(
        `select count(*)::int as count from apps.manifests m join apps.deploys d on d.id = m.deploy_id
         where m.organization = $1 and d.lease_until is not null`,
        [organization],
      ),
    );
    return row?.count ?? 0;
  }

  async removeEnded(): Promise<number> {
    const ended = await this.queries.run((manager) =>
      manager.query<{ id: string; is_unfinished: boolean }[]>(
        `select d.id, d.ready_at is null as is_unfinished from apps.manifests m join apps.deploys d on d.id = m.deploy_id
         where d.lease_until is null and coalesce(d.ready_at, d.created_at) < clock_timestamp() - interval '1 hour'
         limit ${MANIFESTS_PER_RUN}`,
      ),
    );
    for (const { id, is_unfinished } of ended) {
      if (is_unfinished) await removeAllFiles(this.queries, id);
      await this.queries.run((manager) => manager.query('delete from apps.manifests where deploy_id = $1', [id]));
    }
    return ended.length;
  }
}

function toFile({ path, size, digest }: FileRow): ManifestFile {
  return { path, size: Number(size), digest };
}
