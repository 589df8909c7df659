import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isIgnoredPath } from '@homeport/apps/contracts';
import { detectServer, serverWarnings } from './server-detection';
import { NoServer, UnsupportedServerBuild } from './server-detection.errors';

const detect = (paths: readonly string[], texts: Readonly<Record<string, string>> = {}) =>
  detectServer({ paths: new Set([...paths, ...Object.keys(texts)]), texts: new Map(Object.entries(texts)) });

const route = (path: string, kind: string) => ({ path, target: { kind, src: 'default' } });
const amplify = (changes: object = {}) =>
  JSON.stringify({
    version: 1,
    routes: [route('/_image/*', 'ImageOptimization'), route('/*.*', 'Static'), route('/*', 'Compute')],
    computeResources: [{ name: 'default', runtime: 'nodejs22.x', entrypoint: 'server.js' }],
    ...changes,
  });

describe('detectServer', () => {
  it.each([
    ['angular', ['server/server.mjs', 'browser/main.js'], 'server/server.mjs', { 'main.js': 'browser/main.js' }],
    [
      'next',
      ['server.js', '.next/BUILD_ID', '.next/static/a/b.js', 'public/logo.svg', 'node_modules/next/package.json'],
      'server.js',
      { '_next/static/a/b.js': '.next/static/a/b.js', 'logo.svg': 'public/logo.svg' },
    ],
    [
      'next',
      ['apps/web/server.js', 'apps/web/.next/BUILD_ID', 'apps/web/.next/static/b.js', 'package.json'],
      'apps/web/server.js',
      { '_next/static/b.js': 'apps/web/.next/static/b.js' },
    ],
    ['nitro', ['server/index.mjs', 'nitro.json', 'public/a.css'], 'server/index.mjs', { 'a.css': 'public/a.css' }],
    ['astro', ['server/entry.mjs', 'client/a.css'], 'server/entry.mjs', { 'a.css': 'client/a.css' }],
    [
      'sveltekit',
      ['index.js', 'handler.js', 'client/a.css', 'prerendered/about.html', 'prerendered/a.css'],
      'index.js',
      { 'a.css': 'client/a.css', 'about.html': 'prerendered/about.html' },
    ],
    [
      'astro',
      ['dist/server/entry.mjs', 'dist/client/a.css', 'package.json', 'node_modules/a/index.js'],
      'dist/server/entry.mjs',
      { 'a.css': 'dist/client/a.css' },
    ],
    [
      'sveltekit',
      ['build/index.js', 'build/handler.js', 'build/client/a.css', 'build/prerendered/about.html', 'package.json'],
      'build/index.js',
      { 'a.css': 'build/client/a.css', 'about.html': 'build/prerendered/about.html' },
    ],
    [
      'react-router',
      ['build/server/index.js', 'build/client/a.css', 'node_modules/@react-router/serve/bin.cjs'],
      'node_modules/@react-router/serve/bin.cjs',
      { 'a.css': 'build/client/a.css' },
    ],
    ['node', ['server.mjs', 'public/a.css'], 'server.mjs', {}],
  ])('recognizes a build of %s', (framework, paths, entry, staticFiles) => {
    const found = detect(paths);
    expect(found).toMatchObject({ plan: { framework, entry, environment: { PORT: '3000', HOST: '127.0.0.1' } } });
    expect(Object.fromEntries(found.staticFiles)).toEqual(staticFiles);
  });

  it('imports the handler of Angular and admits every host', () => {
    expect(detect(['server/server.mjs', 'browser/index.csr.html']).plan).toMatchObject({
      kind: 'handler',
      exportName: 'reqHandler',
      environment: { NG_ALLOWED_HOSTS: '*' },
    });
  });

  it('lets Next.js write its cache', () => {
    const paths = ['apps/web/server.js', 'apps/web/.next/BUILD_ID', 'apps/web/.next/static/b.js'];
    expect(detect(paths).plan.cacheFolder).toBe('apps/web/.next/cache');
    expect(detect([...paths, 'apps/web/.next/cache']).plan.cacheFolder).toBeUndefined();
  });

  it('hands the build of React Router to its server', () => {
    const serve = 'node_modules/@react-router/serve/bin.cjs';
    expect(detect(['server/index.js', 'client/a.css', serve]).plan.args).toEqual(['./server/index.js']);
  });

  it('follows the routes of an Amplify manifest', () => {
    const files = ['compute/default/server.js', 'static/a.css', 'static/page', 'static/_image/b.png'];
    for (const base of ['', '.amplify-hosting/']) {
      const paths = files.map((path) => base + path);
      const found = detect(paths, { [`${base}deploy-manifest.json`]: amplify() });
      expect(found.plan).toMatchObject({ framework: 'amplify', entry: `${base}compute/default/server.js` });
      // The server answers the others, because their routes do.
      expect(Object.fromEntries(found.staticFiles)).toEqual({ 'a.css': `${base}static/a.css` });
      expect(found.problems).toMatchObject([{ reason: expect.stringContaining('"/_image/*"') }]);
    }
  });

  it('starts what the package names, before files with known names', () => {
    const texts = { 'package.json': JSON.stringify({ scripts: { start: 'node --enable-source-maps ./dist/main' } }) };
    expect(detect(['index.js', 'dist/main.js'], texts).plan).toMatchObject({ kind: 'script', entry: 'dist/main.js' });
    expect(detect(['index.js'], texts).plan.entry).toBe('index.js');
  });

  it.each([
    ['export default { fetch: () => new Response("hello") };', 'handler'],
    ['const app = new Hono();\nexport default app;', 'handler'],
    ['export { app as default };', 'handler'],
    ['export default app; serve(app);', 'script'],
    ['app.listen(process.env.PORT);', 'script'],
  ])('decides how to start %j: as a %s', (text, kind) => {
    expect(detect([], { 'server.mjs': text }).plan.kind).toBe(kind);
  });

  it.each([
    [['server.js', '.next/BUILD_ID'], {}, /Copy ".next\/static"/],
    [['apps/web/server.js', 'apps/web/.next/BUILD_ID'], {}, /to ".next\/standalone\/apps\/web\/.next\/static"/],
    [['.next/BUILD_ID', 'package.json'], {}, /output: "standalone"/],
    [['.next/BUILD_ID', '.next/standalone/server.js', '.next/static/a.js'], {}, /contents of ".next\/standalone"/],
    [['_worker.js', 'index.js'], {}, /for Cloudflare.*"_worker.js".*Node.js adapter/],
    [['config.json', 'functions/__fallback.func/index.mjs', 'static/a.css'], {}, /for Vercel.*Node.js adapter/],
    [['dist/_worker.js/index.js', 'assets/a.css'], {}, /for Cloudflare.*Node.js adapter/],
    [['netlify/functions/server.mjs'], {}, /for Netlify/],
    [['server/index.js', 'client/a.css'], {}, /@react-router\/serve/],
    [
      ['server/index.mjs'],
      { 'nitro.json': '{"preset":"cloudflare-module"}' },
      /"nitro.json".*NITRO_PRESET=node-server/,
    ],
    [[], { 'deploy-manifest.json': '{' }, /"deploy-manifest.json" is not valid JSON/],
    [['deploy-manifest.json'], {}, /"deploy-manifest.json" is too large/],
    [
      [],
      { 'deploy-manifest.json': amplify() },
      /"compute\/default\/server.js", which the upload does not have.*entrypoint/,
    ],
  ])('says what to do with %j', (paths, texts, reason) => {
    const attempt = () => detect(paths, texts);
    expect(attempt).toThrow(UnsupportedServerBuild);
    expect(attempt).toThrow(reason);
  });

  const resource = (changes: object) => {
    return { computeResources: [{ name: 'default', runtime: 'nodejs22.x', entrypoint: 'server.js', ...changes }] };
  };

  it.each([
    ['null', '', 'must be a JSON object'],
    [amplify({ version: 2 }), 'version', 'must be 1'],
    [amplify({ routes: undefined }), 'routes', 'must be a list of 1 to 25 routes'],
    [amplify({ routes: Array(26).fill(route('/*', 'Compute')) }), 'routes', 'must be a list of 1 to 25 routes'],
    [amplify({ routes: ['/*'] }), 'routes[0]', 'must be a JSON object'],
    [amplify({ routes: [route('*', 'Compute')] }), 'routes[0].path', 'must be a path that starts with "/"'],
    [
      amplify({ routes: [route('/a', 'Static'), route('/*', 'Lambda')] }),
      'routes[1].target.kind',
      'must be "Static", "Compute" or "ImageOptimization"',
    ],
    [amplify({ computeResources: undefined }), 'computeResources', 'must be a list of one resource'],
    [amplify({ computeResources: [] }), 'computeResources', 'must be a list of one resource'],
    [amplify(resource({ name: 'web' })), 'computeResources[0].name', 'must be "default"'],
    [
      amplify(resource({ runtime: 'nodejs18.x' })),
      'computeResources[0].runtime',
      'must be "nodejs20.x", "nodejs22.x" or',
    ],
    [amplify(resource({ entrypoint: '' })), 'computeResources[0].entrypoint', 'must be the file of the server'],
  ])('names the field of an Amplify manifest and what it must be: %j', (text, field, expected) => {
    const attempt = () => detect([], { '.amplify-hosting/deploy-manifest.json': text });
    expect(attempt).toThrow(UnsupportedServerBuild);
    const name = field === '' ? '' : `"${field}" in `;
    expect(attempt).toThrow(`${name}".amplify-hosting/deploy-manifest.json" is not valid: it ${expected}`);
    expect(attempt).toThrow(/, and deploy again\.$/);
  });

  it('rejects files without a server', () => {
    expect(() => detect(['index.html', 'assets/main.js'])).toThrow(NoServer);
    expect(() => detect([])).toThrow(NoServer);
  });

  it.each([
    [{ dependencies: { next: '16', react: '19' } }, /source of a Next.js app.*output: "standalone"/],
    [{ dependencies: { nuxt: '4' } }, /source of a Nuxt app.*".output"/],
    [{ devDependencies: { '@sveltejs/kit': '3' } }, /source of a SvelteKit app.*adapter-node/],
    [{ dependencies: { astro: '7' } }, /source of an Astro app.*standalone/],
    [{ dependencies: { 'react-router': '8' } }, /source of a React Router app.*"node_modules"/],
    [{ scripts: { start: 'node dist/index.js' } }, /"package.json" runs "dist\/index.js".*Build/],
    [{ scripts: { start: 'tsx src/main.ts' } }, /"package.json" is "tsx src\/main.ts".*"node <file>"/],
    [{ dependencies: 5 }, /no server that Homeport recognizes.*"server.js"/],
  ])('says what to do with a project that is not built: %j', (manifest, reason) => {
    const attempt = () => detect(['src/main.ts'], { 'package.json': JSON.stringify(manifest) });
    expect(attempt).toThrow(NoServer);
    expect(attempt).toThrow(reason);
  });

  it('runs a server of React Router that the app brings itself', () => {
    const texts = { 'package.json': JSON.stringify({ scripts: { start: 'node server.js' } }) };
    expect(detect(['server/index.js', 'client/a.css', 'server.js'], texts).plan.framework).toBe('node');
  });
});

