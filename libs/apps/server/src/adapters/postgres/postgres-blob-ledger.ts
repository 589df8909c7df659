import type { Database } from '@homeport/platform/server';
import {
  type BlobReservation,
  type BlobEncodings,
  BlobLedger,
  type BlobDescriptor,
  type NewBlob,
  type StoredBlob,
  type UnusedBlob,
} from '../../application/blobs/blob-ledger.port';
import { blobKey } from '../../domain/blobs/blob-key';

/** Longer than any upload takes. */
const UNUSED_FOR = `interval '1 day'`;
/** Whoever was claimed within that time is safe for long enough, and nobody has to wait for others to claim it too. */
const RESERVED_WITHIN = `interval '1 hour'`;

interface BlobRow {
  readonly id: string;
  readonly digest: string;
}

interface CheckedRow extends BlobRow {
  readonly organization: string;
  readonly is_used: boolean;
}

/** The ledger of blobs in PostgreSQL. */
export class PostgresBlobLedger extends BlobLedger {
  constructor(private readonly database: Database) {
    super();
  }

  async reserve(organization: string, descriptors: readonly BlobDescriptor[]): Promise<BlobReservation> {
    const stored = await this.#claimStored(
      organization,
      descriptors.map(({ digest }) => digest),
    );
    const found = new Set(stored.map(({ digest }) => digest));
    const missing = descriptors.filter(({ digest }) => !found.has(digest));
    return { stored, missing: await this.#announce(organization, missing) };
  }

  async markStored(blobs: readonly BlobEncodings[]): Promise<void> {
    await this.database.run((manager) =>
      manager.query(
        // Of a table in which next to nothing is being stored, a condition on that would make the planner expect one row.
        `update apps.blobs b set state = case state when 'storing' then 'stored' else state end,
           br_size = stored.br_size, gzip_size = stored.gzip_size
         from unnest($1::uuid[], $2::bigint[], $3::bigint[]) as stored (id, br_size, gzip_size)
         where b.id = stored.id`,
        [
          blobs.map(({ id }) => id),
          blobs.map(({ brSize }) => brSize ?? null),
          blobs.map(({ gzipSize }) => gzipSize ?? null),
        ],
      ),
    );
  }

  async takeUnused(limit: number): Promise<readonly UnusedBlob[]> {
    for (;;) {
      const looked = await this.#look(limit);
      const unused = looked.filter(({ is_used }) => !is_used);
      if (unused.length > 0 || looked.length === 0) {
        return unused.map(({ id, organization, digest }) => ({ id, key: blobKey(organization, digest, id) }));
      }
    }
  }

  async forget(blobs: readonly UnusedBlob[]): Promise<void> {
    await this.database.run((manager) =>
      manager.query(`delete from apps.blobs where id = any ($1::uuid[]) and state = 'removing'`, [
        blobs.map(({ id }) => id),
      ]),
    );
  }

  /**
   * Looks at so many at a time, however many there are, and at what turns out to be used not again for a day. Every
   * blob is asked about by itself, and in full: the planner would read whole tables in the hope of an early match.
   */
  async #look(limit: number): Promise<CheckedRow[]> {
    const [rows] = await this.database.run((manager) =>
      manager.query<[CheckedRow[], number]>(
        `with due as materialized (
           select id from apps.blobs where used_at < now() - ${UNUSED_FOR}
           order by used_at limit $1 for update skip locked),
         looked as materialized (
           select id, (select count(*) > 0 from apps.deploy_files f
                       where f.blob_id = due.id
                         and (select archived_at is null from apps.deploys where id = f.deploy_id)) as is_used from due)
         update apps.blobs b
         set state = case when is_used then state else 'removing' end,
             used_at = case when is_used then now() else used_at end
         from looked where looked.id = b.id
         returning b.id, organization, encode(digest, 'hex') as digest, is_used`,
        [limit],
      ),
    );
    return rows;
  }

  async #claimStored(organization: string, digests: readonly string[]): Promise<StoredBlob[]> {
    return this.database.transaction(async (manager) => {
      const asked = [organization, digests.map((digest) => Buffer.from(digest, 'hex'))];
      // In one order, so that uploads of the same files never wait for each other in a circle.
      await manager.query(
        `update apps.blobs set used_at = now() where id in (
           select id from apps.blobs
           where organization = $1 and state = 'stored' and used_at < now() - ${RESERVED_WITHIN}
             and digest = any ($2::bytea[])
           order by id for update)`,
        asked,
      );
      return manager.query<BlobRow[]>(
        `select distinct on (digest) id, encode(digest, 'hex') as digest from apps.blobs
         where organization = $1 and state = 'stored' and used_at >= now() - ${RESERVED_WITHIN}
           and digest = any ($2::bytea[])`,
        asked,
      );
    });
  }

  async #announce(organization: string, missing: readonly BlobDescriptor[]): Promise<NewBlob[]> {
    const rows = await this.database.run((manager) =>
      manager.query<BlobRow[]>(
        `insert into apps.blobs (organization, digest, size)
         select $1, decode(digest, 'hex'), size from unnest($2::text[], $3::bigint[]) as wish (digest, size)
         returning id, encode(digest, 'hex') as digest`,
        [organization, missing.map(({ digest }) => digest), missing.map(({ size }) => size)],
      ),
    );
    return rows.map(({ id, digest }) => ({ id, digest, key: blobKey(organization, digest, id) }));
  }
}
