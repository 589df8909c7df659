import type { App } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/contracts';
import { DeployNotFound, DeployNotReady } from '../domain/deploys.errors';
import { deployEvent } from '../domain/deploy-event';
import { AppNotFound } from '../../registry/domain/apps.errors';
import type { AppsUnitOfWork } from '../../shared/application/apps-unit-of-work.port';
import type { AppPresenter } from '../../shared/application/app-presenter';

/** Activates a newer or an older deploy of an app. */
export class ActivateDeploy {
  constructor(
    private readonly unitOfWork: AppsUnitOfWork,
    private readonly presenter: AppPresenter,
  ) {}

  /** Does nothing when the deploy is active already. @throws {DeployNotFound} @throws {DeployNotReady} */
  async execute(member: Member, id: string): Promise<App> {
    const { organization } = member;
    const record = await this.unitOfWork.run(async ({ apps, deploys, releases, audit }) => {
      const app = await apps.lockByDeploy(organization, id);
      const deploy = await deploys.lock(organization, id);
      if (!deploy) throw new DeployNotFound();
      // Deploys of a deleted app are archived.
      if (!app) throw new DeployNotReady();
      const changes = app.activate(deploy);
      if (changes.activeDeployId) {
        await releases.add(app.id, deploy.id);
        await apps.update(app.id, changes);
        await audit.record(deployEvent(member, 'apps.activated', app.id, { deploy: deploy.id }));
      }
      return apps.find(organization, app.id);
    });
    if (!record) throw new AppNotFound();
    return this.presenter.presentApp(record);
  }
}
