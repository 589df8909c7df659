import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App, Domain } from '@homeport/apps/contracts';
import { setOwnRecord } from '@homeport/dev-services';
import { callAt } from '../homeport';
import { Installation } from '../installation';
import { until } from '../suites';
import { DeployClient } from './deploy-client';
import { freshDomain } from './own-dns';
import { visitHost } from './visit';

describe('https as npm start offers it', () => {
  let installation: Installation;
  let token: string;
  let root: Buffer;
  let app: App;

  beforeAll(async () => {
    installation = await Installation.start({ withTls: true });
    root = await installation.root();
    token = await installation.token();
    const ada = new DeployClient(token, installation.url);
    app = await ada.register('Secure');
    expect((await ada.deploy(app.id, { 'index.html': '<h1>Secure</h1>' })).status).toBe(201);
  });
  afterAll(() => installation?.close());

  /** @returns the status and the body, when the certificate is right. */
  const visit = async (host: string): Promise<[number | undefined, string]> => {
    const { tlsPort: port } = installation;
    const options = { host: '127.0.0.1', port, servername: host, ca: root, headers: { host }, agent: false } as const;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(options, resolve).once('error', reject).end();
    });
    return [response.statusCode, await text(response)];
  };
  const opens = (host: string) =>
    visit(host).then(
      () => true,
      () => false,
    );
  const call = async (path: string, method = 'GET', body?: object) => {
    const headers = { 'content-type': 'application/json' };
    const more = body ? { method, headers, body: JSON.stringify(body) } : { method };
    return (await (await callAt(installation.url, path, { token, ...more })).json()) as Domain;
  };

  it('gets a certificate for the apps below the platform domain', async () => {
    await until(() => opens(app.hostname));
    expect(await visit(app.hostname)).toEqual([200, '<h1>Secure</h1>']);
    // Browsers treat localhost as secure, so that http stays usable without trusting the root.
    expect((await visitHost(app.hostname, '/', { port: installation.edgePort })).status).toBe(200);
  });

  it('gets a certificate for an own domain, and redirects http there', async () => {
    const name = `www.${freshDomain()}`;
    const wanted = { kind: 'hostname', name, app_id: app.id, accept_price_usd: 10 };
    const { id, records } = await call('/api/domains', 'POST', wanted);
    for (const each of records) await setOwnRecord(installation.env, each.name, each.type, [each.value]);
    await until(async () => (await call(`/api/domains/${id}`)).certificate === 'active');
    expect(await call(`/api/domains/${id}`)).toMatchObject({ status: 'active', certificate: 'active' });
    await until(() => opens(name));
    expect(await visit(name)).toEqual([200, '<h1>Secure</h1>']);
    const shown = (await (await callAt(installation.url, `/api/apps/${app.id}`, { token })).json()) as App;
    expect(shown.addresses.map(({ url }) => url)).toContain(`https://${name}:${installation.tlsPort}`);
    const plain = await visitHost(name, '/a?b', { port: installation.edgePort });
    expect([plain.status, plain.headers['location']]).toEqual([308, `https://${name}:${installation.tlsPort}/a?b`]);
  });

  it('gets one certificate for all hosts below a base domain', async () => {
    const name = freshDomain();
    const { id, records } = await call('/api/domains', 'POST', { kind: 'base', name, accept_price_usd: 50 });
    for (const each of records) await setOwnRecord(installation.env, each.name, each.type, [each.value]);
    await until(async () => (await call(`/api/domains/${id}`)).certificate === 'active');
    const host = `${app.subdomain}.${name}`;
    await until(() => opens(host));
    expect(await visit(host)).toEqual([200, '<h1>Secure</h1>']);
  });

  it('has no certificate for other hosts', async () => {
    await expect(visit('www.example.com')).rejects.toThrow(/alert/);
  });
});
