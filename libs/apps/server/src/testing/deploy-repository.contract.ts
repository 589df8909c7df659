import { describe, expect, it } from '@jest/globals';
import type { DeployFile } from '@homeport/apps/contracts';
import type { Member } from '@homeport/identity/contracts';
import { FILES_PER_PAGE, type ReadyDeploy } from '../deploys/application/deploy-repository.port';
import type { DeployedFile } from '../deploys/domain/deploy-record';
import type { AppRecord } from '../registry/domain/app-record';
import { AppNotFound } from '../registry/domain/apps.errors';
import {
  DeployInterrupted,
  ActiveDeployNotDeletable,
  DeployNotFound,
  DeployNotReady,
  NothingToRollBack,
} from '../deploys/domain/deploys.errors';
import { memberOf } from './app-fixture';
import { deployServersContract } from './deploy-servers.contract';
import { deployedFile, deployTo, type DeployRepositoryHarness, filesOf, readyDeploy } from './deploy-fixtures';

function describeFile({ path, size, contentType, digest }: DeployedFile): DeployFile {
  return { path, size, content_type: contentType, digest: `sha-256:${digest}` };
}

const ABSENT = '00000000-0000-4000-8000-000000000000';
const BROKEN = { code: 'aborted', message: 'The upload was aborted.' } as const;
const PROBLEM = { path: 'a/../b', line: null, reason: 'The name leaves the site.' };

let count = 0;
const fresh = (prefix: string) => `${prefix}-deploys-${process.pid}-${count++}`;

