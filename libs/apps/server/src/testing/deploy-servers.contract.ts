import { describe, expect, it } from '@jest/globals';
import type { ServerPlan } from '@homeport/hosting/contracts';
import type { ReadyDeploy } from '../deploys/application/deploy-repository.port';
import { DeployInterrupted } from '../deploys/domain/deploys.errors';
import { memberOf } from './app-fixture';
import { deployedFile, type DeployRepositoryHarness, filesOf, readyDeploy } from './deploy-fixtures';

const PLAN: ServerPlan = { framework: 'next', kind: 'script', entry: 'server.js', environment: { PORT: '3000' } };
const FILES: ReadyDeploy['files'] = [
  { ...deployedFile('_next/static/a.js'), bundlePath: '.next/static/a.js' },
  { ...deployedFile('logo.svg'), bundlePath: 'public/logo.svg' },
  { ...deployedFile('logo.svg'), role: 'server' },
  { ...deployedFile('server.js'), role: 'server' },
];

let count = 0;

/** The contract of every `DeployRepository` adapter about deploys with a server. */
export function deployServersContract(name: string, open: () => DeployRepositoryHarness): void {
  const started = async () => {
    const member = memberOf(`servers-${process.pid}-${count++}`);
    const { app } = await open().registry.register(member);
    const { id } = await open().deploys.begin(member, app.id);
    await open().deploys.beginProcessing(id);
    await open().deploys.beginStarting(id, PLAN, 'preview');
    await open().deploys.addFiles(id, FILES);
    return { member, app, id };
  };
  const find = async (organization: string, id: string) => open().deploys.find(organization, id);

  describe(`${name} as a repository of deploys with servers`, () => {
    it('starts a server once, and then makes the deploy ready and active', async () => {
      const { member, app, id } = await started();
      expect(await find(member.organization, id)).toMatchObject({ status: 'starting', framework: 'next' });
      await expect(open().deploys.beginStarting(id, PLAN, 'preview')).rejects.toBeInstanceOf(DeployInterrupted);
      await open().deploys.renew(id);
      const ready = await open().releases.finish(member, id, readyDeploy({ files: FILES, server: PLAN }));
      expect(ready).toMatchObject({ status: 'ready', framework: 'next', fileCount: 4 });
      expect(await open().apps.find(member.organization, app.id)).toMatchObject({ activeDeployId: id });
      await expect(open().deploys.beginStarting(id, PLAN, 'preview')).rejects.toBeInstanceOf(DeployInterrupted);
    });

    it('lists all files by their paths in the upload, and serves the static ones', async () => {
      const { id } = await started();
      const paths = ['.next/static/a.js', 'logo.svg', 'public/logo.svg', 'server.js'];
      expect(filesOf(await open().deploys.listFiles(id, { limit: 9 })).map(({ path }) => path)).toEqual(paths);
      const first = await open().deploys.listFiles(id, { limit: 2 });
      expect(first.end).toBe('logo.svg');
      const rest = await open().deploys.listFiles(id, { limit: 2, after: 'logo.svg' });
      expect(filesOf(rest).map(({ path }) => path)).toEqual(paths.slice(2));
      const served = await open().deploys.existingPaths(id, ['_next/static/a.js', 'logo.svg', 'server.js']);
      expect([...served].sort()).toEqual(['_next/static/a.js', 'logo.svg']);
    });

    it('fails a deploy whose lease expires while it starts', async () => {
      const { member, app, id } = await started();
      await open().expireLease(id);
      expect(await open().deploys.failAbandoned()).toBeGreaterThanOrEqual(1);
      expect(await find(member.organization, id)).toMatchObject({ status: 'failed', error: { code: 'interrupted' } });
      const finish = open().releases.finish(member, id, readyDeploy({ files: FILES, server: PLAN }));
      await expect(finish).rejects.toBeInstanceOf(DeployInterrupted);
      expect(await open().apps.find(member.organization, app.id)).toMatchObject({ activeDeployId: null });
      await open().deploys.removeFailed({ newest: 50, days: 30 });
      expect(await find(member.organization, id)).toMatchObject({ status: 'failed' });
    });
  });
}
