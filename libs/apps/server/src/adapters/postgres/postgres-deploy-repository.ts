import type { DeployError, DeployProblem } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/server';
import { type JobQueue, recordAudit } from '@homeport/platform/server';
import type { EntityManager } from 'typeorm';
import type { PageRequest } from '../../application/registry/app-repository.port';
import {
  type DeployPage,
  DeployRepository,
  type FilePageRequest,
  type FailedDeployRetention,
  type ReadyDeploy,
} from '../../application/deploys/deploy-repository.port';
import { DEPLOYS_JOB } from '../../application/maintenance-jobs';
import type { AppRecord } from '../../domain/registry/app-record';
import { AppNotFound } from '../../domain/registry/apps.errors';
import { INTERRUPTED } from '../../domain/deploys/deploy-failure';
import {
  type DeployContents,
  type DeployFilePage,
  type DeployRecord,
  uploaderOf,
} from '../../domain/deploys/deploy-record';
import {
  DeployInterrupted,
  DeployNotFound,
  DeployNotReady,
  NothingToRollBack,
} from '../../domain/deploys/deploys.errors';
import { assertExpected, type ExpectedRelease } from '../../domain/deploys/expected-release';
import { APP_COLUMNS, toAppRecord, APPS, type AppRow } from './app-rows';
import { contentsOf, filesOf, insertFiles } from './deploy-contents';
import { deleteDeploy, removeDeleted } from './deploy-deletion';
import { DEPLOY_COLUMNS, toDeployRecord, toDeployPosition, type DeployRow, toJsonb } from './deploy-rows';
import {
  auditOf,
  findRollbackTarget,
  lockApp,
  lockAppOfDeploy,
  release,
  type ActiveDeployRow,
  rollBackTo,
} from './releases';
import { archiveBeyond, removeFailed } from './retention';
import type { Queries } from './queries';
import { UUID } from './uuid';

/** An upload whose instance has not renewed the lease for this long is considered abandoned. */
const LEASE_SECONDS = 30;
/** Maximum time from the call to the lease. */
const MARGIN_SECONDS = 2;
const NEW_LEASE = `lease_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds'`;

/** The deploy repository in PostgreSQL. Lock order: the app before its deploys. */
export class PostgresDeployRepository extends DeployRepository {
  constructor(
    private readonly queries: Queries,
    private readonly jobs: JobQueue,
  ) {
    super();
  }

