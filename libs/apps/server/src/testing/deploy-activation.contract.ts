import { describe, expect, it } from '@jest/globals';
import { NO_RULES } from '@homeport/hosting/contracts';
import type { Member } from '@homeport/identity/contracts';
import type { ReadyDeploy } from '../deploys/application/deploy-repository.port';
import type { AppRecord } from '../registry/domain/app-record';
import { AppNotFound } from '../registry/domain/apps.errors';
import {
  DeployInterrupted,
  ActiveDeployNotDeletable,
  DeployNotFound,
  ActiveDeployChanged,
  DeployNotReady,
  NothingToRollBack,
} from '../deploys/domain/deploys.errors';
import { memberOf } from './app-fixture';
import { deployedFile, deployTo, type DeployRepositoryHarness, filesOf, readyDeploy } from './deploy-fixtures';

const BROKEN = { code: 'aborted', message: 'The upload was aborted.' } as const;

let count = 0;
const fresh = (prefix: string) => `${prefix}-active-${process.pid}-${count++}`;

/** The part of the `DeployRepository` contract about the live deploy of an app. */
export function deployActivationContract(name: string, open: () => DeployRepositoryHarness): void {
  const register = async (): Promise<{ member: Member; app: AppRecord }> => {
    const member = memberOf(fresh('org'));
    const { app } = await open().registry.register(member);
    return { member, app };
  };
  const deploy = (member: Member, appId: string, changes?: Partial<ReadyDeploy>) =>
    deployTo(open(), member, appId, changes);
  const idsOf = async (member: Member, appId: string, times: number, changes?: Partial<ReadyDeploy>) => {
    const ids: string[] = [];
    for (let i = 0; i < times; i += 1) ids.push((await deploy(member, appId, changes)).id);
    return ids;
  };
  const appNow = ({ organization, id }: AppRecord) => open().apps.find(organization, id);
  const statusesOf = async (member: Member, ids: readonly string[]) => {
    const found = await Promise.all(ids.map((id) => open().deploys.find(member.organization, id)));
    return found.map((deployed) => deployed?.status);
  };

  describe(`${name}: activation and rollback`, () => {
    it('activates a ready deploy, also an older one', async () => {
      const { member, app } = await register();
      const [older, newer] = await idsOf(member, app.id, 2);
      expect(await appNow(app)).toMatchObject({ activeDeployId: newer });
      const shown = await open().releases.activate(member, older!);
      expect(shown).toMatchObject({ id: app.id, active_deploy_id: older, deploy_count: 2 });
      const stored = await appNow(app);
      expect(stored && open().releases.presenter.presentApp(stored)).toEqual(shown);
    });

    it('warns of a site without a start page', async () => {
      const { member, app } = await register();
      const problemsOf = async (paths: readonly string[], to?: string) => {
        const redirects = to === undefined ? [] : [{ from: '/', to, status: 200 as const }];
        const files = paths.map((path) => deployedFile(path));
        const { id } = await deploy(member, app.id, { files, rules: { ...NO_RULES, redirects } });
        return (await open().deploys.contentsOf(id)).problems;
      };
      const warning = { path: 'index.html', line: null };
      expect(await problemsOf(['a/page.html', 'b.txt'])).toMatchObject([warning]);
      const nested = await problemsOf(['dist/index.html', 'dist/a/index.html', 'b.txt']);
      expect(nested).toEqual([{ ...warning, reason: expect.stringContaining('There is one in "dist"') }]);
      expect(await problemsOf(['home.html'], '/home')).toEqual([]);
      expect(await problemsOf(['index.html'])).toEqual([]);
    });

    it('holds a deploy back that takes the start page of the live one away, unless it is forced', async () => {
      const { member, app } = await register();
      const broken = { files: [deployedFile('docs/index.html')] };
      const rewritten = {
        ...broken,
        rules: { ...NO_RULES, redirects: [{ from: '/', to: '/docs/', status: 200 }] },
      } as const;
      const first = await deploy(member, app.id, broken);
      expect(await appNow(app)).toMatchObject({ activeDeployId: first.id });
      const second = await deploy(member, app.id, rewritten);
      expect(await appNow(app)).toMatchObject({ activeDeployId: second.id });
      const held = await deploy(member, app.id, broken);
      expect(held).toMatchObject({ status: 'ready', firstLiveAt: undefined, isHeldBack: true });
      expect(await appNow(app)).toMatchObject({ activeDeployId: second.id, deployCount: 3 });
      const forced = await deploy(member, app.id, { ...broken, activation: 'always' });
      expect(await appNow(app)).toMatchObject({ activeDeployId: forced.id });
      await open().releases.activate(member, held.id);
      expect(await appNow(app)).toMatchObject({ activeDeployId: held.id });
    });

    it('records when a deploy first went live', async () => {
      const { member, app } = await register();
      const shown = await deploy(member, app.id);
      const hidden = await deploy(member, app.id, { activation: 'never' });
      expect([shown.firstLiveAt, hidden.firstLiveAt]).toEqual([expect.any(Date), undefined]);
      await open().releases.activate(member, hidden.id);
      await open().releases.activate(member, shown.id);
      const page = await open().deploys.list(member.organization, app.id, { limit: 10 });
      expect(page?.deploys.map(({ firstLiveAt }) => firstLiveAt)).toEqual([expect.any(Date), shown.firstLiveAt]);
    });

    it('activates no deploy that is not ready', async () => {
      const { member, app } = await register();
      const begun = await open().deploys.begin(member, app.id);
      await expect(open().releases.activate(member, begun.id)).rejects.toBeInstanceOf(DeployNotReady);
      await open().deploys.fail(begun.id, BROKEN, []);
      await expect(open().releases.activate(member, begun.id)).rejects.toBeInstanceOf(DeployNotReady);
      const [old] = await idsOf(member, app.id, 4);
      await open().deploys.archiveBeyond(1);
      await expect(open().releases.activate(member, old!)).rejects.toBeInstanceOf(DeployNotReady);
    });

    it('activates no deploy of another organization', async () => {
      const { member, app } = await register();
      const [older, newer] = await idsOf(member, app.id, 2);
      const stranger = memberOf(fresh('other'));
      await expect(open().releases.activate(stranger, older!)).rejects.toBeInstanceOf(DeployNotFound);
      await expect(open().releases.rollBack(stranger, app.id)).rejects.toBeInstanceOf(AppNotFound);
      await expect(open().releases.rollBack(member, 'nonsense')).rejects.toBeInstanceOf(AppNotFound);
      expect(await appNow(app)).toMatchObject({ activeDeployId: newer });
    });

    it('rolls back release by release, and never to a deploy that was rolled back', async () => {
      const { member, app } = await register();
      const [first, second, third] = (await idsOf(member, app.id, 3)) as [string, string, string];
      const back = async () => (await open().releases.rollBack(member, app.id)).active_deploy_id;
      expect([await back(), await back()]).toEqual([second, first]);
      await expect(back()).rejects.toBeInstanceOf(NothingToRollBack);
      const fourth = await deploy(member, app.id);
      expect(await back()).toBe(first);
      for (const id of [third, fourth.id, first]) await open().releases.activate(member, id);
      // A repeated activation changes nothing and adds no release to roll back to.
      await open().releases.activate(member, first);
      expect([await back(), await back()]).toEqual([fourth.id, third]);
      await expect(back()).rejects.toBeInstanceOf(NothingToRollBack);
      expect(await appNow(app)).toMatchObject({ activeDeployId: third, deployCount: 4 });
    });

    it('returns the target of a rollback', async () => {
      const { member, app } = await register();
      const former = async (id: string) => (await open().deploys.rollbackTargetOf(id))?.id;
      const [first, second] = (await idsOf(member, app.id, 2)) as [string, string];
      const hidden = await deploy(member, app.id, { activation: 'never' });
      expect(await open().deploys.rollbackTargetOf(second)).toEqual(
        await open().deploys.find(member.organization, first),
      );
      expect([await former(first), await former(hidden.id)]).toEqual([undefined, undefined]);
      await open().releases.rollBack(member, app.id);
      expect([await former(first), await former(second)]).toEqual([undefined, undefined]);
      await open().releases.activate(member, hidden.id);
      expect(await former(hidden.id)).toBe(first);
    });

    it('rolls back only from the expected deploy', async () => {
      const { member, app } = await register();
      const nothing = open().releases.rollBack(member, app.id, { from: app.id });
      await expect(nothing).rejects.toBeInstanceOf(ActiveDeployChanged);
      const [first, second] = (await idsOf(member, app.id, 2)) as [string, string];
      for (const other of [first, app.id, 'nonsense', '']) {
        await expect(open().releases.rollBack(member, app.id, { from: other })).rejects.toBeInstanceOf(
          ActiveDeployChanged,
        );
      }
      expect(await appNow(app)).toMatchObject({ activeDeployId: second });
      const stranger = memberOf(fresh('other'));
      await expect(open().releases.rollBack(stranger, app.id, { from: second })).rejects.toBeInstanceOf(AppNotFound);
      const back = await open().releases.rollBack(member, app.id, { from: second.toUpperCase() });
      expect(back).toMatchObject({ active_deploy_id: first });
    });

    it('rolls back only to the expected deploy', async () => {
      const { member, app } = await register();
      const [first, second, third] = (await idsOf(member, app.id, 3)) as [string, string, string];
      for (const to of [first, third, app.id, 'nonsense', '']) {
        await expect(open().releases.rollBack(member, app.id, { to })).rejects.toBeInstanceOf(ActiveDeployChanged);
      }
      // The same deploy is active again, but the target of a rollback has changed.
      for (const id of [first, third]) await open().releases.activate(member, id);
      const asSeenBefore = { from: third, to: second };
      await expect(open().releases.rollBack(member, app.id, asSeenBefore)).rejects.toBeInstanceOf(ActiveDeployChanged);
      expect(await appNow(app)).toMatchObject({ activeDeployId: third });
      const back = await open().releases.rollBack(member, app.id, { from: third, to: first.toUpperCase() });
      expect(back).toMatchObject({ active_deploy_id: first });
      const further = await open().releases.rollBack(member, app.id, { from: first, to: second });
      expect(further).toMatchObject({ active_deploy_id: second });
    });

    it('rolls back once when several calls expect the same deploy', async () => {
      const { member, app } = await register();
      const [first, second] = (await idsOf(member, app.id, 2)) as [string, string];
      const calls = Array.from({ length: 4 }, () => open().releases.rollBack(member, app.id, { from: second }));
      const outcomes = await Promise.allSettled(calls);
      const refusals = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(refusals.map(({ reason }) => (reason as Error).constructor)).toEqual(Array(3).fill(ActiveDeployChanged));
      expect(await appNow(app)).toMatchObject({ activeDeployId: first });
    });

    it('never rolls back to a deploy that was not live', async () => {
      const { member, app } = await register();
      await expect(open().releases.rollBack(member, app.id)).rejects.toBeInstanceOf(NothingToRollBack);
      const [, hidden] = [await deploy(member, app.id), await deploy(member, app.id, { activation: 'never' })];
      await expect(open().releases.rollBack(member, app.id)).rejects.toBeInstanceOf(NothingToRollBack);
      const shown = (await appNow(app))?.activeDeployId;
      await open().releases.activate(member, hidden.id);
      expect(await open().releases.rollBack(member, app.id)).toMatchObject({ active_deploy_id: shown });
    });

    it('archives old deploys, but not the live one nor the target of a rollback', async () => {
      const { member, app } = await register();
      const [a, b, c, d, e, f] = (await idsOf(member, app.id, 6)) as [string, string, string, string, string, string];
      await open().releases.activate(member, a);
      await open().releases.activate(member, b);
      const failed = await open().deploys.begin(member, app.id);
      await open().deploys.fail(failed.id, BROKEN, []);
      expect(await open().deploys.archiveBeyond(2)).toBeGreaterThanOrEqual(2);
      const all = [a, b, c, d, e, f, failed.id];
      const expected = ['ready', 'ready', 'archived', 'archived', 'ready', 'ready', 'failed'];
      expect(await statusesOf(member, all)).toEqual(expected);
      expect(await open().deploys.find(member.organization, c)).toMatchObject({ archivedAt: expect.any(Date) });
      await open().deploys.archiveBeyond(2);
      expect(await statusesOf(member, all)).toEqual(expected);
      expect(await open().releases.rollBack(member, app.id)).toMatchObject({ active_deploy_id: a, deploy_count: 6 });
    });

    it('stays consistent when deploys are finished, activated and rolled back concurrently', async () => {
      const { member, app } = await register();
      const ids = await idsOf(member, app.id, 6);
      const { deploys, releases } = open();
      await Promise.all([
        ...ids.map((id) => releases.activate(member, id)),
        ...ids.slice(2).map(() => releases.rollBack(member, app.id)),
        ...ids.map(() => deploy(member, app.id)),
        deploys.archiveBeyond(100),
        deploys.failAbandoned(),
      ]);
      const now = await appNow(app);
      expect(now).toMatchObject({ deployCount: 12 });
      const page = await deploys.list(member.organization, app.id, { limit: 100 });
      expect(page?.deploys).toHaveLength(12);
      const active = page?.deploys.find(({ id }) => id === now?.activeDeployId);
      expect(active).toMatchObject({ status: 'ready' });
      const former = await deploys.rollbackTargetOf(active!.id);
      expect(former?.id).not.toBe(active?.id);
      const back = releases.rollBack(member, app.id).catch((error: unknown) => error);
      expect(await back).toEqual(
        former ? expect.objectContaining({ active_deploy_id: former.id }) : new NothingToRollBack(),
      );
    });

    it('lets either the activation or the deletion of a deploy win, never both', async () => {
      const { releases } = open();
      for (let round = 0; round < 15; round += 1) {
        const { member, app } = await register();
        const [first, second] = (await idsOf(member, app.id, 2)) as [string, string];
        const isActivatedFirst = round % 2 === 0;
        const early = isActivatedFirst ? [releases.activate(member, first)] : [];
        const deletion = releases.delete(member, first);
        const [activation = releases.activate(member, first)] = early;
        const [shown, deleted] = await Promise.allSettled([activation, deletion]);
        const isShown = shown.status === 'fulfilled';
        expect(isShown ? deleted : shown).toMatchObject({
          status: 'rejected',
          reason: expect.any(isShown ? ActiveDeployNotDeletable : DeployNotFound),
        });
        expect(await appNow(app)).toMatchObject({ activeDeployId: isShown ? first : second });
        expect(await statusesOf(member, [first])).toEqual([isShown ? 'ready' : undefined]);
      }
    });

    it('never shows a deleted deploy when it is rolled back to, finished and archived at once', async () => {
      const { deploys, releases } = open();
      for (let round = 0; round < 10; round += 1) {
        const { member, app } = await register();
        const ids = await idsOf(member, app.id, 3);
        const begun = await deploys.begin(member, app.id);
        const outcomes = await Promise.allSettled([
          releases.rollBack(member, app.id),
          ...ids.map((id) => releases.delete(member, id)),
          releases.finish(member, begun.id, readyDeploy()),
          releases.delete(member, begun.id),
          deploys.archiveBeyond(100),
          deploys.removeDeleted(),
        ]);
        const expected = [ActiveDeployNotDeletable, DeployInterrupted, NothingToRollBack];
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') expect(expected).toContain((outcome.reason as Error).constructor);
        }
        const active = (await appNow(app))?.activeDeployId as string;
        expect(await statusesOf(member, [active])).toEqual(['ready']);
        expect(filesOf(await deploys.contentsOf(active))).toMatchObject([{ path: 'index.html' }]);
      }
    });

    it('leaves no live deploy when an app is deleted during other operations', async () => {
      const { member, app } = await register();
      const ids = await idsOf(member, app.id, 4);
      const { deploys, registry, releases } = open();
      const outcomes = await Promise.allSettled([
        ...ids.map((id) => releases.activate(member, id)),
        ...ids.map(() => releases.rollBack(member, app.id)),
        ...ids.map(() => deploy(member, app.id)),
        registry.remove(member, app),
        registry.remove(member, app),
        deploys.archiveBeyond(1),
      ]);
      const expected = [AppNotFound, DeployInterrupted, DeployNotReady, NothingToRollBack];
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(expected).toContain((outcome.reason as Error).constructor);
      }
      expect(await appNow(app)).toBeUndefined();
      const page = await deploys.list(member.organization, app.id, { limit: 100 });
      for (const { status } of page?.deploys ?? []) expect(status).toBe('archived');
    });
  });
}
