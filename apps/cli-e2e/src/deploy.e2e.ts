import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { visit } from '@homeport/hosting/server/testing/visit';
import { Machine, settings, uniqueName } from './command-line';

interface App {
  readonly id: string;
  readonly subdomain: string;
  readonly url: string;
  readonly active_deploy_id: string | null;
}

interface Deploy {
  readonly id: string;
  readonly number: number;
  readonly url: string;
  readonly status: string;
  readonly source: { readonly branch: string | null; readonly commit: string | null; readonly message: string | null };
}

let machine: Machine;
let app: App;

beforeAll(async () => {
  machine = await Machine.of('ada');
  app = await machine.json<App>(['apps', 'register', uniqueName('Command line')]);
  await machine.write({
    'homeport.json': JSON.stringify({ app: app.subdomain, directory: 'dist' }),
    'dist/index.html': '<h1>First</h1>',
    'dist/assets/app.css': 'h1 { color: teal }',
    'dist/__proto__': 'text',
  });
});

afterAll(() => machine.remove());

/** The page of the site at this address. */
async function page(address: string): Promise<string> {
  const { hostname, pathname } = new URL(address);
  const port = Number(settings['EDGE_PORT']);
  const { status, body } = await visit(port, { host: `${hostname}:${port}`, target: pathname });
  return `${status} ${String(body)}`;
}

describe('homeport deploy', () => {
  it('deploys the folder of homeport.json, and the site is live', async () => {
    const { code, stdout, stderr } = await machine.run(['deploy', '--wait']);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`is live: ${app.url}`)]);
    expect(stderr).toContain('Deploying 3 files (36 B) of dist to Command line');
    expect(await page(app.url)).toBe('200 <h1>First</h1>');
    expect(await page(new URL('__proto__', app.url).href)).toBe('200 text');
  });

  it('deploys a preview from a subfolder, and leaves the live site', async () => {
    await machine.write({ 'dist/index.html': '<h1>Second</h1>' });
    const preview = await machine.json<Deploy>(['deploy', 'dist', '--preview']);
    expect(await page(preview.url)).toBe('200 <h1>Second</h1>');
    expect(await page(app.url)).toBe('200 <h1>First</h1>');
  });

  it('asks for --force when the site would lose its start page', async () => {
    await machine.write({ 'empty/about.html': '<h1>About</h1>' });
    const refused = await machine.run(['deploy', 'empty']);
    expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining('--force') });
    expect(await page(app.url)).toBe('200 <h1>First</h1>');
    expect(await machine.run(['deploy', 'empty', '--force'])).toMatchObject({ code: 0 });
    expect(await page(app.url)).toMatch(/^404 /);
    expect(await machine.run(['rollback'])).toMatchObject({ code: 0 });
    expect(await page(app.url)).toBe('200 <h1>First</h1>');
  });

  it('names the build when the folder of a project is deployed to an SSR app', async () => {
    const { id } = await machine.json<App>(['apps', 'register', uniqueName('Server'), '--type', 'ssr']);
    await machine.write({ 'shop/package.json': '{}', 'shop/.output/server/index.mjs': '' });
    const { code, stderr } = await machine.run(['deploy', 'shop', '--app', id]);
    expect([code, stderr]).toEqual([6, expect.stringMatching(/is a project.*\n.*Deploy .*shop\/\.output/s)]);
  });

  it('describes the commit by git, by the pipeline, and by options', async () => {
    const git = (...args: string[]) => execFileSync('git', ['-C', machine.path('work'), ...args], { encoding: 'utf8' });
    git('init', '--quiet', '--initial-branch', 'feature/cart');
    git(
      '-c',
      'user.name=Ada',
      '-c',
      'user.email=ada@example.com',
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      'Add cart',
    );
    const commit = git('rev-parse', 'HEAD').trim();
    const { source } = await machine.json<Deploy>(['deploy', '--preview']);
    expect(source).toMatchObject({ branch: 'feature/cart', commit, message: 'Add cart' });
    expect((await machine.run(['deploy', '--preview'])).stdout).toContain('Branch feature/cart: http');
    const named = await machine.json<Deploy>(['deploy', '--preview', '--branch', 'next', '--message', 'By hand']);
    expect(named.source).toMatchObject({ branch: 'next', commit, message: 'By hand' });
  });

  it('rejects a folder without files and an unknown app', async () => {
    expect(await machine.run(['deploy', 'absent'])).toMatchObject({ code: 2 });
    expect(await machine.run(['deploy', '--app', 'no-such-app'])).toMatchObject({ code: 4 });
    const { code, stderr } = await machine.run(['deploys', 'show', app.id]);
    expect([code, stderr]).toEqual([4, expect.stringMatching(/homeport deploys list.*\nRequest \S+ \(apps\./)]);
  });
});

describe('the history', () => {
  it('lists deploys, and activates one of them', async () => {
    const deploys = await machine.json<Deploy[]>(['deploys', 'list']);
    expect(deploys.map(({ number }) => number).slice(-5)).toEqual([5, 4, 3, 2, 1]);
    const second = deploys.find(({ number }) => number === 2) as Deploy;
    const other = await machine.json<App>(['apps', 'register', uniqueName('Other')]);
    const foreign = await machine.run(['rollback', '--app', other.subdomain, '--to', second.id]);
    expect(foreign).toMatchObject({ code: 4, stderr: expect.stringContaining('belongs to another app') });
    expect(await machine.run(['rollback', '--to', second.id])).toMatchObject({ code: 0 });
    expect(await page(app.url)).toBe('200 <h1>Second</h1>');
    expect((await machine.run(['deploys', 'show', second.id])).stdout).toContain('Deploy #2: ready, 3 files');
  });

  it('ends with the app', async () => {
    expect(await machine.run(['apps', 'open', app.subdomain, '--no-browser'])).toMatchObject({
      stdout: `${app.url}\n`,
    });
    expect(await machine.run(['apps', 'delete', app.subdomain])).toMatchObject({ code: 2 });
    expect(await machine.run(['apps', 'delete', app.subdomain, '--yes'])).toMatchObject({ code: 0 });
    expect(await machine.run(['apps', 'show', app.subdomain])).toMatchObject({ code: 4 });
  });
});
