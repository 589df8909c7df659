import type {
  EnvironmentVariable,
  EnvironmentVariableList,
  SetVariable,
  VariableScope,
} from '@homeport/apps/contracts';
import { displayNameOf, type Member } from '@homeport/identity/contracts';
import type { App } from '../../registry/domain/app';
import { AppNotFound } from '../../registry/domain/apps.errors';
import type { AppsRepositories, AppsUnitOfWork } from '../../shared/application/apps-unit-of-work.port';
import { SecretsOff } from '../domain/environment.errors';
import { assertVariableName, sizeOfVariable, type VariableRecord } from '../domain/variable';
import type { VariableSealer } from './variable-sealer.port';

/** Changes the variables that the servers of an app get. Each change restarts them. */
export class EnvironmentEditor {
  /** @param sealer undefined when no keys are configured. */
  constructor(
    private readonly unitOfWork: AppsUnitOfWork,
    private readonly sealer: VariableSealer | undefined,
  ) {}

  /** @throws {AppNotFound} */
  async list({ organization }: Member, appId: string): Promise<EnvironmentVariableList> {
    return this.unitOfWork.run(async ({ apps, environment }) => {
      const app = await apps.find(organization, appId);
      if (!app) throw new AppNotFound();
      return { items: (await environment.list(app.id)).map(present) };
    });
  }

  /** Adds or replaces a variable. @throws {AppNotFound} @throws {InvalidRequest} @throws {SecretsOff} */
  async set(
    member: Member,
    appId: string,
    name: string,
    { value, scope = 'all' }: SetVariable,
  ): Promise<EnvironmentVariable> {
    assertVariableName(name);
    return this.#change(member, appId, async (app, { environment, audit }) => {
      const bytes = sizeOfVariable(name, value, await environment.usageBesides(app.id, name));
      const sealed = this.#seal(value, { appId: app.id, name, scope });
      const updatedBy = displayNameOf(member);
      const variable = await environment.set({ appId: app.id, name, scope, sealed, bytes, updatedBy });
      await audit.record(variableEvent(member, 'apps.variable-set', app.id, { name, scope }));
      return { isChanged: true, result: present(variable) };
    });
  }

  /** Does nothing when the app has no such variable. @throws {AppNotFound} */
  async remove(member: Member, appId: string, name: string): Promise<void> {
    await this.#change(member, appId, async (app, { environment, audit }) => {
      const isChanged = await environment.remove(app.id, name);
      if (isChanged) await audit.record(variableEvent(member, 'apps.variable-deleted', app.id, { name }));
      return { isChanged, result: undefined };
    });
  }

  /** Restarts the servers of the app when the work changed something. */
  #change<T>(
    { organization }: Member,
    appId: string,
    work: (app: App, repositories: AppsRepositories) => Promise<{ readonly isChanged: boolean; readonly result: T }>,
  ): Promise<T> {
    return this.unitOfWork.run(async (repositories) => {
      const app = await repositories.apps.lock(organization, appId);
      if (!app) throw new AppNotFound();
      const { isChanged, result } = await work(app, repositories);
      if (isChanged) await repositories.apps.advanceRuntimeVersion(app.id);
      return result;
    });
  }

  #seal(
    value: string,
    place: { readonly appId: string; readonly name: string; readonly scope: VariableScope },
  ): Uint8Array {
    if (!this.sealer) throw new SecretsOff();
    return this.sealer.seal(value, place);
  }
}

function present({ name, scope, updatedAt, updatedBy }: VariableRecord): EnvironmentVariable {
  return { name, scope, updated_at: updatedAt.toISOString(), updated_by: updatedBy };
}

/** The audit event of a changed variable. It never has the value. */
function variableEvent(
  actor: Member,
  action: 'apps.variable-set' | 'apps.variable-deleted',
  target: string,
  detail: { readonly name: string; readonly scope?: VariableScope },
) {
  return { organization: actor.organization, actor, action, target, detail };
}
