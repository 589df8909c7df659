import type { Member } from '@homeport/identity/contracts';
import { deployEvent } from '../domain/deploy-event';
import type { AppsUnitOfWork } from '../../shared/application/apps-unit-of-work.port';

/** Deletes a deploy. */
export class DeleteDeploy {
  constructor(private readonly unitOfWork: AppsUnitOfWork) {}

  /**
   * Withdraws the preview of a deploy, releases its branch alias, and withdraws the files that only it has. The deploy count of the app does not change.
   * Does nothing when the organization has no deploy with this id. The lock on the app orders a deletion against
   * activations: either the activation is first and the deletion is rejected, or the deletion is first and the
   * activation does not find the deploy.
   * @throws {ActiveDeployNotDeletable}
   */
  async execute(member: Member, id: string): Promise<void> {
    const { organization } = member;
    await this.unitOfWork.run(async ({ apps, deploys, releases, aliases, audit }) => {
      const app = await apps.lockByDeploy(organization, id);
      app?.assertDeletable(id);
      const deploy = await deploys.withdraw(organization, id);
      if (!deploy) return;
      await aliases.releaseOf(deploy.id);
      if (app && (await releases.includes(deploy.id))) await apps.update(app.id, app.countDeletedDeploy());
      await audit.record(deployEvent(member, 'apps.deploy-deleted', deploy.appId, { deploy: deploy.id }));
    });
  }
}
