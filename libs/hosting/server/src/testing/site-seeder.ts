import { randomUUID } from 'node:crypto';
import { type Database } from '@homeport/platform/server/database';
import { JobQueue } from '@homeport/platform/server/jobs';
import { PostgresAppsUnitOfWork } from '@homeport/apps/server';
import type { BlobStore } from '@homeport/platform/server/blobs';
import { DeleteDeploy, memberOf } from '@homeport/apps/server/testing';
import type { SiteFile } from '../routing/application/site-directory.port';
import { NO_RULES, type ServerPlan, type SiteRules } from '@homeport/hosting/contracts';
import { type FileFixture, siteFile } from './site-file';

const ORGANIZATION = 'northwind';

/** The server of an SSR app. */
export interface ServerFixture {
  readonly plan: ServerPlan;
  readonly files: Readonly<Record<string, FileFixture>>;
}

export interface DomainFixture {
  readonly appId?: string;
  readonly organization?: string;
}

/** Writes sites directly into PostgreSQL and a blob store, in the state that uploads leave. */
export class SiteSeeder {
  readonly #unitOfWork: PostgresAppsUnitOfWork;

  constructor(
    private readonly database: Database,
    private readonly blobs?: BlobStore,
  ) {
    this.#unitOfWork = new PostgresAppsUnitOfWork(database, new JobQueue({ database: database.source }));
  }

  /** Creates an app. @returns its id. */
  async app(subdomain: string, name = 'My Shop'): Promise<string> {
    const [row] = await this.#query<{ id: string }[]>(
      `insert into apps.apps (organization, name, subdomain, type, created_by) values ($1, $2, $3, 'static', 'ada')
       returning id`,
      [ORGANIZATION, name, subdomain],
    );
    return (row as { id: string }).id;
  }

  /** Creates a deploy that is not active. @returns its id. */
  async deploy(
    appId: string,
    given: Readonly<Record<string, FileFixture>>,
    { rules = NO_RULES, status = 'ready', server }: { rules?: SiteRules; status?: string; server?: ServerFixture } = {},
  ): Promise<string> {
    const id = randomUUID();
    await this.#query(
      `insert into apps.deploys (id, app_id, organization, status, rules, created_by, ready_at, archived_at, error)
       values ($1, $2, $3, $4, $5, 'ada', now(), case when $4 = 'archived' then now() end,
         case when $4 = 'failed' then '{}'::jsonb end)`,
      [id, appId, ORGANIZATION, status, JSON.stringify(rules)],
    );
    for (const [path, file] of Object.entries(given)) {
      await this.#add(await siteFile({ deployId: id, path, organization: ORGANIZATION }, file, this.blobs), 'static');
    }
    for (const [path, file] of Object.entries(server?.files ?? {})) {
      await this.#add(await siteFile({ deployId: id, path, organization: ORGANIZATION }, file, this.blobs), 'server');
    }
    if (server) {
      await this.#query('update apps.deploys set server = $2 where id = $1', [id, JSON.stringify(server.plan)]);
      await this.#query(`update apps.apps set type = 'ssr' where id = $1`, [appId]);
    }
    return id;
  }

  async activate(appId: string, deployId: string | null): Promise<void> {
    if (deployId !== null) {
      await this.#query('insert into apps.releases (app_id, deploy_id) values ($1, $2)', [appId, deployId]);
    }
    await this.pointTo(appId, deployId);
  }

  /** Changes the active deploy without adding a release, like a rollback. */
  async pointTo(appId: string, deployId: string | null): Promise<void> {
    await this.#query('update apps.apps set active_deploy_id = $2 where id = $1', [appId, deployId]);
  }

  /** Creates an active deploy. @returns its id. */
  async show(appId: string, given: Readonly<Record<string, FileFixture>>, rules?: SiteRules): Promise<string> {
    const id = await this.deploy(appId, given, { ...(rules && { rules }) });
    await this.activate(appId, id);
    return id;
  }

  /** Points the alias of a branch at a deploy. */
  async alias(label: string, appId: string, deployId: string): Promise<void> {
    await this.#unitOfWork.run(({ aliases }) => aliases.move({ label, appId, deployId }));
  }

  /** Adds a verified domain: a host name of an app, or a base domain without one. @returns its id. */
  async domain(name: string, { appId, organization = ORGANIZATION }: DomainFixture = {}): Promise<string> {
    const id = randomUUID();
    const kind = appId === undefined ? 'base' : 'hostname';
    await this.#query(
      `insert into apps.domain_claims (id, organization, kind, name, registrable_domain, app_id, token, created_at,
         routing, certificate, is_primary, price_usd, card_version, records)
       values ($1, $2, $3, $4, $4, $5, '', now(), 'here', 'none', false, 10, '1', '[]')`,
      [id, organization, kind, name, appId ?? null],
    );
    await this.changeDomain(id, 'verified_at = now()');
    return id;
  }

  /** @param assignments of columns, in SQL. */
  async changeDomain(id: string, assignments: string): Promise<void> {
    await this.#query(`update apps.domain_claims set ${assignments} where id = $1`, [id]);
  }

  /** Changes the version of the app's variables, as a changed variable and a restart do. */
  async restart(appId: string): Promise<void> {
    await this.#query('update apps.apps set runtime_version = runtime_version + 1 where id = $1', [appId]);
  }

  /** Makes a deploy wait for its start check. */
  async start(deployId: string): Promise<void> {
    await this.#query(
      `update apps.deploys set status = 'starting', ready_at = null, lease_until = now() + interval '1 minute'
       where id = $1`,
      [deployId],
    );
  }

  query<T>(sql: string, values: readonly unknown[] = []): Promise<T> {
    return this.#query<T>(sql, values);
  }

  async archive(deployId: string): Promise<void> {
    await this.#query(`update apps.deploys set status = 'archived', archived_at = now() where id = $1`, [deployId]);
  }

  /** Deletes a deploy as the API does. @throws {ActiveDeployNotDeletable} */
  async deleteDeploy(id: string): Promise<void> {
    await new DeleteDeploy(this.#unitOfWork).execute(memberOf(ORGANIZATION), id);
  }

  async removeApp(id: string): Promise<void> {
    await this.#unitOfWork.run(async ({ apps, formerOwners, deploys }) => {
      const app = await apps.remove(ORGANIZATION, id);
      if (app) await formerOwners.add(app.toFormerOwner());
      await deploys.archiveAll(id);
    });
  }

  /** Sets the deadline for clearing data, like the registration of a name that another organization had. */
  async clearDataUntil(appId: string, until: Date): Promise<void> {
    await this.#query('update apps.apps set clears_data_until = $2 where id = $1', [appId, until]);
  }

  async #add(file: SiteFile, role: 'static' | 'server'): Promise<void> {
    const blobId = file.blob.split('/').at(-1);
    await this.#query(
      `insert into apps.blobs (id, organization, digest, size, br_size, gzip_size, state)
       values ($1, $2, decode($3, 'hex'), $4, $5, $6, 'stored')`,
      [blobId, ORGANIZATION, file.digest, file.size, file.brSize ?? null, file.gzipSize ?? null],
    );
    await this.#query(
      `insert into apps.deploy_files (deploy_id, path, size, content_type, digest, blob_id, role)
       values ($1, $2, $3, $4, decode($5, 'hex'), $6, $7)`,
      [file.deployId, file.path, file.size, file.contentType, file.digest, blobId, role],
    );
  }

  #query<T>(sql: string, values: readonly unknown[]): Promise<T> {
    return this.database.source.query<T>(sql, [...values]);
  }
}