  async begin(member: Member, appId: string): Promise<DeployRecord> {
    if (!UUID.test(appId)) throw new AppNotFound();
    await this.jobs.enqueue(DEPLOYS_JOB, LEASE_SECONDS + MARGIN_SECONDS);
    const [row] = await this.queries.run((manager) =>
      manager.query<DeployRow[]>(
        `insert into apps.deploys (app_id, organization, created_by, lease_until)
         select id, organization, $3, clock_timestamp() + interval '${LEASE_SECONDS} seconds'
         from apps.apps where id = $1 and organization = $2 for share
         returning ${DEPLOY_COLUMNS}`,
        [appId, member.organization, uploaderOf(member)],
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

  async fail(id: string, error: DeployError, problems: readonly DeployProblem[]): Promise<void> {
    await this.queries.run((manager) =>
      manager.query(
        `update apps.deploys set status = 'failed', error = $2, problems = $3, lease_until = null
         where id = $1 and lease_until is not null`,
        [id, toJsonb(error), toJsonb(problems)],
      ),
    );
  }

  async finish(member: Member, id: string, ready: ReadyDeploy): Promise<DeployRecord> {
    return this.queries.transaction(async (manager) => {
      await assertLease(manager, id);
      await insertFiles(manager, id, ready.files);
      const app = await lockAppOfDeploy(manager, member.organization, id);
      if (!app) throw new DeployInterrupted();
      const [[row]] = await manager.query<[DeployRow[], number]>(
        `update apps.deploys set status = 'ready', ready_at = clock_timestamp(), lease_until = null,
           file_count = $2, total_bytes = $3, rules = $4, problems = $5
         where id = $1 and lease_until is not null returning ${DEPLOY_COLUMNS}`,
        [id, ready.files.length, bytesOf(ready), toJsonb(ready.rules), toJsonb(ready.problems)],
      );
      if (!row) throw new DeployInterrupted();
      await manager.query('update apps.apps set deploy_count = deploy_count + 1 where id = $1', [app.id]);
      await recordAudit(manager, auditOf(member, 'apps.deployed', app.id, { deploy: id, files: ready.files.length }));
      if (ready.shouldActivate) await release(manager, member, app.id, id);
      return toDeployRecord(row);
    });
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
    if (!UUID.test(id)) return undefined;
    const [row] = await this.queries.run((manager) =>
      manager.query<DeployRow[]>(
        `select ${DEPLOY_COLUMNS} from apps.deploys where id = $1 and organization = $2 and deleted_at is null`,
        [id, organization],
      ),
    );
    return row && toDeployRecord(row);
  }

  async contentsOf(id: string): Promise<DeployContents> {
    return this.queries.run((manager) => contentsOf(manager, id));
  }

  async listFiles(id: string, page: FilePageRequest): Promise<DeployFilePage> {
    if (!UUID.test(id)) return { files: [] };
    return this.queries.run((manager) => filesOf(manager, id, page));
  }

  async rollbackTargetOf(id: string): Promise<DeployRecord | undefined> {
    return this.queries.run(async (manager) => {
      const [app] = await manager.query<ActiveDeployRow[]>(
        `select id, active_deploy_id from apps.apps
         where id = (select app_id from apps.deploys where id = $1) and active_deploy_id = $1`,
        [id],
      );
      const target = app && (await findRollbackTarget(manager, app));
      if (target === undefined) return undefined;
      const [row] = await manager.query<DeployRow[]>(`select ${DEPLOY_COLUMNS} from apps.deploys where id = $1`, [
        target,
      ]);
      return row && toDeployRecord(row);
    });
  }

  async activate(member: Member, id: string): Promise<AppRecord> {
    if (!UUID.test(id)) throw new DeployNotFound();
    return this.queries.transaction(async (manager) => {
      const app = await lockAppOfDeploy(manager, member.organization, id);
      const [deploy] = await manager.query<DeployRow[]>(
        `select ${DEPLOY_COLUMNS} from apps.deploys where id = $1 and organization = $2 and deleted_at is null for share`,
        [id, member.organization],
      );
      if (!deploy) throw new DeployNotFound();
      if (!app || deploy.status !== 'ready') throw new DeployNotReady();
      if (app.active_deploy_id !== deploy.id) await release(manager, member, app.id, deploy.id);
      return appOf(manager, app.id);
    });
  }

  async rollBack(member: Member, appId: string, { from, to }: ExpectedRelease = {}): Promise<AppRecord> {
    if (!UUID.test(appId)) throw new AppNotFound();
    return this.queries.transaction(async (manager) => {
      const app = await lockApp(manager, member.organization, appId);
      if (!app) throw new AppNotFound();
      assertExpected(app.active_deploy_id, from);
      const target = await findRollbackTarget(manager, app);
      if (target === undefined) throw new NothingToRollBack();
      assertExpected(target, to);
      await rollBackTo(manager, member, app, target);
      return appOf(manager, appId);
    });
  }

  async delete(member: Member, id: string): Promise<void> {
    if (!UUID.test(id)) return;
    await this.queries.transaction((manager) => deleteDeploy(manager, member, id));
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
        `update apps.deploys set status = 'failed', error = $1, lease_until = null
         where id in (select id from apps.deploys where lease_until < clock_timestamp() for update skip locked)`,
        [toJsonb(INTERRUPTED)],
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

/** Checks the lease before many files are inserted. @throws {DeployInterrupted} when the upload has ended. */
async function assertLease(manager: EntityManager, id: string): Promise<void> {
  const found = await manager.query<unknown[]>('select 1 from apps.deploys where id = $1 and lease_until is not null', [
    id,
  ]);
  if (found.length === 0) throw new DeployInterrupted();
}

async function appOf(manager: EntityManager, id: string): Promise<AppRecord> {
  const [row] = await manager.query<[AppRow]>(`select ${APP_COLUMNS} from ${APPS} where a.id = $1`, [id]);
  return toAppRecord(row);
}

function bytesOf({ files }: ReadyDeploy): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}
