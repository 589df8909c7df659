import type { App } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/contracts';
import type { ExpectedRelease } from '../domain/expected-release';
import { deployEvent } from '../domain/deploy-event';
import { AppNotFound } from '../../registry/domain/apps.errors';
import type { AppsUnitOfWork } from '../../shared/application/apps-unit-of-work.port';
import type { AppPresenter } from '../../shared/application/app-presenter';

/** Activates the deploy that was active before. */
export class RollBack {
  constructor(
    private readonly unitOfWork: AppsUnitOfWork,
    private readonly presenter: AppPresenter,
  ) {}

  /**
   * Rolls back one release. A repeated rollback goes further back, never to a deploy that was rolled back.
   * @param expected the rollback is rejected when the present state differs.
   * @throws {AppNotFound} @throws {ActiveDeployChanged} @throws {NothingToRollBack}
   */
  async execute(member: Member, appId: string, expected: ExpectedRelease = {}): Promise<App> {
    const { organization } = member;
    const record = await this.unitOfWork.run(async ({ apps, releases, audit }) => {
      const app = await apps.lock(organization, appId);
      if (!app) throw new AppNotFound();
      const { activeDeployId: from } = app.facts;
      const changes = app.rollBack(await releases.rollbackTargetOf(app.id, from), expected);
      if (from !== null) await releases.markRolledBack(app.id, from);
      await apps.update(app.id, changes);
      await audit.record(deployEvent(member, 'apps.rolled-back', app.id, { deploy: changes.activeDeployId, from }));
      return apps.find(organization, app.id);
    });
    if (!record) throw new AppNotFound();
    return this.presenter.presentApp(record);
  }
}
