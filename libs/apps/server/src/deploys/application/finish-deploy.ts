import type { Member } from '@homeport/identity/contracts';
import type { DeployRecord } from '../domain/deploy-record';
import { DeployInterrupted } from '../domain/deploys.errors';
import { deployEvent } from '../domain/deploy-event';
import type { AppsUnitOfWork } from '../../shared/application/apps-unit-of-work.port';
import type { ReadyDeploy } from './deploy-repository.port';

/** Makes an uploaded deploy ready. */
export class FinishDeploy {
  constructor(private readonly unitOfWork: AppsUnitOfWork) {}

  /**
   * Stores the contents of a deploy, counts it and, if requested, activates it.
   * @throws {DeployInterrupted} when the deploy was failed or deleted meanwhile, or its app was deleted.
   */
  execute(member: Member, id: string, ready: ReadyDeploy): Promise<DeployRecord> {
    const { files, shouldActivate } = ready;
    return this.unitOfWork.run(async ({ apps, deploys, releases, audit }) => {
      // Checked before many files are stored; `complete` checks again under the lock.
      if (!(await deploys.isInProgress(id))) throw new DeployInterrupted();
      await deploys.addFiles(id, files);
      const app = await apps.lockByDeploy(member.organization, id);
      const deploy = app && (await deploys.complete(id, ready));
      if (!deploy) throw new DeployInterrupted();
      if (shouldActivate) await releases.add(app.id, id);
      await apps.update(app.id, app.addDeploy(id, shouldActivate));
      await audit.record(deployEvent(member, 'apps.deployed', app.id, { deploy: id, files: files.length }));
      if (shouldActivate) await audit.record(deployEvent(member, 'apps.activated', app.id, { deploy: id }));
      return deploy;
    });
  }
}
