import type { Database } from '@homeport/platform/server/database';
import {
  type BlobReservation,
  type BlobEncodings,
  BlobLedger,
  type BlobDescriptor,
  type NewBlob,
  type StoredBlob,
  type UnusedBlob,
} from '../../application/blob-ledger.port';
import { blobKey } from '@homeport/platform/server/blobs';

/** Exceeds the duration of every upload. */
const UNUSED_FOR = `interval '1 day'`;
/** Blobs reserved within this time are not updated again, so concurrent reservations do not wait for a row lock. */
const RESERVED_WITHIN = `interval '1 hour'`;

interface BlobRow {
  readonly id: string;
  readonly digest: string;
}

interface StoredRow extends BlobRow {
  /** A PostgreSQL bigint, which the driver returns as text. */
  readonly size: string;
}

interface CheckedRow extends BlobRow {
  readonly organization: string;
  readonly is_used: boolean;
}

/** The blob ledger in PostgreSQL. */
export class PostgresBlobLedger extends BlobLedger {
  constructor(private readonly database: Database) {
    super();
  }

  async reserve(organization: string, descriptors: readonly BlobDescriptor[]): Promise<BlobReservation> {
    const stored = await this.reserveStored(
      organization,
      descriptors.map(({ digest }) => digest),
    );
    const found = new Set(stored.map(({ digest }) => digest));
    const missing = descriptors.filter(({ digest }) => !found.has(digest));
    return { stored, missing: await this.#insertMissing(organization, missing) };
  }

  async reserveStored(organization: string, digests: readonly string[]): Promise<readonly StoredBlob[]> {
    const values = [organization, digests.map((digest) => Buffer.from(digest, 'hex'))];
    const findReserved = async () => {
      const rows = await this.database.run((manager) =>
        manager.query<StoredRow[]>(
          `select distinct on (digest) id, encode(digest, 'hex') as digest, size from apps.blobs
           where organization = $1 and state = 'stored' and used_at >= now() - ${RESERVED_WITHIN}
             and digest = any ($2::bytea[])`,
          values,
        ),
      );
      return rows.map(({ id, digest, size }) => ({ id, digest, size: Number(size) }));
    };
    const reserved = await findReserved();
    if (reserved.length === digests.length) return reserved;
    // Locked in one order, so that concurrent uploads of the same files cannot deadlock.
    await this.database.run((manager) =>
      manager.query(
        `update apps.blobs set used_at = now() where id in (
           select id from apps.blobs
           where organization = $1 and state = 'stored' and used_at < now() - ${RESERVED_WITHIN}
             and digest = any ($2::bytea[])
           order by id for update)`,
        values,
      ),
    );
    return findReserved();
  }

  async markStored(blobs: readonly BlobEncodings[]): Promise<void> {
    await this.database.run((manager) =>
      manager.query(
        // No condition on `storing`: almost no row has that state, so the planner would expect a single row.
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

  async claimUnused(limit: number): Promise<readonly UnusedBlob[]> {
    for (;;) {
      const checked = await this.#checkOldest(limit);
      const unused = checked.filter(({ is_used }) => !is_used);
      if (unused.length > 0 || checked.length === 0) {
        return unused.map(({ id, organization, digest }) => ({ id, key: blobKey(organization, digest, id) }));
      }
    }
  }

  async deleteEntries(blobs: readonly UnusedBlob[]): Promise<void> {
    await this.database.run((manager) =>
      manager.query(`delete from apps.blobs where id = any ($1::uuid[]) and state = 'removing'`, [
        blobs.map(({ id }) => id),
      ]),
    );
  }

  /**
   * Checks at most `limit` of the oldest blobs. Blobs in use are not checked again for a day. The use of each blob is
   * counted in a separate subquery: with `exists`, the planner scans whole tables, as it expects an early match.
   */
  async #checkOldest(limit: number): Promise<CheckedRow[]> {
    const [rows] = await this.database.run((manager) =>
      manager.query<[CheckedRow[], number]>(
        `with due as materialized (
           select id from apps.blobs where used_at < now() - ${UNUSED_FOR}
           order by used_at limit $1 for update skip locked),
         checked as materialized (
           select id, (select count(*) > 0 from apps.deploy_files f
                       where f.blob_id = due.id
                         and (select archived_at is null from apps.deploys where id = f.deploy_id)) as is_used from due)
         update apps.blobs b
         set state = case when is_used then state else 'removing' end,
             used_at = case when is_used then now() else used_at end
         from checked where checked.id = b.id
         returning b.id, organization, encode(digest, 'hex') as digest, is_used`,
        [limit],
      ),
    );
    return rows;
  }

  async #insertMissing(organization: string, missing: readonly BlobDescriptor[]): Promise<NewBlob[]> {
    const rows = await this.database.run((manager) =>
      manager.query<BlobRow[]>(
        `insert into apps.blobs (organization, digest, size)
         select $1, decode(digest, 'hex'), size from unnest($2::text[], $3::bigint[]) as missing (digest, size)
         returning id, encode(digest, 'hex') as digest`,
        [organization, missing.map(({ digest }) => digest), missing.map(({ size }) => size)],
      ),
    );
    return rows.map(({ id, digest }) => ({ id, digest, key: blobKey(organization, digest, id) }));
  }
}
