import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App } from '@homeport/apps/contracts';
import { signIn } from '../homeport';
import { DeployClient } from './deploy-client';
import { DigestDeployClient, manifestOf } from './digest-deploy-client';
import { FakeRuntime } from './fake-runtime';
import { visit } from './visit';

/** A build whose bytes no other test has. */
const freshBuild = () => {
  const id = randomUUID();
  return {
    'server.js': `start('${id}')`,
    'package.json': '{}',
    '.next/BUILD_ID': id,
    '.next/static/chunks/a.js': `answer('${id}')`,
    'public/robots.txt': `# ${id}`,
  };
};
const LOG = ['Error: no database', '    at main (/app/server.js:1:1)'];

describe('deploys of SSR apps', () => {
  let ada: DeployClient;
  let digests: DigestDeployClient;
  let runtime: FakeRuntime;

  beforeAll(async () => {
    const { token } = await signIn('ada');
    ada = new DeployClient(token);
    digests = new DigestDeployClient(token);
    runtime = await new FakeRuntime().open();
  });

  afterAll(() => runtime?.close());

  const register = async (passed = true): Promise<App> => {
    const app = await ada.register('Server', 'ssr');
    expect(app.type).toBe('ssr');
    runtime.answer(app.id, passed ? { passed } : { passed, reason: 'The server exited with code 1.', log: LOG });
    return app;
  };

  it('go live when their server started, and show only static files', async () => {
    const app = await register();
    const { status, body } = await ada.deploy(app.id, freshBuild());
    expect([status, body]).toMatchObject([
      201,
      { status: 'ready', framework: 'next', activation: { activated: true } },
    ]);
    expect((await ada.app(app.id)).body.active_deploy).toMatchObject({ has_start_page: true });
    expect((await visit(new URL('/_next/static/chunks/a.js', body.url).href)).status).toBe(200);
    expect((await visit(new URL('/robots.txt', body.url).href)).status).toBe(200);
    for (const path of [
      '/server.js',
      '/package.json',
      '/.next/BUILD_ID',
      '/.next/static/chunks/a.js',
      '/public/robots.txt',
    ]) {
      expect([path, (await visit(new URL(path, body.url).href)).status]).not.toEqual([path, 200]);
    }
    const { files } = (await ada.get(body.id)).body;
    expect(files.map(({ path }) => path)).toEqual(Object.keys(freshBuild()).toSorted());
  });

  it('by digest go live in the same way', async () => {
    const app = await register();
    const { status, body } = await digests.deploy(app.id, freshBuild());
    expect([status, body]).toMatchObject([
      200,
      { status: 'ready', framework: 'next', activation: { activated: true } },
    ]);
    expect((await digests.finish(body.id)).body).toMatchObject({ status: 'ready', activation: { activated: true } });
  });

  it('fail with the log when their server does not start', async () => {
    const app = await register(false);
    const archive = await ada.deploy(app.id, freshBuild());
    expect([archive.status, archive.body.code]).toEqual([422, 'apps.start-failed']);
    expect(archive.body.errors).toEqual(LOG.map((reason) => ({ field: 'log', reason })));
    const started = await digests.start(app.id, manifestOf(freshBuild()));
    expect(started.status).toBe(201);
    const { items } = (await ada.list(app.id)).body;
    const failed = items.find(({ status }) => status === 'failed');
    expect(failed).toMatchObject({ framework: 'next', error: { code: 'start-failed', log: LOG } });
    expect((await ada.app(app.id)).body.active_deploy_id).toBeNull();
  });

  it('by digest fail for good when their server does not start', async () => {
    const app = await register(false);
    const build = freshBuild();
    const { status, body } = await digests.deploy(app.id, build);
    expect([status, body.code]).toEqual([422, 'apps.start-failed']);
    const { items } = (await ada.list(app.id)).body;
    expect(items).toMatchObject([{ status: 'failed', error: { code: 'start-failed', log: LOG } }]);
    const repeated = await digests.finish(items[0]?.id ?? '');
    expect([repeated.status, repeated.body.code]).toEqual([409, 'apps.deploy-not-uploading']);
  });

  it('say what to do about files without a server that can start', async () => {
    const app = await register();
    const plain = await ada.deploy(app.id, { 'index.html': randomUUID() });
    expect([plain.status, plain.body.code]).toEqual([422, 'apps.no-server']);
    const isKept = ([path]: [string, string]) => !path.startsWith('.next/static/');
    const incomplete = Object.fromEntries(Object.entries(freshBuild()).filter(isKept));
    const refused = await digests.deploy(app.id, incomplete);
    expect([refused.status, refused.body.code]).toEqual([422, 'apps.unsupported-server']);
    expect(refused.body.errors?.[0]?.reason).toContain('.next/standalone/.next/static');
    const codes = (await ada.list(app.id)).body.items.map(({ error }) => error?.code);
    expect(codes).toEqual(['unsupported-server', 'no-server']);
  });

  it('warn about the server of a static app', async () => {
    const app = await ada.register('Static');
    const { body } = await ada.deploy(app.id, { 'server/entry.mjs': randomUUID(), 'client/a.css': 'a{}' });
    expect(body).toMatchObject({ status: 'ready', framework: null });
    const { problems } = (await ada.get(body.id)).body;
    expect(problems).toContainEqual(expect.objectContaining({ path: 'server/entry.mjs', line: null }));
  });
});
