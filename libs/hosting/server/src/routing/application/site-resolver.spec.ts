import { beforeEach, describe, expect, it } from '@jest/globals';
import { NO_RULES, parseRequestPath, type Redirect } from '@homeport/hosting/contracts';
import { siteFile } from '../../testing/site-file';
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
let lookedUp: string[];

async function have(target: Map<string, SiteFile>, ...paths: string[]): Promise<void> {
  for (const path of paths) target.set(path, await siteFile({ deployId: 'now', path }, path));
}

const resolver = new SiteResolver({
  findFiles: async (_deploy, paths) => {
    lookedUp.push(...paths);
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
  lookedUp = [];
});

describe('SiteResolver', () => {
  it('prefers a file to a page, a page to a folder, and each of them to a rule', async () => {
    redirects.set('/a', { status: 301, location: '/elsewhere' });
    expect(await at('/a')).toBe('301 to /elsewhere');
    await have(files, 'a/index.html');
    expect(await at('/a')).toBe('200 a/index.html or /a/');
    await have(files, 'a.html');
    expect(await at('/a')).toBe('200 a.html');
    await have(files, 'a');
    expect(await at('/a')).toBe('200 a');
  });

  it('prefers the index page at the URL of a folder', async () => {
    await have(files, 'a.html', 'a');
    expect(await at('/a/')).toBe('200 a.html');
    await have(files, 'a/index.html');
    expect(await at('/a/')).toBe('200 a/index.html');
  });

  it('prefers a rule to a file of an earlier deploy', async () => {
    await have(earlier, 'x-HASH.js');
    expect(await at('/x-HASH.js')).toBe('200 x-HASH.js');
    redirects.set('/x-HASH.js', { status: 302, location: '/y' });
    expect(await at('/x-HASH.js')).toBe('302 to /y');
  });

  it('prefers a script of an earlier deploy to a fallback page', async () => {
    await have(files, 'index.html', 'new.js');
    await have(earlier, 'x-HASH.js');
    redirects.set('/x-HASH.js', { status: 200, path: '/index.html' });
    redirects.set('/y-HASH.js', { status: 200, path: '/index.html' });
    expect(await at('/x-HASH.js')).toBe('200 x-HASH.js');
    expect(await at('/y-HASH.js')).toBe('200 index.html');
    redirects.set('/x-HASH.js', { status: 200, path: '/new.js' });
    expect(await at('/x-HASH.js')).toBe('200 new.js');
  });

  it('prefers a file of an earlier deploy with a hashed name to the 404 page', async () => {
    await have(files, 'index.html', '404.html');
    await have(earlier, 'x-HASH.js', 'plain.js');
    expect(await at('/x-HASH.js')).toBe('200 x-HASH.js');
    expect(await at('/plain.js')).toBe('404 404.html');
    expect(await at('/x-HASH.js', { ...SITE, kind: 'preview' })).toBe('404 404.html');
  });

  it('serves the 404 page, or without one offers the start page', async () => {
    expect(await at('/missing')).toBe('nothing, or undefined');
    await have(files, 'index.html');
    expect(await at('/missing')).toBe('nothing, or index.html');
    await have(files, '404.html');
    expect(await at('/missing')).toBe('404 404.html');
  });

  it('serves another file for a rewrite rule', async () => {
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

  it('never looks up the rule files', async () => {
    await have(files, '_headers', '_redirects', 'index.html');
    await have(earlier, '_headers', '_redirects');
    expect(await at('/_headers')).toBe('nothing, or index.html');
    expect(await at('/%5Fredirects')).toBe('nothing, or index.html');
    expect(lookedUp).not.toContain('_headers');
    expect(lookedUp).not.toContain('_redirects');
  });
});
