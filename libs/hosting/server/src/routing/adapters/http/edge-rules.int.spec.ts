import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseHeaders, parseRedirects, previewLabel } from '@homeport/hosting/contracts';
import { DOMAIN, type EdgeFixture, EdgeFixtures } from '../../../testing/edge-fixture';
import { InMemoryBlobStore } from '@homeport/platform/server/blobs';

const fixtures = new EdgeFixtures(new InMemoryBlobStore());
let fixture: EdgeFixture;

beforeAll(async () => {
  fixture = await fixtures.open(await fixtures.prepare());
});

afterAll(() => fixtures.drop());

const rulesOf = ({ redirects = '', headers = '' }) => ({
  redirects: parseRedirects(redirects).rules,
  headers: parseHeaders(headers).rules,
});

const REVALIDATE = 'public, max-age=0, must-revalidate';
const REDIRECTS = `
/old/*         /new/:splat
/moved         https://example.com/here  302
/post/:id      /posts?number=:id  307
/b             /never
/search q=:q   /found/:q  303
/app/*         /app.html  200
/secret/*      /hidden.html  404
/ghost         /not-there.html  200
`;

describe('_redirects', () => {
  const files = {
    'index.html': 'home',
    'b.html': 'page b',
    'app.html': 'the app',
    'app/real.txt': 'real',
    'hidden.html': 'hidden',
    '404.html': 'not here',
  };

  it('never serves an immutable response at a rewritten address', async () => {
    const redirects = '/app.js /app-5QK3VKWS.js 200';
    const { get } = await fixture.opened({ 'app-5QK3VKWS.js': 'code' }, rulesOf({ redirects }));
    expect(await get('/app.js')).toMatchObject({ body: 'code', headers: { 'cache-control': REVALIDATE } });
    expect((await get('/app-5QK3VKWS.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  it('applies to missing files, and before the 404 page', async () => {
    const { get, open, deploy } = await fixture.opened(files, rulesOf({ redirects: REDIRECTS }));
    const sent = async (target: string) => {
      const { status, headers } = await get(target);
      return `${status} ${headers.location}`;
    };
    expect(await sent('/old/a/b?x=1')).toBe('301 /new/a/b?x=1');
    expect(await sent('/moved')).toBe('302 https://example.com/here');
    expect(await sent('/post/7')).toBe('307 /posts?number=7');
    expect(await sent('/old//evil.example')).toMatch(/^301 \/new/);
    const redirect = await open('/old/a');
    expect(redirect.headers).toMatchObject({ 'cache-control': REVALIDATE });
    expect(redirect.headers['x-deploy-id']).toBeUndefined();
    const preview = await fixture.at(`${previewLabel(deploy)}.${DOMAIN}`, '/old/a');
    expect(preview).toMatchObject({ status: 301, headers: { 'x-deploy-id': deploy, 'x-robots-tag': 'noindex' } });
    expect((await get('/b')).body).toBe('page b');
    expect((await get('/app/real.txt')).body).toBe('real');
  });

  it('may serve another file, for every kind of request', async () => {
    const { get, open } = await fixture.opened(files, rulesOf({ redirects: REDIRECTS }));
    expect(await get('/app/orders/7')).toMatchObject({ status: 200, body: 'the app' });
    expect((await get('/app/x-ABCDEFGH.js')).headers['cache-control']).toBe(REVALIDATE);
    expect(await open('/secret/x')).toMatchObject({ status: 404, body: 'hidden' });
    expect(await get('/ghost')).toMatchObject({ status: 404, body: 'not here' });
  });

  it('may require a query parameter, and handles each query separately', async () => {
    const { get } = await fixture.opened(
      { ...files, 'found.html': 'x' },
      rulesOf({ redirects: `${REDIRECTS}\n/shown on=1 /hidden.html 200` }),
    );
    for (let i = 0; i < 2; i++) {
      expect((await get('/search?q=shoes')).headers.location).toBe('/found/shoes');
      expect((await get('/search')).status).toBe(404);
      expect((await get('/shown?on=1')).body).toBe('hidden');
      expect((await get('/shown?on=2')).status).toBe(404);
    }
  });
});

describe('_headers', () => {
  it('adds header fields to every response for a file', async () => {
    const rules = rulesOf({
      headers:
        '/*\n  X-Frame-Options: DENY\n  Cache-Control: public, max-age=60\n/a.txt\n  Link: </b>; rel=preload\n  Content-Type: text/x-a',
    });
    const { get } = await fixture.opened({ 'a.txt': 'a', 'index.html': 'home', '404.html': 'not here' }, rules);
    expect((await get('/a.txt')).headers).toMatchObject({
      'x-frame-options': 'DENY',
      'cache-control': 'public, max-age=60',
      link: '</b>; rel=preload',
      'content-type': 'text/x-a',
      'x-content-type-options': 'nosniff',
    });
    const { headers } = await get('/');
    expect(headers['link']).toBeUndefined();
    const again = await get('/', { 'if-none-match': headers.etag as string });
    expect(again).toMatchObject({ status: 304, headers: { 'x-frame-options': 'DENY' } });
    expect((await get('/missing')).headers['x-frame-options']).toBe('DENY');
  });

  it('never sets cookies or framing headers', async () => {
    const rules = {
      redirects: [],
      headers: [
        {
          path: '/*',
          headers: [
            ['set-cookie', 'a=b'],
            ['content-length', '1'],
            ['transfer-encoding', 'chunked'],
            ['x-robots-tag', 'all'],
          ] as const,
        },
      ],
    };
    const { deploy, get } = await fixture.opened({ 'index.html': 'home' }, rules);
    const { headers, body } = await get('/');
    expect(body).toBe('home');
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['x-robots-tag']).toBe('all');
    expect((await fixture.at(`${previewLabel(deploy)}.${DOMAIN}`)).headers['x-robots-tag']).toBe('noindex');
  });
});
