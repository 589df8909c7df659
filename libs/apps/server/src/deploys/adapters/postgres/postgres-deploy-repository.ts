import type { DeployError, DeployProblem, DeploySource } from '@homeport/apps/contracts';
import { displayNameOf, type Member } from '@homeport/identity/contracts';
import type { RevisionScope, ServerPlan, SiteRules } from '@homeport/hosting/contracts';
import type { JobQueue } from '@homeport/platform/server/jobs';
import type { EntityManager } from 'typeorm';
import {
  type DeployCompletion,
  type DeployPage,
  DeployRepository,
  type FailedDeployRetention,
  type FilePageRequest,
  type ReadyDeploy,
} from '../../application/deploy-repository.port';
import { DEPLOYS_JOB } from '../../../shared/application/job-names';
import type { PageRequest } from '../../../shared/application/list-request';
import { INTERRUPTED, UNFINISHED } from '../../application/deploy-failure';
import type { DeployContents, DeployFilePage, DeployRecord } from '../../domain/deploy-record';
import { DeployInterrupted } from '../../domain/deploys.errors';
import { AppNotFound } from '../../../registry/domain/apps.errors';
import { contentsOf, existingPaths, filesOf, findNestedFile, insertFiles, rulesOf } from './deploy-contents';
import { removeDeleted } from './deploy-deletion';
import { DEPLOY_COLUMNS, toDeployRecord, toDeployPosition, type DeployRow, toJsonb } from './deploy-rows';
import { findRollbackTarget } from './postgres-release-repository';
import type { Queries } from '@homeport/platform/server/database';
import { archiveBeyond, removeFailed } from './retention';
import { UUID } from '../../../shared/adapters/postgres/uuid';

/** An upload whose instance has not renewed the lease for this long is considered abandoned. */
const LEASE_SECONDS = 30;
/** Maximum time from the call to the lease. */
const MARGIN_SECONDS = 2;
const NEW_LEASE = `lease_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds'`;

/** The deploy repository in PostgreSQL. */
export class PostgresDeployRepository extends DeployRepository {
  constructor(
    private readonly queries: Queries,
    private readonly jobs: JobQueue,
  ) {
    super();
  }

  async begin(member: Member, appId: string, source?: DeploySource): Promise<DeployRecord> {
    if (!UUID.test(appId)) throw new AppNotFound();
    await this.jobs.enqueue(DEPLOYS_JOB, LEASE_SECONDS + MARGIN_SECONDS);
    const [row] = await this.queries.run((manager) =>
      manager.query<DeployRow[]>(
        // A trigger assigns the number and updates the app. A weaker lock on the app would allow deadlocks.
        `insert into apps.deploys (app_id, organization, created_by, source, lease_until)
         select id, organization, $3, $4::jsonb, clock_timestamp() + interval '${LEASE_SECONDS} seconds'
         from apps.apps where id = $1 and organization = $2 for no key update
         returning ${DEPLOY_COLUMNS}`,
        [appId, member.organization, displayNameOf(member), source ? toJsonb(source) : null],
      ),
    );
    if (!row) throw new AppNotFound();
    return toDeployRecord(row);
  }

  async renew(id: string): Promise<void> {
    await this.#change(id, NEW_LEASE);
    await this.jobs.enqueue(DEPLOYS_JOB, LEASE_SECONDS + MARGIN_SECONDS);
  }

  async beginProcessing(id: string): Promise<void> {
    await this.#change(id, `status = 'processing', ${NEW_LEASE}`);
  }

  async beginStarting(id: string, server: ServerPlan, scope: RevisionScope): Promise<void> {
    const [, changed] = await this.queries.run((manager) =>
      manager.query<[unknown, number]>(
        `update apps.deploys set status = 'starting', server = $2, framework = $3, start_scope = $4, ${NEW_LEASE}
         where id = $1 and status in ('uploading', 'processing')`,
        [id, toJsonb(server), server.framework, scope],
      ),
    );
    if (changed !== 1) throw new DeployInterrupted();
    await this.jobs.enqueue(DEPLOYS_JOB, LEASE_SECONDS + MARGIN_SECONDS);
  }

  async fail(id: string, error: DeployError, problems: readonly DeployProblem[]): Promise<void> {
    await this.queries.run((manager) =>
      manager.query(
        `update apps.deploys set status = 'failed', error = $2, problems = $3, lease_until = null
         where id = $1 and lease_until is not null`,
        [id, toJsonb(error), toJsonb(problems)],
      ),
    );
  }

  async claimCompletion(id: string): Promise<boolean> {
    return this.queries.run(async (manager) => {
      // Not a lock on the row: the app is locked before its deploys, and only after many files were stored.
      await manager.query(`select pg_advisory_xact_lock(hashtextextended('complete ' || $1, 0))`, [id]);
      const found = await manager.query<unknown[]>(
        'select 1 from apps.deploys where id = $1 and lease_until is not null',
        [id],
      );
      return found.length > 0;
    });
  }

  async addFiles(id: string, files: ReadyDeploy['files']): Promise<void> {
    await this.queries.run((manager) => insertFiles(manager, id, files));
  }

  async complete(id: string, ready: DeployCompletion): Promise<DeployRecord | undefined> {
    const [[row]] = await this.queries.run((manager) =>
      manager.query<[DeployRow[], number]>(
        `update apps.deploys set status = 'ready', ready_at = clock_timestamp(), lease_until = null,
           (file_count, total_bytes) =
             (select count(*), coalesce(sum(size), 0) from apps.deploy_files where deploy_id = $1),
           rules = $2, problems = $3, held_back = $4
         where id = $1 and lease_until is not null returning ${DEPLOY_COLUMNS}`,
        [id, toJsonb(ready.rules), toJsonb(ready.problems), ready.isHeldBack],
      ),
    );
    return row && toDeployRecord(row);
  }

