import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InMemoryBlobStore } from '@homeport/platform/server/blobs';
import { AUTHORITY, DOMAIN, type EdgeFixture, EdgeFixtures } from '../../../testing/edge-fixture';
import type { Protocol } from '../../../testing/visit';

const fixtures = new EdgeFixtures(new InMemoryBlobStore());
const CHALLENGE = '/.well-known/acme-challenge/';
const STRICT = 'strict-transport-security';
let fixture: EdgeFixture;
let count = 0;
const freshName = () => `https-${process.pid}-${count++}.test`;

beforeAll(async () => {
  const url = await fixtures.prepare();
  fixture = await fixtures.open(url, { tls: true });
});

afterAll(() => fixtures.drop());

describe('requests by plain HTTP', () => {
  it('are redirected to https from the moment the host has a certificate, by any method', async () => {
    const name = freshName();
    const { app } = await fixture.opened({ 'index.html': 'home' });
    const claimId = await fixture.sites.domain(name, { appId: app });
    await fixture.until(name, '/', ({ body }) => body === 'home');
    const id = await fixture.certificates.add(AUTHORITY.issue([name]), { claimId });
    const { headers } = await fixture.until(name, '/a%20b?q=1', ({ status }) => status === 308);
    expect(headers.location).toBe(`https://${name}/a%20b?q=1`);
    const posted = await fixture.at(`${name.toUpperCase()}:${fixture.port}`, '/form', { method: 'POST' });
    expect(posted).toMatchObject({ status: 308, headers: { location: `https://${name}:${fixture.tlsPort}/form` } });
    expect((await fixture.secure(name)).body).toBe('home');
    await fixture.certificates.remove(id);
    await fixture.until(name, '/', ({ body }) => body === 'home');
  });

  it('are not redirected at localhost, at other hosts, and for health checks', async () => {
    const name = freshName();
    const { host } = await fixture.opened({ 'index.html': 'home' });
    const id = await fixture.certificates.add(AUTHORITY.issue([`*.${DOMAIN}`]));
    await fixture.openedAt(name, { 'health/live': 'the site' });
    await fixture.until(name, '/', ({ status }) => status === 308);
    expect((await fixture.at(host)).body).toBe('home');
    expect((await fixture.at('127.0.0.1', '/health/live')).body).toBe('{"status":"ok"}');
    expect((await fixture.at('edge.internal', '/health/ready')).status).toBe(200);
    expect((await fixture.at(name, '/health/live')).body).toBe('the site');
    await fixture.certificates.remove(id);
  });

  it('are served when a trusted proxy received them by https', async () => {
    const name = freshName();
    await fixture.openedAt(name);
    const proxied = await fixtures.open(fixtures.url, { tls: true, trustedProxies: ['127.0.0.1'] });
    await proxied.until(name, '/', ({ status }) => status === 308);
    const headers = { 'x-forwarded-proto': 'https' };
    expect((await proxied.at(name, '/', { headers })).body).toBe('home');
    expect((await fixture.at(name, '/', { headers })).status).toBe(308);
  });
});

describe('HTTP-01 challenges', () => {
  it('are answered at the host with the token, before every redirect', async () => {
    const name = freshName();
    await fixture.openedAt(name, { '.well-known/acme-challenge/own': 'of the site' });
    await fixture.certificates.challenge({ name, type: 'http-01', token: 'Tok-en_1', value: 'Tok-en_1.thumb' });
    const answer = await fixture.at(name.toUpperCase(), `${CHALLENGE}Tok-en_1`);
    expect(answer).toMatchObject({ status: 200, body: 'Tok-en_1.thumb', headers: { 'cache-control': 'no-store' } });
    expect((await fixture.secure(name, `${CHALLENGE}Tok-en_1`)).status).toBe(404);
    expect((await fixture.at(freshName(), `${CHALLENGE}Tok-en_1`)).status).toBe(404);
    expect((await fixture.at(name, `${CHALLENGE}tok-en_1`)).status).toBe(308);
    expect((await fixture.at(name, `${CHALLENGE}../acme-challenge/Tok-en_1`)).status).toBe(308);
    expect((await fixture.secure(name, `${CHALLENGE}own`)).body).toBe('of the site');
  });

  it('are not answered after they have expired', async () => {
    const name = freshName();
    await fixture.certificates.challenge({ name, type: 'http-01', token: 'old', value: 'old.thumb' }, '-1 second');
    await fixture.certificates.challenge({ name, type: 'tls-alpn-01', value: 'alpn.thumb' });
    expect((await fixture.at(name, `${CHALLENGE}old`)).status).toBe(404);
    expect((await fixture.at(name, CHALLENGE)).status).toBe(404);
  });
});

describe.each<Protocol>(['http/1.1', 'h2'])('requests over TLS by %s', (protocol) => {
  const secure: EdgeFixture['secure'] = (host, target, options) =>
    fixture.secure(host, target, { protocol, ...options });

  it('announce HSTS where the owner of the domain wants it', async () => {
    const name = freshName();
    const rules = { redirects: [], headers: [{ path: '/own', headers: [[STRICT, 'max-age=1'] as const] }] };
    const { claimId } = await fixture.openedAt(name, { 'index.html': 'home', own: 'own' }, rules);
    expect((await secure(name)).headers[STRICT]).toBeUndefined();
    await fixture.sites.changeDomain(claimId, 'hsts = true');
    while ((await secure(name)).headers[STRICT] === undefined);
    const { headers } = await secure(name, '/none');
    expect(headers).toMatchObject({ [STRICT]: 'max-age=63072000', 'x-content-type-options': 'nosniff' });
    expect((await secure(name, '/own')).headers[STRICT]).toBe('max-age=1');
    expect((await fixture.at(name)).headers[STRICT]).toBeUndefined();
    await fixture.sites.changeDomain(claimId, 'hsts = false');
    while ((await secure(name)).headers[STRICT] !== undefined);
  });

  it('are misdirected when the host has another certificate than the connection', async () => {
    const [one, two, base] = [freshName(), freshName(), freshName()];
    await fixture.openedAt(one);
    await fixture.openedAt(two);
    const misdirected = { status: 421 };
    expect(await secure(two, '/', { servername: one })).toMatchObject(misdirected);
    expect(await secure('127.0.0.1', '/', { servername: one })).toMatchObject(misdirected);
    expect(await secure('unknown.test', '/', { servername: one })).toMatchObject(misdirected);
    const shop = await fixture.opened({ 'index.html': 'shop' });
    const blog = await fixture.opened({ 'index.html': 'blog' });
    const claimId = await fixture.sites.domain(base);
    await fixture.certificates.add(AUTHORITY.issue([`*.${base}`]), { claimId });
    const shared = await secure(`${blog.label}.${base}`, '/', { servername: `${shop.label}.${base}` });
    expect(shared).toMatchObject({ status: 200, body: 'blog' });
  });

  it('get rules, redirects of domains and 304 like those by plain HTTP', async () => {
    const name = freshName();
    const { claimId } = await fixture.openedAt(name, { 'index.html': 'home' });
    const first = await secure(name);
    const headers = { 'if-none-match': first.headers.etag };
    expect((await secure(name, '/', { headers })).status).toBe(304);
    expect((await secure(name, '/', { method: 'POST' })).status).toBe(405);
    await fixture.sites.changeDomain(claimId, `redirect_to = 'www.${name}'`);
    while ((await secure(name)).status !== 308);
    expect((await secure(name, '/a?b')).headers.location).toBe(`//www.${name}/a?b`);
  });
});
