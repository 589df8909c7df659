import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App, Domain } from '@homeport/apps/contracts';
import { CADDY, findPrograms, freePort, type RunningCaddy, startCaddy } from '@homeport/dev-services';
import { type ApiProcess, type EdgeProcess, spawnApi, spawnEdge } from '../product-processes';
import { callJson, signIn } from '../homeport';
import { until } from '../suites';
import { DeployClient } from './deploy-client';
import { createRecords, freshDomain } from './own-dns';
import { visitHost } from './visit';

/** `npm test` reports missing programs; in CI that is a failure. */
const withCaddy = (await findPrograms(CADDY)) ? it : it.skip;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

describe('the management port', () => {
  let api: ApiProcess;
  let port: number;
  let app: App;
  let own: string;
  let pending: string;

  const ask = async (query: string) => (await fetch(`http://127.0.0.1:${port}/internal/tls/ask${query}`)).status;

  beforeAll(async () => {
    port = await freePort();
    api = await spawnApi({ MANAGEMENT_PORT: String(port) });
    const { token } = await signIn('ada');
    const ada = new DeployClient(token);
    app = await ada.register('Behind Caddy');
    expect((await ada.deploy(app.id, { 'index.html': '<h1>Behind Caddy</h1>' })).status).toBe(201);
    [own, pending] = [`www.${freshDomain()}`, `www.${freshDomain()}`];
    const add = async (name: string) => {
      const body = { kind: 'hostname', name, app_id: app.id, accept_price_usd: 10 };
      return (await (await callJson('/api/domains', token, 'POST', body)).json()) as Domain;
    };
    await createRecords((await add(own)).records);
    await add(pending);
    await until(async () => (await ask(`?domain=${own}`)) === 200);
  });
  afterAll(() => api?.stop());

  it('permits certificates for the hosts of sites', async () => {
    for (const host of [app.hostname, app.hostname.toUpperCase(), `${app.hostname}.`, own]) {
      expect([host, await ask(`?domain=${host}`)]).toEqual([host, 200]);
    }
  });

  it('permits no others', async () => {
    const platform = app.hostname.slice(app.hostname.indexOf('.') + 1);
    const hosts = [pending, `a.${own}`, `nothing-here.${platform}`, platform, `a.b.${platform}`, `*.${platform}`];
    const others = ['example.com', '127.0.0.1', '[::1]', 'localhost', '', "'; select 1", `${'a'.repeat(64)}.test`];
    for (const host of [...hosts, ...others]) {
      expect([host, await ask(`?domain=${encodeURIComponent(host)}`)]).toEqual([host, 404]);
    }
  });

  it('explains questions that it cannot answer', async () => {
    expect(await ask('')).toBe(400);
    expect(await ask('?domain=a.test&domain=b.test')).toBe(400);
    const at = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method });
    expect((await at('/internal/tls/ask?domain=a.test', 'POST')).status).toBe(405);
    for (const path of ['/', '/api/apps', `/api/deploys/${UNKNOWN}`]) expect((await at(path)).status).toBe(404);
  });

  it('has routes that the public port does not have', async () => {
    // The client shows that the page does not exist.
    const publicAnswer = await fetch(`${api.url}/internal/tls/ask?domain=${own}`);
    expect(publicAnswer.headers.get('content-type')).toMatch(/^text\/html/);
  });

  withCaddy('lets Caddy serve the sites over https, and no other hosts', async () => {
    const edge: EdgeProcess = await spawnEdge({ TRUSTED_PROXIES: '127.0.0.1/32' });
    let caddy: RunningCaddy | undefined;
    try {
      const question = `http://127.0.0.1:${port}/internal/tls/ask`;
      caddy = await startCaddy({ edge: `127.0.0.1:${edge.port}`, ask: question });
      const ca = await caddy.issuingRoot();
      for (const host of [app.hostname, own]) {
        expect(await visitSecurely(host, caddy.port, ca)).toEqual([200, '<h1>Behind Caddy</h1>']);
      }
      await expect(visitSecurely(pending, caddy.port, ca)).rejects.toThrow(/alert/);
      const plain = await visitHost(own, '/a?b', { port: caddy.httpPort });
      expect([plain.status, plain.headers['location']]).toEqual([308, expect.stringMatching(`^https://${own}`)]);
    } finally {
      await caddy?.close();
      await edge.stop();
    }
  });
});

async function visitSecurely(host: string, port: number, ca: string): Promise<[number | undefined, string]> {
  const options = { host: '127.0.0.1', port, servername: host, ca, headers: { host }, agent: false } as const;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(options, resolve).once('error', reject).end();
  });
  return [response.statusCode, await text(response)];
}
