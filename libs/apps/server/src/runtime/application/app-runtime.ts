import type { LogLine, LogPage, RuntimeDetails } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/contracts';
import type { AppRepository } from '../../registry/application/app-repository.port';
import { AppNotFound } from '../../registry/domain/apps.errors';
import type { AppsUnitOfWork } from '../../shared/application/apps-unit-of-work.port';
import { RUNTIME_LIMITS } from '../domain/runtime-limits';
import type { LoggedLine, LogSelection, RuntimeReports } from './runtime-reports.port';

export const LINES_PER_PAGE = 100;

export interface AppRuntimeDependencies {
  readonly unitOfWork: AppsUnitOfWork;
  readonly apps: Pick<AppRepository, 'find'>;
  readonly reports: RuntimeReports;
}

/** Shows what the servers of an app do, and restarts them. */
export class AppRuntime {
  constructor(private readonly dependencies: AppRuntimeDependencies) {}

  /** @throws {AppNotFound} */
  async get(member: Member, appId: string): Promise<RuntimeDetails> {
    const id = await this.assertFound(member, appId);
    const { state, reason, instances } = await this.dependencies.reports.find(id);
    return {
      state,
      reason,
      instances: instances.map((instance) => ({
        id: instance.id,
        deploy_id: instance.deployId,
        state: instance.state,
        started_at: instance.startedAt.toISOString(),
        memory_bytes: instance.memoryBytes,
        requests: instance.requests,
      })),
      limits: RUNTIME_LIMITS,
    };
  }

  /** Restarts the servers of the app, one after the other. @throws {AppNotFound} */
  async restart(member: Member, appId: string): Promise<void> {
    const { organization } = member;
    await this.dependencies.unitOfWork.run(async ({ apps, audit }) => {
      const app = await apps.lock(organization, appId);
      if (!app) throw new AppNotFound();
      await apps.advanceRuntimeVersion(app.id);
      await audit.record({ organization, actor: member, action: 'apps.restarted', target: app.id, detail: {} });
    });
  }

  /** Reads the log; without a beginning, the last lines of the selection. @throws {AppNotFound} */
  async logs(member: Member, appId: string, selection: LogSelection, limit = LINES_PER_PAGE): Promise<LogPage> {
    const id = await this.assertFound(member, appId);
    const { reports } = this.dependencies;
    const isFromEnd =
      selection.before !== undefined || (selection.after === undefined && selection.since === undefined);
    if (isFromEnd) {
      return { items: (await reports.lastLines(id, selection, limit)).map(presentLine), next_cursor: null };
    }
    const found = await reports.lines(id, selection, limit + 1);
    const items = found.slice(0, limit).map(presentLine);
    return { items, next_cursor: found.length > limit ? (items.at(-1)?.id ?? null) : null };
  }

  /** @returns the id of the app, in its stored form. @throws {AppNotFound} */
  async assertFound({ organization }: Member, appId: string): Promise<string> {
    const app = await this.dependencies.apps.find(organization, appId);
    if (!app) throw new AppNotFound();
    return app.id;
  }
}

export function presentLine({ id, at, stream, line, deployId, instanceId }: LoggedLine): LogLine {
  return { id, at: at.toISOString(), stream, line, deploy_id: deployId, instance_id: instanceId };
}
