import { RULE_FILES } from '@homeport/hosting/contracts';
import { blobKey, type Encoding } from '@homeport/platform/server/blobs';
import type { Queries } from '@homeport/platform/server/database';
import {
  certificateContext,
  type SecretBox,
  SecretUnreadable,
  variableContext,
} from '@homeport/platform/server/secrets';
import {
  type BlobUse,
  type IncompleteDeploy,
  type RecordedBlob,
  type RecordedBlobState,
  RecordedState,
  type UnreadableSecret,
} from '../../application/recorded-state.port';

const PAGE = 1_000;
/** A deploy has up to 20,000 files, and a query has two seconds. */
const DEPLOYS_PER_PAGE = 10;
const SHOWN_USES = 3;
const FIRST_UUID = '00000000-0000-0000-0000-000000000000';

/** Counted, as in the blob ledger: with `exists`, the planner scans whole tables. */
const IS_USED = `(select count(*) > 0 from apps.deploy_files f join apps.deploys d on d.id = f.deploy_id
  where f.blob_id = blobs.id and d.archived_at is null)`;
const CONDITIONS: Readonly<Record<RecordedBlobState, string>> = {
  stored: `state = 'stored'`,
  // The clean-up claims only blobs that no deploy uses.
  lost: `state = 'removing' and ${IS_USED}`,
};

interface BlobRow {
  readonly id: string;
  readonly digest: string;
  /** PostgreSQL bigints, which the driver returns as text. */
  readonly size: string;
  readonly br_size: string | null;
  readonly gzip_size: string | null;
}

/** The state in PostgreSQL. Reads pages, so that no query takes long. */
export class PostgresRecordedState extends RecordedState {
  /** @param box opens sealed values; undefined when there are no keys. */
  constructor(
    private readonly queries: Queries,
    private readonly box: SecretBox | undefined,
  ) {
    super();
  }

