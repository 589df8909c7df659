import type { Member } from '@homeport/identity/contracts';
import { AppNotFound } from '../../registry/domain/apps.errors';
import type { AppsUnitOfWork } from '../../shared/application/apps-unit-of-work.port';
import { branchAliasLabel } from '../domain/branch-alias';
import { deployEvent } from '../domain/deploy-event';
import { isBranch } from '../domain/deploy-source';

/** Releases the alias of a branch. */
export class ReleaseAlias {
  constructor(private readonly unitOfWork: AppsUnitOfWork) {}

  /** Does nothing when the app has no such alias. The next deploy of the branch takes it again. @throws {AppNotFound} */
  async execute(member: Member, appId: string, branch: string): Promise<void> {
    await this.unitOfWork.run(async ({ apps, aliases, audit }) => {
      const app = await apps.lock(member.organization, appId);
      if (!app) throw new AppNotFound();
      if (!isBranch(branch)) return;
      const label = branchAliasLabel(branch, app.subdomain);
      if (!(await aliases.release(app.id, label))) return;
      await audit.record(deployEvent(member, 'apps.alias-released', app.id, { branch, label }));
    });
  }
}