/** The contract of every `DeployRepository` adapter. */
export function deployRepositoryContract(name: string, open: () => DeployRepositoryHarness): void {
  const register = async (member = memberOf(fresh('org'))): Promise<{ member: Member; app: AppRecord }> => {
    const { app } = await open().registry.register(member);
    return { member, app };
  };
  const deploy = (member: Member, appId: string, changes?: Partial<ReadyDeploy>) =>
    deployTo(open(), member, appId, changes);
  const find = ({ organization }: Member, id: string) => open().deploys.find(organization, id);
  const appNow = ({ organization, id }: AppRecord) => open().apps.find(organization, id);

  deployServersContract(name, open);

  describe(`${name} as a deploy repository`, () => {
    it('begins an upload with the name of the uploader', async () => {
      const { member, app } = await register();
      const begun = await open().deploys.begin(member, app.id);
      expect(begun).toEqual({
        id: begun.id,
        appId: app.id,
        number: 1,
        status: 'uploading',
        fileCount: 0,
        totalBytes: 0,
        createdBy: 'ada',
        source: undefined,
        isHeldBack: false,
        createdAt: begun.createdAt,
        readyAt: undefined,
        archivedAt: undefined,
        error: undefined,
        problemCount: 0,
      });
      expect(begun.createdAt).toBeInstanceOf(Date);
      expect(await find(member, begun.id)).toEqual(begun);
      expect(await open().deploys.begin({ ...member, name: 'Ada L.' }, app.id)).toMatchObject({ createdBy: 'Ada L.' });
      const subject = `😀${'s'.repeat(300)}`;
      const { createdBy } = await open().deploys.begin({ ...member, name: undefined, subject }, app.id);
      expect(createdBy).toBe(subject.slice(0, 200));
      expect(await appNow(app)).toMatchObject({ deployCount: 0, activeDeployId: null });
    });

    it('stores the source of a deploy', async () => {
      const { member, app } = await register();
      const source = { branch: 'main', commit: null, message: 'Fix “prices” ü 😀', url: 'https://ci.example.com/1' };
      const begun = await open().deploys.begin(member, app.id, source);
      expect(begun.source).toEqual(source);
      expect(await find(member, begun.id)).toEqual(begun);
    });

    it('numbers the deploys of each app, and uses no number again', async () => {
      const { member, app } = await register();
      const { app: other } = await register(member);
      // Concurrent uploads.
      const begun = await Promise.all(Array.from({ length: 4 }, () => open().deploys.begin(member, app.id)));
      expect(begun.map(({ number }) => number).toSorted()).toEqual([1, 2, 3, 4]);
      const last = begun.find(({ number }) => number === 4)!;
      const ready = await open().releases.finish(member, last.id, readyDeploy());
      expect(ready.number).toBe(4);
      expect(await appNow(app)).toMatchObject({ activeDeploy: { number: 4, createdBy: 'ada', problemCount: 0 } });
      const newest = await open().deploys.begin(member, app.id);
      await open().releases.delete(member, newest.id);
      await open().deploys.removeDeleted();
      expect((await open().deploys.begin(member, app.id)).number).toBe(6);
      expect((await open().deploys.begin(member, other.id)).number).toBe(1);
    });

    it('begins no deploy for an app that is absent, malformed or of another organization', async () => {
      const { app } = await register();
      const other = memberOf(fresh('other'));
      for (const id of [app.id, ABSENT, 'nonsense', '']) {
        await expect(open().deploys.begin(other, id)).rejects.toBeInstanceOf(AppNotFound);
      }
    });

    it('makes a deploy ready, counts it and activates it in one step', async () => {
      const { member, app } = await register();
      const { id } = await open().deploys.begin(member, app.id);
      await open().deploys.beginProcessing(id);
      expect(await find(member, id)).toMatchObject({ status: 'processing' });
      const files = [deployedFile('index.html'), deployedFile('b/ü.html'), deployedFile('B.html')];
      const ready = await open().releases.finish(member, id, readyDeploy({ files, problems: [PROBLEM] }));
      const totalBytes = files.reduce((sum, { size }) => sum + size, 0);
      expect(ready).toMatchObject({ id, status: 'ready', fileCount: 3, totalBytes, problemCount: 1, error: undefined });
      expect(ready.readyAt).toBeInstanceOf(Date);
      expect(await find(member, id)).toEqual(ready);
      const activeDeploy = { number: 1, problemCount: 1, hasStartPage: true };
      expect(await appNow(app)).toMatchObject({ deployCount: 1, activeDeployId: id, activeDeploy });
      const contents = await open().deploys.contentsOf(id);
      const shown = files.map(describeFile);
      expect(filesOf(contents)).toEqual([shown[2], shown[1], shown[0]]);
      expect(contents.problems).toEqual([PROBLEM]);
    });

    it('finds the file of a name with the fewest folders', async () => {
      const { member, app } = await register();
      const paths = ['index.html', 'a/b/index.html', 'b/index.html', 'c/index.html', 'a/myindex.html'];
      const { id } = await deployTo(open(), member, app.id, { files: paths.map((path) => deployedFile(path)) });
      expect(await open().deploys.findNestedFile(id, 'index.html')).toBe('b/index.html');
      expect(await open().deploys.findNestedFile(id, '%.html')).toBeUndefined();
    });

    it('pages through files in the order of the UTF-8 bytes of their paths', async () => {
      const { member, app } = await register();
      // UTF-16 sorts U+1F600 before U+FF5E; UTF-8 sorts it after.
      const paths = ['B.html', 'a', 'a b', 'a/b.html', 'b/ü.html', 'z', '～', '😀'];
      const { id } = await deploy(member, app.id, { files: paths.toReversed().map((path) => deployedFile(path)) });
      const seen: string[] = [];
      for (let after: string | undefined, pages = 1; ; pages += 1) {
        const page = await open().deploys.listFiles(id, { limit: 3, ...(after !== undefined && { after }) });
        seen.push(...filesOf(page).map(({ path }) => path));
        after = page.end;
        if (after === undefined) {
          expect(pages).toBe(3);
          break;
        }
      }
      expect(seen).toEqual(paths);
      expect(await open().deploys.listFiles(id, { limit: 8 })).not.toHaveProperty('end');
      const last = await open().deploys.listFiles(id, { limit: 1, after: '～' });
      expect(filesOf(last)).toMatchObject([{ path: '😀' }]);
      expect(await open().deploys.listFiles(id, { limit: 1, after: '😀' })).toEqual({ filesJson: '[]' });
      for (const absent of [ABSENT, 'nonsense', '']) {
        expect(await open().deploys.listFiles(absent, { limit: 1 })).toEqual({ filesJson: '[]' });
      }
    });

    it('returns a bounded number of files with the problems of a deploy', async () => {
      const { member, app } = await register();
      const paths = Array.from({ length: FILES_PER_PAGE + 1 }, (_, i) => `file-${String(i).padStart(5, '0')}.js`);
      const { id } = await deploy(member, app.id, { files: paths.map((path) => deployedFile(path)) });
      const contents = await open().deploys.contentsOf(id);
      expect([filesOf(contents).length, contents.end]).toEqual([FILES_PER_PAGE, paths[FILES_PER_PAGE - 1]]);
    });

    it('deletes a deploy: no method finds it, and the count of deploys stays', async () => {
      const { member, app } = await register();
      const [older, deleted] = [await deploy(member, app.id), await deploy(member, app.id)];
      const live = await deploy(member, app.id);
      await open().releases.delete(member, deleted.id);
      expect(await find(member, deleted.id)).toBeUndefined();
      await expect(open().releases.activate(member, deleted.id)).rejects.toBeInstanceOf(DeployNotFound);
      const page = await open().deploys.list(member.organization, app.id, { limit: 10 });
      expect(page?.deploys.map(({ id }) => id)).toEqual([live.id, older.id]);
      expect(await appNow(app)).toMatchObject({ deployCount: 3, activeDeployId: live.id });
      expect((await open().deploys.rollbackTargetOf(live.id))?.id).toBe(older.id);
      expect(await open().releases.rollBack(member, app.id)).toMatchObject({ active_deploy_id: older.id });
    });

    it('deletes a deploy only once, and none that is absent, malformed or of another organization', async () => {
      const { member, app } = await register();
      const [first, live] = [await deploy(member, app.id), await deploy(member, app.id)];
      const stranger = memberOf(fresh('other'));
      for (const id of [first.id, live.id, ABSENT, 'nonsense', '', "' or true --"]) {
        await open().releases.delete(stranger, id);
      }
      expect(await find(member, first.id)).toEqual(first);
      for (let times = 0; times < 2; times += 1) await open().releases.delete(member, first.id);
      await expect(open().releases.delete(member, live.id)).rejects.toBeInstanceOf(ActiveDeployNotDeletable);
      expect(await find(member, live.id)).toEqual(live);
      await expect(open().releases.rollBack(member, app.id)).rejects.toBeInstanceOf(NothingToRollBack);
    });

    it('deletes failed and archived deploys, and the last deploy of a deleted app', async () => {
      const { member, app } = await register();
      const failed = await open().deploys.begin(member, app.id);
      await open().deploys.fail(failed.id, BROKEN, []);
      await open().releases.delete(member, failed.id);
      expect(await find(member, failed.id)).toBeUndefined();
      const live = await deploy(member, app.id);
      await open().registry.remove(member, app);
      expect(await find(member, live.id)).toMatchObject({ status: 'archived' });
      await open().releases.delete(member, live.id);
      expect(await find(member, live.id)).toBeUndefined();
      expect(await open().deploys.list(member.organization, app.id, { limit: 10 })).toBeUndefined();
    });

    it('ends an upload in progress when it is deleted', async () => {
      const { member, app } = await register();
      const [uploading, processing] = await Promise.all([1, 2].map(() => open().deploys.begin(member, app.id)));
      await open().deploys.beginProcessing(processing!.id);
      for (const { id } of [uploading!, processing!]) {
        await open().releases.delete(member, id);
        await expect(open().deploys.renew(id)).rejects.toBeInstanceOf(DeployInterrupted);
        await expect(open().deploys.beginProcessing(id)).rejects.toBeInstanceOf(DeployInterrupted);
        await expect(open().releases.finish(member, id, readyDeploy())).rejects.toBeInstanceOf(DeployInterrupted);
        await open().deploys.fail(id, BROKEN, [PROBLEM]);
        expect(await find(member, id)).toBeUndefined();
      }
      expect(await appNow(app)).toMatchObject({ deployCount: 0, activeDeployId: null });
    });

    it('counts a ready deploy that is not activated', async () => {
      const { member, app } = await register();
      const { id: shown } = await deploy(member, app.id);
      await deploy(member, app.id, { activation: 'never' });
      expect(await appNow(app)).toMatchObject({ deployCount: 2, activeDeployId: shown });
    });

    it('records why an upload failed, once', async () => {
      const { member, app } = await register();
      const { id } = await open().deploys.begin(member, app.id);
      await open().deploys.fail(id, { code: 'rejected', message: 'No.' }, [PROBLEM]);
      await open().deploys.fail(id, BROKEN, []);
      expect(await find(member, id)).toMatchObject({ status: 'failed', error: { code: 'rejected', message: 'No.' } });
      expect(await open().deploys.contentsOf(id)).toEqual({ filesJson: '[]', problems: [PROBLEM] });
      await expect(open().releases.finish(member, id, readyDeploy())).rejects.toBeInstanceOf(DeployInterrupted);
      await expect(open().deploys.renew(id)).rejects.toBeInstanceOf(DeployInterrupted);
      await expect(open().deploys.beginProcessing(id)).rejects.toBeInstanceOf(DeployInterrupted);
      expect(await open().deploys.contentsOf(id)).toMatchObject({ filesJson: '[]' });
      expect(await appNow(app)).toMatchObject({ deployCount: 0, activeDeployId: null });
    });

    it('does not let a ready deploy fail', async () => {
      const { member, app } = await register();
      const ready = await deploy(member, app.id);
      await open().deploys.fail(ready.id, BROKEN, [PROBLEM]);
      expect(await find(member, ready.id)).toEqual(ready);
      await expect(open().releases.finish(member, ready.id, readyDeploy())).rejects.toBeInstanceOf(DeployInterrupted);
      expect(await appNow(app)).toMatchObject({ deployCount: 1 });
    });

    it('fails abandoned deploys, and only those whose lease has expired', async () => {
      const { member, app } = await register();
      const [lost, processed, renewed] = await Promise.all([1, 2, 3].map(() => open().deploys.begin(member, app.id)));
      await open().deploys.beginProcessing(processed!.id);
      for (const { id } of [lost!, processed!]) await open().expireLease(id);
      await expect(open().deploys.renew(lost!.id)).rejects.toBeInstanceOf(DeployInterrupted);
      await expect(open().deploys.beginProcessing(lost!.id)).rejects.toBeInstanceOf(DeployInterrupted);
      await open().deploys.renew(renewed!.id);
      expect(await open().deploys.failAbandoned()).toBeGreaterThanOrEqual(2);
      for (const { id } of [lost!, processed!]) {
        expect(await find(member, id)).toMatchObject({ status: 'failed', error: { code: 'interrupted' } });
        await expect(open().releases.finish(member, id, readyDeploy())).rejects.toBeInstanceOf(DeployInterrupted);
        expect(await open().deploys.contentsOf(id)).toEqual({ filesJson: '[]', problems: [] });
      }
      expect(await find(member, renewed!.id)).toMatchObject({ status: 'uploading' });
      expect(await appNow(app)).toMatchObject({ deployCount: 0, activeDeployId: null });
    });

    it('lets an instance finish after its lease has expired, unless the deploy has been failed', async () => {
      const { member, app } = await register();
      const { id } = await open().deploys.begin(member, app.id);
      await open().expireLease(id);
      expect(await open().releases.finish(member, id, readyDeploy())).toMatchObject({ status: 'ready' });
      await open().deploys.failAbandoned();
      expect(await find(member, id)).toMatchObject({ status: 'ready' });
    });

    it('lets no other organization finish a deploy', async () => {
      const { member, app } = await register();
      const { id } = await open().deploys.begin(member, app.id);
      const stranger = memberOf(fresh('other'));
      await expect(open().releases.finish(stranger, id, readyDeploy())).rejects.toBeInstanceOf(DeployInterrupted);
      expect(await find(member, id)).toMatchObject({ status: 'uploading' });
      expect(await open().deploys.contentsOf(id)).toMatchObject({ filesJson: '[]' });
    });

    it('archives all deploys of a deleted app, in every state', async () => {
      const { member, app } = await register();
      const ready = await deploy(member, app.id);
      const failed = await open().deploys.begin(member, app.id);
      await open().deploys.fail(failed.id, BROKEN, []);
      const begun = await open().deploys.begin(member, app.id);
      expect(await open().registry.remove(member, app)).toBe(3);
      const page = await open().deploys.list(member.organization, app.id, { limit: 10 });
      expect(page?.deploys.map(({ id, status }) => [id, status])).toEqual(
        [begun, failed, ready].map(({ id }) => [id, 'archived']),
      );
      for (const { archivedAt } of page?.deploys ?? []) expect(archivedAt).toBeInstanceOf(Date);
      await expect(open().deploys.renew(begun.id)).rejects.toBeInstanceOf(DeployInterrupted);
      await expect(open().releases.finish(member, begun.id, readyDeploy())).rejects.toBeInstanceOf(DeployInterrupted);
      await open().deploys.fail(begun.id, BROKEN, []);
      expect(await find(member, begun.id)).toMatchObject({ status: 'archived', error: undefined });
      await expect(open().releases.activate(member, ready.id)).rejects.toBeInstanceOf(DeployNotReady);
      await expect(open().releases.rollBack(member, app.id)).rejects.toBeInstanceOf(AppNotFound);
      await expect(open().deploys.begin(member, app.id)).rejects.toBeInstanceOf(AppNotFound);
      expect(filesOf(await open().deploys.contentsOf(ready.id))).toMatchObject([{ path: 'index.html' }]);
    });

    it('removes failed deploys beyond the newest of their app, and no others', async () => {
      const { member, app } = await register();
      const { member: other, app: otherApp } = await register();
      const fail = async (by: Member, appId: string) => {
        const { id } = await open().deploys.begin(by, appId);
        await open().deploys.fail(id, BROKEN, [PROBLEM]);
        return id;
      };
      const ready = await deploy(member, app.id);
      const ids: string[] = [];
      for (let i = 0; i < 4; i += 1) ids.push(await fail(member, app.id));
      const begun = await open().deploys.begin(member, app.id);
      const single = await fail(other, otherApp.id);
      expect(await open().deploys.removeFailed({ newest: 2, days: 30 })).toBeGreaterThanOrEqual(2);
      const page = await open().deploys.list(member.organization, app.id, { limit: 10 });
      expect(page?.deploys.map(({ id }) => id)).toEqual([begun.id, ids[3], ids[2], ready.id]);
      expect(await find(other, single)).toMatchObject({ status: 'failed' });
      expect(await find(member, ids[0]!)).toBeUndefined();
    });

    it('lists all deploys of an app in pages without gaps or repeats', async () => {
      const { member, app } = await register();
      const ids: string[] = [];
      for (let i = 0; i < 5; i += 1) ids.unshift((await open().deploys.begin(member, app.id)).id);
      await deploy(member, (await register(member)).app.id);
      const list = (limit: number, after?: object) =>
        open().deploys.list(member.organization, app.id, { limit, ...(after as { after?: never }) });
      const first = await list(2);
      // A new deploy is first in the list and does not shift the next page.
      await open().deploys.begin(member, app.id);
      const second = await list(3, { after: first?.end });
      expect([...(first?.deploys ?? []), ...(second?.deploys ?? [])].map(({ id }) => id)).toEqual(ids);
      expect([first?.end === undefined, second?.end]).toEqual([false, undefined]);
      expect((await list(6))?.end).toBeUndefined();
    });

    it('distinguishes an app without deploys from an absent app', async () => {
      const { member, app } = await register();
      const other = memberOf(fresh('other')).organization;
      expect(await open().deploys.list(member.organization, app.id, { limit: 5 })).toEqual({ deploys: [] });
      for (const id of [app.id, ABSENT, 'nonsense', '']) {
        expect(await open().deploys.list(other, id, { limit: 5 })).toBeUndefined();
      }
    });

    it('does not find a deploy that is absent, malformed or of another organization', async () => {
      const { member, app } = await register();
      const { id } = await deploy(member, app.id);
      const other = memberOf(fresh('other'));
      expect(await find(other, id)).toBeUndefined();
      expect(await open().deploys.list(other.organization, app.id, { limit: 5 })).toBeUndefined();
      for (const absent of [ABSENT, 'nonsense', '', "' or true --"]) {
        expect(await find(member, absent)).toBeUndefined();
        await expect(open().releases.activate(member, absent)).rejects.toBeInstanceOf(DeployNotFound);
      }
    });
  });
}