  async *organizations(state: RecordedBlobState): AsyncIterable<string> {
    for (let last = ''; ;) {
      const [{ next }] = await this.#query<[{ next: string | null }]>(
        `select min(organization) as next from apps.blobs where ${CONDITIONS[state]} and organization > $1`,
        [last],
      );
      if (next === null) return;
      yield next;
      last = next;
    }
  }

  async *blobs(organization: string, state: RecordedBlobState): AsyncIterable<RecordedBlob> {
    for (let last = { digest: '', id: FIRST_UUID }; ;) {
      const rows = await this.#query<BlobRow[]>(
        `select id, encode(digest, 'hex') as digest, size, br_size, gzip_size from apps.blobs
         where organization = $1 and ${CONDITIONS[state]} and (digest, id) > (decode($2, 'hex'), $3::uuid)
         order by digest, id limit ${PAGE}`,
        [organization, last.digest, last.id],
      );
      for (const row of rows) yield toBlob(organization, row);
      if (rows.length < PAGE) return;
      last = rows.at(-1) as BlobRow;
    }
  }

  filterKnown(blobIds: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#idsOf('select id from apps.blobs where id = any ($1::uuid[])', blobIds);
  }

  filterStored(blobIds: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#idsOf(`select id from apps.blobs where id = any ($1::uuid[]) and state = 'stored'`, blobIds);
  }

  async findUses(blobIds: readonly string[]): Promise<readonly BlobUse[]> {
    const rows = await this.#query<{ blob_id: string; deploy_id: string; path: string }[]>(
      `select use.* from unnest($1::uuid[]) as blob (id), lateral (
         select f.blob_id, f.deploy_id, f.path from apps.deploy_files f join apps.deploys d on d.id = f.deploy_id
         where f.blob_id = blob.id and d.archived_at is null order by d.created_at desc limit ${SHOWN_USES}) use`,
      [blobIds],
    );
    return rows.map((row) => ({ blobId: row.blob_id, deployId: row.deploy_id, path: row.path }));
  }

  async markMissing(blobIds: readonly string[]): Promise<void> {
    // The clean-up removes the row with what is left of the blob.
    await this.#query(
      `update apps.blobs set state = 'removing', used_at = now() - interval '2 days'
       where id = any ($1::uuid[]) and state = 'stored'`,
      [blobIds],
    );
  }

  async markFound(blobIds: readonly string[]): Promise<void> {
    await this.#query(`update apps.blobs set state = 'stored' where id = any ($1::uuid[]) and ${CONDITIONS.lost}`, [
      blobIds,
    ]);
  }

  async *incompleteDeploys(): AsyncIterable<IncompleteDeploy> {
    for (let last = FIRST_UUID; ;) {
      const deploys = await this.#query<{ id: string }[]>(
        `select id from apps.deploys where status = 'ready' and id > $1 order by id limit ${DEPLOYS_PER_PAGE}`,
        [last],
      );
      const ids = deploys.map(({ id }) => id);
      const rows = await this.#query<{ deploy_id: string; files: number }[]>(
        `select deploy_id, count(*)::int as files from apps.deploy_files f
         where deploy_id = any ($1::uuid[]) and not (role = 'static' and path = any ($2::text[]))
           and not exists (select from apps.blobs b where b.id = f.blob_id and b.state = 'stored')
         group by deploy_id order by deploy_id`,
        [ids, RULE_FILES],
      );
      for (const row of rows) yield { deployId: row.deploy_id, files: row.files };
      if (ids.length < DEPLOYS_PER_PAGE) return;
      last = ids.at(-1) as string;
    }
  }

  async findAppsWithoutReadyDeploy(): Promise<readonly string[]> {
    const rows = await this.#query<{ subdomain: string }[]>(
      `select subdomain from apps.apps a join apps.deploys d on d.id = a.active_deploy_id
       where d.status <> 'ready' order by subdomain`,
      [],
    );
    return rows.map(({ subdomain }) => subdomain);
  }

  async *unreadableSecrets(): AsyncIterable<UnreadableSecret> {
    yield* this.#unreadableVariables();
    yield* this.#unreadableCertificates();
  }

  async *#unreadableVariables(): AsyncIterable<UnreadableSecret> {
    for (let last = { app_id: FIRST_UUID, name: '' }; ;) {
      const rows = await this.#query<
        { app_id: string; name: string; scope: string; sealed: Buffer; subdomain: string }[]
      >(
        `select v.app_id, v.name, v.scope, v.sealed, a.subdomain
         from apps.environment_variables v join apps.apps a on a.id = v.app_id
         where (v.app_id, v.name) > ($1::uuid, $2) order by v.app_id, v.name limit ${PAGE}`,
        [last.app_id, last.name],
      );
      for (const { app_id, name, scope, sealed, subdomain } of rows) {
        const isReadable = this.#opens(sealed, variableContext(app_id, name, scope));
        if (!isReadable) yield { kind: 'variable', name: `${name} of app ${subdomain}` };
      }
      if (rows.length < PAGE) return;
      last = rows.at(-1) as (typeof rows)[0];
    }
  }

  async *#unreadableCertificates(): AsyncIterable<UnreadableSecret> {
    for (let last = FIRST_UUID; ;) {
      const rows = await this.#query<{ id: string; names: readonly string[]; sealed_key: Buffer }[]>(
        `select id, names, sealed_key from apps.certificates where id > $1 order by id limit ${PAGE}`,
        [last],
      );
      for (const { id, names, sealed_key } of rows) {
        if (!this.#opens(sealed_key, certificateContext(id))) yield { kind: 'certificate', name: names.join(', ') };
      }
      if (rows.length < PAGE) return;
      last = (rows.at(-1) as (typeof rows)[0]).id;
    }
  }

  #opens(sealed: Buffer, context: string): boolean {
    try {
      return this.box?.open(sealed, context) !== undefined;
    } catch (error) {
      if (error instanceof SecretUnreadable) return false;
      throw error;
    }
  }

  async #idsOf(sql: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set((await this.#query<{ id: string }[]>(sql, [ids])).map(({ id }) => id));
  }

  #query<T>(sql: string, values: readonly unknown[]): Promise<T> {
    return this.queries.run((manager) => manager.query<T>(sql, [...values]));
  }
}

function toBlob(organization: string, { id, digest, size, br_size, gzip_size }: BlobRow): RecordedBlob {
  const sizes = new Map<Encoding, number>([['identity', Number(size)]]);
  if (br_size !== null) sizes.set('br', Number(br_size));
  if (gzip_size !== null) sizes.set('gzip', Number(gzip_size));
  return { id, key: blobKey(organization, digest, id), sizes };
}
