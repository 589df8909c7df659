import type { DeployActivation } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/contracts';
import { startPageOf } from '@homeport/hosting/contracts';
import { decideActivation, hasStartPage } from '../domain/activation';
import { branchAliasLabel } from '../domain/branch-alias';
import type { DeployRecord } from '../domain/deploy-record';
import { DeployInterrupted } from '../domain/deploys.errors';
import { deployEvent } from '../domain/deploy-event';
import type { AppsUnitOfWork } from '../../shared/application/apps-unit-of-work.port';
import type { App } from '../../registry/domain/app';
import type { AliasRepository } from './alias-repository.port';
import type { DeployRepository, ReadyDeploy } from './deploy-repository.port';

/** A deploy that has become ready. */
export interface FinishedDeploy {
  readonly deploy: DeployRecord;
  readonly activation: DeployActivation;
}

/** Makes an uploaded deploy ready. */
export class FinishDeploy {
  constructor(private readonly unitOfWork: AppsUnitOfWork) {}

  /**
   * Stores the contents of a deploy, counts it, moves the alias of its branch, and activates it
   * unless its activation policy holds it back.
   * @throws {DeployInterrupted} when the deploy was failed or deleted meanwhile, or its app was deleted.
   */
  execute(member: Member, id: string, ready: ReadyDeploy): Promise<FinishedDeploy> {
    const { files, server } = ready;
    return this.unitOfWork.run(async ({ apps, deploys, releases, aliases, audit }) => {
      // Checked before many files are stored; `complete` checks again under the lock.
      if (!(await deploys.claimCompletion(id))) throw new DeployInterrupted();
      // Those of a deploy with a server were stored before it started.
      if (!server) await deploys.addFiles(id, files);
      const app = await apps.lockByDeploy(member.organization, id);
      if (!app) throw new DeployInterrupted();
      const activation = await decide(ready, app.facts.activeDeployId, deploys);
      // Before the deploy is completed, so that its record says when it went live.
      if (activation.activated) await releases.add(app.id, id);
      const isHeldBack = activation.reason === 'no-start-page';
      const completed = await deploys.complete(id, { ...ready, isHeldBack });
      if (!completed) throw new DeployInterrupted();
      const deploy = { ...completed, alias: await moveAlias(app, completed, aliases) };
      await apps.update(app.id, app.addDeploy(id, activation));
      await audit.record(deployEvent(member, 'apps.deployed', app.id, { deploy: id, files: files.length }));
      if (activation.activated) await audit.record(deployEvent(member, 'apps.activated', app.id, { deploy: id }));
      return { deploy, activation };
    });
  }
}

/** Points the alias of the branch at a deploy. @returns its label; undefined when it does not point at this one. */
async function moveAlias(
  app: App,
  { id, source }: DeployRecord,
  aliases: AliasRepository,
): Promise<string | undefined> {
  const { branch = null } = source ?? {};
  if (branch === null) return undefined;
  const label = branchAliasLabel(branch, app.subdomain);
  return (await aliases.move({ appId: app.id, label, deployId: id })) ? label : undefined;
}

async function decide(
  { activation, files, rules, server }: ReadyDeploy,
  liveId: string | null,
  deploys: DeployRepository,
): Promise<DeployActivation> {
  const isServed = server !== undefined || hasStartPage(new Set(files.map(({ path }) => path)), rules);
  // Reading the live deploy is needless when nothing can hold the new one back.
  const isLiveRead = activation === 'when-safe' && !isServed && liveId !== null;
  const liveHasStartPage = isLiveRead && (await servesStartPage(liveId, deploys));
  return decideActivation(activation, { hasStartPage: isServed, liveHasStartPage });
}

async function servesStartPage(id: string, deploys: DeployRepository): Promise<boolean> {
  const rules = await deploys.rulesOf(id);
  return hasStartPage(await deploys.existingPaths(id, startPageOf(rules).files), rules);
}
