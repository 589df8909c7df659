import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aliasLabel, previewLabel } from '@homeport/hosting/contracts';
import { InMemoryBlobStore } from '@homeport/platform/server/blobs';
import { DOMAIN, type EdgeFixture, EdgeFixtures } from '../../../testing/edge-fixture';

const fixtures = new EdgeFixtures(new InMemoryBlobStore());
let fixture: EdgeFixture;
let count = 0;
const freshName = () => `domain-${process.pid}-${count++}.test`;

beforeAll(async () => {
  fixture = await fixtures.open(await fixtures.prepare());
});

afterAll(() => fixtures.drop());

describe('host names of apps', () => {
  it('show the app from the moment they are verified, and follow its deploys', async () => {
    const { app } = await fixture.opened({ 'index.html': 'one' });
    const name = freshName();
    expect((await fixture.at(name)).status).toBe(404);
    await fixture.sites.domain(name, { appId: app });
    await fixture.until(name, '/', ({ body }) => body === 'one');
    expect(await fixture.at(`${name.toUpperCase()}:8080`)).toMatchObject({ status: 200, body: 'one' });
    expect((await fixture.at(`a.${name}`)).status).toBe(404);
    await fixture.sites.show(app, { 'index.html': 'two' });
    await fixture.until(name, '/', ({ body }) => body === 'two');
    await fixture.sites.removeApp(app);
    await fixture.until(name, '/', ({ status }) => status === 404);
  });

  it.each(['suspended_at = now()', 'released_at = now()', 'verified_at = null'])(
    'are not served after %s',
    async (assignment) => {
      const { app } = await fixture.opened({ 'index.html': 'home' });
      const name = freshName();
      const id = await fixture.sites.domain(name, { appId: app });
      await fixture.until(name, '/', ({ status }) => status === 200);
      await fixture.sites.changeDomain(id, assignment);
      await fixture.until(name, '/', ({ status }) => status === 404);
    },
  );

  it('redirect to another name by any method, with path, query and port', async () => {
    const { app } = await fixture.opened({ 'index.html': 'home' });
    const name = freshName();
    const id = await fixture.sites.domain(name, { appId: app });
    await fixture.sites.changeDomain(id, `redirect_to = 'www.${name}'`);
    const redirected = await fixture.until(`${name}:8080`, '/a%20b?q=1', ({ status }) => status === 308);
    expect(redirected.headers['location']).toBe(`//www.${name}:8080/a%20b?q=1`);
    const posted = await fixture.at(name, '/form', { method: 'POST' });
    expect(posted).toMatchObject({ status: 308, headers: { location: `//www.${name}/form` } });
    await fixture.sites.changeDomain(id, 'redirect_to = null');
    await fixture.until(name, '/', ({ body }) => body === 'home');
  });

  it('show the site at the paths of the health checks, which other hosts answer', async () => {
    const { app } = await fixture.opened({ 'health/live': 'the site' });
    const name = freshName();
    await fixture.sites.domain(name, { appId: app });
    await fixture.until(name, '/health/live', ({ body }) => body === 'the site');
    expect((await fixture.at('edge.internal', '/health/live')).body).toBe('{"status":"ok"}');
  });
});

describe('base domains', () => {
  it('show each app of the organization, its previews and branches', async () => {
    const base = freshName();
    const { app, label, deploy } = await fixture.opened({ 'index.html': 'home' });
    await fixture.sites.alias(aliasLabel('main', label), app, deploy);
    expect((await fixture.at(`${label}.${base}`)).status).toBe(404);
    await fixture.sites.domain(base);
    for (const each of [label, previewLabel(deploy), aliasLabel('main', label)]) {
      await fixture.until(`${each}.${base}`, '/', ({ body }) => body === 'home');
    }
    expect((await fixture.at(base)).status).toBe(404);
    expect((await fixture.at(`a.${label}.${base}`)).status).toBe(404);
    const preview = await fixture.at(`${previewLabel(deploy)}.${base}`);
    expect(preview.headers).toMatchObject({ 'x-robots-tag': 'noindex', 'x-deploy-id': deploy });
    const later = await fixture.opened({ 'index.html': 'later' });
    await fixture.until(`${later.label}.${base}`, '/', ({ body }) => body === 'later');
  });

  it('show no app of another organization', async () => {
    const base = freshName();
    await fixture.sites.domain(base, { organization: 'globex' });
    const { label, deploy } = await fixture.opened({ 'index.html': 'home' });
    for (const each of [label, previewLabel(deploy)]) {
      expect((await fixture.at(`${each}.${base}`)).status).toBe(404);
    }
    expect((await fixture.at(`${label}.${DOMAIN}`)).status).toBe(200);
  });

  it('yield to a host name below them', async () => {
    const base = freshName();
    await fixture.sites.domain(base);
    const { label } = await fixture.opened({ 'index.html': 'by label' });
    const other = await fixture.opened({ 'index.html': 'by name' });
    await fixture.sites.domain(`${label}.${base}`, { appId: other.app });
    await fixture.until(`${label}.${base}`, '/', ({ body }) => body === 'by name');
  });
});
