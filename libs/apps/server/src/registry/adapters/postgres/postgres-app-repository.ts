import { violatesConstraint } from '@homeport/platform/server/postgres';
import { type AppPage, AppRepository, type OwnedNewApp } from '../../application/app-repository.port';
import type { PageRequest } from '../../../shared/application/list-request';
import type { App, AppChanges } from '../../domain/app';
import type { AppRecord } from '../../domain/app-record';
import { SubdomainTaken } from '../../domain/apps.errors';
import {
  APP_COLUMNS,
  APPS,
  type AppRow,
  STORED_APP_COLUMNS,
  type StoredAppRow,
  toApp,
  toAppRecord,
  toListPosition,
} from './app-rows';
import type { Queries } from '@homeport/platform/server/database';
import { UUID } from '../../../shared/adapters/postgres/uuid';

/** The columns of changes. */
const COLUMNS: Readonly<Record<keyof AppChanges, string>> = {
  deployCount: 'deploy_count',
  activeDeployId: 'active_deploy_id',
  clearsDataUntil: 'clears_data_until',
  deletedDeploys: 'deleted_deploys',
};

/** The app repository in PostgreSQL. */
export class PostgresAppRepository extends AppRepository {
  constructor(private readonly queries: Queries) {
    super();
  }

  async count(organization: string): Promise<number> {
    const [{ count }] = await this.#query<[{ count: number }]>(
      'select count(*)::int as count from apps.apps where organization = $1',
      [organization],
    );
    return count;
  }

  async lockRegistrations(organization: string): Promise<void> {
    await this.#query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`apps of ${organization}`]);
  }

  async add({ organization, name, subdomain, type, createdBy }: OwnedNewApp): Promise<App> {
    try {
      const [row] = await this.#query<[StoredAppRow]>(
        `insert into apps.apps (organization, name, subdomain, type, created_by)
         values ($1, $2, $3, $4, $5) returning ${STORED_APP_COLUMNS}`,
        [organization, name, subdomain, type, createdBy],
      );
      return toApp(row);
    } catch (error) {
      throw violatesConstraint(error, 'apps_subdomain_key') ? new SubdomainTaken(subdomain) : error;
    }
  }

  async list(organization: string, page?: PageRequest): Promise<AppPage> {
    const after = page?.after && [page.after.createdAtMicros, page.after.id];
    const rows = await this.#query<AppRow[]>(
      `select ${APP_COLUMNS} from ${APPS}
       where a.organization = $1
         ${after ? `and (a.created_at, a.id) < (timestamptz 'epoch' + $2::bigint * interval '1 microsecond', $3::uuid)` : ''}
       order by a.created_at desc, a.id desc ${page ? `limit ${page.limit + 1}` : ''}`,
      [organization, ...(after ?? [])],
    );
    const shown = page ? rows.slice(0, page.limit) : rows;
    const last = shown.at(-1);
    return { apps: shown.map(toAppRecord), ...(last && shown.length < rows.length && { end: toListPosition(last) }) };
  }

  async find(organization: string, id: string): Promise<AppRecord | undefined> {
    if (!UUID.test(id)) return undefined;
    const [row] = await this.#query<AppRow[]>(
      `select ${APP_COLUMNS} from ${APPS} where a.organization = $1 and a.id = $2`,
      [organization, id],
    );
    return row && toAppRecord(row);
  }

  async lock(organization: string, id: string): Promise<App | undefined> {
    return this.#lock('id = $1', organization, id);
  }

  async lockByDeploy(organization: string, deployId: string): Promise<App | undefined> {
    // Looks up no app of another organization: that would take longer than for an absent deploy.
    const app = 'id = (select app_id from apps.deploys where id = $1 and organization = $2)';
    return this.#lock(app, organization, deployId);
  }

  async hasSubdomain(subdomain: string): Promise<boolean> {
    const found = await this.#query<unknown[]>('select 1 from apps.apps where subdomain = $1', [subdomain]);
    return found.length > 0;
  }

  /** Sets only the given columns, because triggers notify the edges of updates of some columns. */
  async update(id: string, changes: AppChanges): Promise<void> {
    const fields = Object.keys(changes) as (keyof AppChanges)[];
    if (fields.length === 0) return;
    const assignments = fields.map((field, i) => `${COLUMNS[field]} = $${i + 2}`);
    await this.#query(`update apps.apps set ${assignments.join(', ')} where id = $1`, [
      id,
      ...fields.map((field) => changes[field] ?? null),
    ]);
  }

  async advanceRuntimeVersion(id: string): Promise<void> {
    await this.#query('update apps.apps set runtime_version = runtime_version + 1 where id = $1', [id]);
  }

  async remove(organization: string, id: string): Promise<App | undefined> {
    if (!UUID.test(id)) return undefined;
    const [[row]] = await this.#query<[StoredAppRow[], number]>(
      `delete from apps.apps where id = $1 and organization = $2 returning ${STORED_APP_COLUMNS}`,
      [id, organization],
    );
    return row && toApp(row);
  }

  /** @param condition selects the app by the id as `$1`. */
  async #lock(condition: string, organization: string, id: string): Promise<App | undefined> {
    if (!UUID.test(id)) return undefined;
    const [row] = await this.#query<StoredAppRow[]>(
      `select ${STORED_APP_COLUMNS} from apps.apps where ${condition} and organization = $2 for update`,
      [id, organization],
    );
    return row && toApp(row);
  }

  #query<T>(sql: string, values: readonly unknown[]): Promise<T> {
    return this.queries.run((manager) => manager.query<T>(sql, [...values]));
  }
}
