import { type DeployActivation, START_PAGE } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/contracts';
import { type SiteRules, startPageOf } from '@homeport/hosting/contracts';
import { type ActivationPolicy, decideActivation, hasStartPage } from '../domain/activation';
import { branchAliasLabel } from '../domain/branch-alias';
import type { DeployRecord } from '../domain/deploy-record';
import { DeployInterrupted } from '../domain/deploys.errors';
import { deployEvent } from '../domain/deploy-event';
import type { AppsUnitOfWork } from '../../shared/application/apps-unit-of-work.port';
import type { App } from '../../registry/domain/app';
import type { AliasRepository } from './alias-repository.port';
import type { DeployRepository, ReadyDeploy } from './deploy-repository.port';
import { startPageProblem } from './site-rule-files';

/** A deploy that has become ready. */
export interface FinishedDeploy {
  readonly deploy: DeployRecord;
  readonly activation: DeployActivation;
}

/** Makes an uploaded deploy ready. */
export class FinishDeploy {
  constructor(private readonly unitOfWork: AppsUnitOfWork) {}

  /**
   * Adds the last files to a deploy, counts it, moves the alias of its branch, and activates it
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
      const hasStart = server !== undefined || (await servesStartPage(id, ready.rules, deploys));
      const problems = hasStart
        ? ready.problems
        : [startPageProblem(await deploys.findNestedFile(id, START_PAGE)), ...ready.problems];
      const liveId = app.facts.activeDeployId;
      const activation = await decide(ready.activation, { hasStartPage: hasStart, liveId }, deploys);
      // Before the deploy is completed, so that its record says when it went live.
      if (activation.activated) await releases.add(app.id, id);
      const isHeldBack = activation.reason === 'no-start-page';
      const completed = await deploys.complete(id, { rules: ready.rules, problems, isHeldBack });
      if (!completed) throw new DeployInterrupted();
      const deploy = { ...completed, alias: await moveAlias(app, completed, aliases) };
      await apps.update(app.id, app.addDeploy(id, activation));
      await audit.record(deployEvent(member, 'apps.deployed', app.id, { deploy: id, files: deploy.fileCount }));
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
  policy: ActivationPolicy,
  { hasStartPage, liveId }: { readonly hasStartPage: boolean; readonly liveId: string | null },
  deploys: DeployRepository,
): Promise<DeployActivation> {
  // Reading the live deploy is needless when nothing can hold the new one back.
  const isLiveRead = policy === 'when-safe' && !hasStartPage && liveId !== null;
  const liveHasStartPage = isLiveRead && (await servesStartPage(liveId, await deploys.rulesOf(liveId), deploys));
  return decideActivation(policy, { hasStartPage, liveHasStartPage });
}

async function servesStartPage(id: string, rules: SiteRules, deploys: DeployRepository): Promise<boolean> {
  return hasStartPage(await deploys.existingPaths(id, startPageOf(rules).files), rules);
}
