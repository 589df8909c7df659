import { beforeEach, describe, expect, it } from '@jest/globals';
import { NO_RULES } from '../../domain/sites/site-rules';
import { parseRequestPath } from '../../domain/sites/request-path';
import { siteFile } from '../../testing/sites/site-file';
import type { Redirect } from '../../domain/sites/redirect-rules';
import type { SiteFile } from './site-directory.port';
import { type DeployedSite, SiteResolver } from './site-resolver';

const SITE: DeployedSite = {
  kind: 'app',
  appId: 'app',
  name: 'Shop',
  deploy: { id: 'now', rules: NO_RULES },
  lastRelease: '1',
};

let files: Map<string, SiteFile>;
let earlier: Map<string, SiteFile>;
let redirects: Map<string, Redirect>;
let asked: string[];

async function have(target: Map<string, SiteFile>, ...paths: string[]): Promise<void> {
  for (const path of paths) target.set(path, await siteFile({ deployId: 'now', path }, path));
}

const resolver = new SiteResolver({
  findFiles: async (_deploy, paths) => {
    asked.push(...paths);
    return new Map([...files].filter(([path]) => paths.includes(path)));
  },
  findInEarlierDeploy: async (_site, path) => earlier.get(path),
  redirectFor: (_site, { rawPath }) => redirects.get(rawPath),
  mayBeHashed: (path) => /-HASH|^_/.test(path),
});

async function at(target: string, site = SITE): Promise<unknown> {
  const found = await resolver.resolve(site, { target: parseRequestPath(target)!, rawPath: target, rawQuery: '' });
  if (found.kind === 'file') return `${found.status} ${found.file.path}${found.folder ? ` or ${found.folder}` : ''}`;
  return found.kind === 'redirect' ? `${found.status} to ${found.location}` : `nothing, or ${found.page?.path}`;
}

beforeEach(() => {
  files = new Map();
  earlier = new Map();
  redirects = new Map();
  asked = [];
});

describe('SiteResolver', () => {
  it('takes a file before a page, a page before a folder, and each of them before a rule', async () => {
    redirects.set('/a', { status: 301, location: '/elsewhere' });
    expect(await at('/a')).toBe('301 to /elsewhere');
    await have(files, 'a/index.html');
    expect(await at('/a')).toBe('200 a/index.html or /a/');
    await have(files, 'a.html');
    expect(await at('/a')).toBe('200 a.html');
    await have(files, 'a');
    expect(await at('/a')).toBe('200 a');
  });

  it('takes the page of a folder first where the address is one', async () => {
    await have(files, 'a.html', 'a');
    expect(await at('/a/')).toBe('200 a.html');
    await have(files, 'a/index.html');
    expect(await at('/a/')).toBe('200 a/index.html');
  });

  it('takes a rule before a file of an earlier deploy', async () => {
    await have(earlier, 'x-HASH.js');
    expect(await at('/x-HASH.js')).toBe('200 x-HASH.js');
    redirects.set('/x-HASH.js', { status: 302, location: '/y' });
    expect(await at('/x-HASH.js')).toBe('302 to /y');
  });

  it('does not take the one page of an app for its earlier scripts', async () => {
    await have(files, 'index.html', 'new.js');
    await have(earlier, 'x-HASH.js');
    redirects.set('/x-HASH.js', { status: 200, path: '/index.html' });
    redirects.set('/y-HASH.js', { status: 200, path: '/index.html' });
    expect(await at('/x-HASH.js')).toBe('200 x-HASH.js');
    expect(await at('/y-HASH.js')).toBe('200 index.html');
    redirects.set('/x-HASH.js', { status: 200, path: '/new.js' });
    expect(await at('/x-HASH.js')).toBe('200 new.js');
  });

  it('takes a file of an earlier deploy before pages for what is missing, where the name says that it cannot differ', async () => {
    await have(files, 'index.html', '404.html');
    await have(earlier, 'x-HASH.js', 'plain.js');
    expect(await at('/x-HASH.js')).toBe('200 x-HASH.js');
    expect(await at('/plain.js')).toBe('404 404.html');
    expect(await at('/x-HASH.js', { ...SITE, kind: 'preview' })).toBe('404 404.html');
  });

  it('answers with the page for what is missing, and without one leaves people to the app', async () => {
    expect(await at('/missing')).toBe('nothing, or undefined');
    await have(files, 'index.html');
    expect(await at('/missing')).toBe('nothing, or index.html');
    await have(files, '404.html');
    expect(await at('/missing')).toBe('404 404.html');
  });

  it('answers with another file where a rule says so', async () => {
    await have(files, 'app.html', 'gone/index.html');
    redirects.set('/old', { status: 200, path: '/app' });
    redirects.set('/gone', { status: 404, path: '/gone/' });
    redirects.set('/broken', { status: 200, path: '/nowhere' });
    redirects.set('/rules', { status: 200, path: '/_headers' });
    expect(await at('/old')).toBe('200 app.html');
    expect(await at('/broken')).toBe('nothing, or undefined');
    expect(await at('/rules')).toBe('nothing, or undefined');
    files.delete('app.html');
    expect(await at('/old')).toBe('nothing, or undefined');
  });

  it('never asks for the files of rules', async () => {
    await have(files, '_headers', '_redirects', 'index.html');
    await have(earlier, '_headers', '_redirects');
    expect(await at('/_headers')).toBe('nothing, or index.html');
    expect(await at('/%5Fredirects')).toBe('nothing, or index.html');
    expect(asked).not.toContain('_headers');
    expect(asked).not.toContain('_redirects');
  });
});