describe('the files of a server', () => {
  const segment = fc.constantFrom(
    ...['server', 'client', 'browser', 'public', 'static', 'compute', 'default', 'prerendered', 'build', 'apps'],
    ...['.next', '.amplify-hosting', 'node_modules', '@react-router', 'serve', 'a', '..', '.env', '.git'],
  );
  const name = fc.constantFrom(
    ...['server.js', 'server.mjs', 'index.js', 'index.mjs', 'handler.js', 'entry.mjs', 'nitro.json', 'BUILD_ID'],
    ...['package.json', 'deploy-manifest.json', 'bin.cjs', 'secret.env', 'index.html', 'chunk.js'],
  );
  const path = fc
    .tuple(fc.array(segment, { maxLength: 4 }), name)
    .map(([folders, file]) => [...folders, file].join('/'));
  const PUBLIC: Readonly<Record<string, RegExp>> = {
    amplify: /^(\.amplify-hosting\/)?static\//,
    angular: /^browser\//,
    next: /^(.*\/)?(\.next\/static|public)\//,
    nitro: /^public\//,
    astro: /^(dist\/)?client\//,
    sveltekit: /^(build\/)?(client|prerendered)\//,
    'react-router': /^(build\/)?client\//,
    node: /(?!)/,
  };

  it('are never static, and no address belongs to two files', () => {
    const known = [
      ...['server/server.mjs', 'browser/a.js', 'server.js', '.next/BUILD_ID', '.next/static/a.js', 'nitro.json'],
      ...['server/index.mjs', 'server/entry.mjs', 'client/a.js', 'index.js', 'handler.js', 'server/index.js'],
      ...['node_modules/@react-router/serve/bin.cjs', 'compute/default/server.js', 'static/a.js', 'public/a.js'],
    ];
    const bundle = fc.tuple(
      fc.array(path, { maxLength: 30 }),
      fc.subarray(known),
      fc.option(fc.constant(amplify()), { freq: 3 }),
    );
    let found = 0;
    fc.assert(
      fc.property(bundle, ([others, some, manifest]) => {
        const paths = [...new Set([...others, ...some])];
        let server;
        try {
          server = detect(paths, manifest === null ? {} : { 'deploy-manifest.json': manifest });
        } catch (error) {
          expect(error instanceof NoServer || error instanceof UnsupportedServerBuild).toBe(true);
          return;
        }
        found += 1;
        const served = [...server.staticFiles];
        expect(served.map(([, file]) => file)).not.toContain(server.plan.entry);
        expect(new Set(served.map(([, file]) => file)).size).toBe(served.length);
        for (const [url, file] of served) {
          expect(paths).toContain(file);
          expect(file).toMatch(PUBLIC[server.plan.framework] as RegExp);
          expect(isIgnoredPath(url)).toBe(false);
        }
      }),
      { numRuns: 3_000 },
    );
    expect(found).toBeGreaterThan(1_000);
  });
});

describe('serverWarnings', () => {
  it('reports a server in the files of a static app', () => {
    expect(serverWarnings(['server/server.mjs', 'browser/index.html'])).toMatchObject([{ path: 'server/server.mjs' }]);
    expect(serverWarnings(['server.js', 'package.json'])).toMatchObject([{ path: 'server.js' }]);
    expect(serverWarnings(['server/index.js', 'client/a.js'])).toHaveLength(1);
  });

  it('accepts sites with scripts that have names like servers', () => {
    expect(serverWarnings(['index.html', 'index.js', 'server.js'])).toEqual([]);
    expect(serverWarnings(['index.html', 'assets/main.js'])).toEqual([]);
  });
});