  async list(organization: string, appId: string, { limit, after }: PageRequest): Promise<DeployPage | undefined> {
    if (!UUID.test(appId)) return undefined;
    return this.queries.run(async (manager) => {
      const rows = await manager.query<DeployRow[]>(
        `select ${DEPLOY_COLUMNS} from apps.deploys
         where app_id = $1 and organization = $2 and deleted_at is null
           ${after ? `and (created_at, id) < (timestamptz 'epoch' + $3::bigint * interval '1 microsecond', $4::uuid)` : ''}
         order by created_at desc, id desc limit ${limit + 1}`,
        [appId, organization, ...(after ? [after.createdAtMicros, after.id] : [])],
      );
      if (rows.length === 0 && !(await this.#isKnown(manager, organization, appId))) return undefined;
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      const end = last && shown.length < rows.length ? { end: toDeployPosition(last) } : {};
      return { deploys: shown.map(toDeployRecord), ...end };
    });
  }

  async find(organization: string, id: string): Promise<DeployRecord | undefined> {
    return this.#find(organization, id, '');
  }

  async lock(organization: string, id: string): Promise<DeployRecord | undefined> {
    return this.#find(organization, id, 'for share');
  }

  async contentsOf(id: string): Promise<DeployContents> {
    return this.queries.run((manager) => contentsOf(manager, id));
  }

  async listFiles(id: string, page: FilePageRequest): Promise<DeployFilePage> {
    if (!UUID.test(id)) return { filesJson: '[]' };
    return this.queries.run((manager) => filesOf(manager, id, page));
  }

  async existingPaths(id: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
    return this.queries.run((manager) => existingPaths(manager, id, paths));
  }

  async findNestedFile(id: string, name: string): Promise<string | undefined> {
    return this.queries.run((manager) => findNestedFile(manager, id, name));
  }

  async rulesOf(id: string): Promise<SiteRules> {
    return this.queries.run((manager) => rulesOf(manager, id));
  }

  async rollbackTargetOf(id: string): Promise<DeployRecord | undefined> {
    return this.queries.run(async (manager) => {
      const [app] = await manager.query<{ id: string }[]>(
        `select id from apps.apps
         where id = (select app_id from apps.deploys where id = $1) and active_deploy_id = $1`,
        [id],
      );
      const target = app && (await findRollbackTarget(manager, app.id, id));
      if (target === undefined) return undefined;
      const [row] = await manager.query<DeployRow[]>(`select ${DEPLOY_COLUMNS} from apps.deploys where id = $1`, [
        target,
      ]);
      return row && toDeployRecord(row);
    });
  }

  async withdraw(organization: string, id: string): Promise<DeployRecord | undefined> {
    if (!UUID.test(id)) return undefined;
    const [[row]] = await this.queries.run((manager) =>
      manager.query<[DeployRow[], number]>(
        `update apps.deploys set deleted_at = clock_timestamp(), lease_until = null,
           status = 'archived', archived_at = coalesce(archived_at, clock_timestamp())
         where id = $1 and organization = $2 and deleted_at is null returning ${DEPLOY_COLUMNS}`,
        [id, organization],
      ),
    );
    return row && toDeployRecord(row);
  }

  async archiveAll(appId: string): Promise<number> {
    const [, archived] = await this.queries.run((manager) =>
      manager.query<[unknown, number]>(
        `update apps.deploys set status = 'archived', archived_at = clock_timestamp(), lease_until = null
         where app_id = $1 and status <> 'archived'`,
        [appId],
      ),
    );
    return archived;
  }

  async removeDeleted(): Promise<number> {
    return removeDeleted(this.queries);
  }

  async failAbandoned(): Promise<number> {
    const [, failed] = await this.queries.run((manager) =>
      manager.query<[unknown, number]>(
        `update apps.deploys set status = 'failed', lease_until = null,
           error = case when status <> 'starting' and exists (select from apps.manifests where deploy_id = deploys.id)
             then $2 else $1 end::jsonb
         where id in (select id from apps.deploys where lease_until < clock_timestamp() for update skip locked)`,
        [toJsonb(INTERRUPTED), toJsonb(UNFINISHED)],
      ),
    );
    return failed;
  }

  async archiveBeyond(limit: number): Promise<number> {
    return archiveBeyond(this.queries, limit);
  }

  async removeFailed(retention: FailedDeployRetention): Promise<number> {
    return removeFailed(this.queries, retention);
  }

  async #find(organization: string, id: string, lock: '' | 'for share'): Promise<DeployRecord | undefined> {
    if (!UUID.test(id)) return undefined;
    const [row] = await this.queries.run((manager) =>
      manager.query<DeployRow[]>(
        `select ${DEPLOY_COLUMNS} from apps.deploys where id = $1 and organization = $2 and deleted_at is null ${lock}`,
        [id, organization],
      ),
    );
    return row && toDeployRecord(row);
  }

  /** Changes a deploy in progress. @throws {DeployInterrupted} when its lease has expired. */
  async #change(id: string, change: string): Promise<void> {
    const [, changed] = await this.queries.run((manager) =>
      manager.query<[unknown, number]>(
        `update apps.deploys set ${change} where id = $1 and lease_until >= clock_timestamp()`,
        [id],
      ),
    );
    if (changed !== 1) throw new DeployInterrupted();
  }

  async #isKnown(manager: EntityManager, organization: string, appId: string): Promise<boolean> {
    const [found] = await manager.query<unknown[]>(
      `select 1 from apps.apps where id = $1 and organization = $2
       union all select 1 from apps.deploys where app_id = $1 and organization = $2 and deleted_at is null limit 1`,
      [appId, organization],
    );
    return found !== undefined;
  }
}
