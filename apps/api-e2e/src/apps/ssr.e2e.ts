import { beforeAll, describe, expect, it } from '@jest/globals';
import type { App } from '@homeport/apps/contracts';
import { callJson, signIn } from '../homeport';
import { until } from '../suites';
import { DeployClient } from './deploy-client';
import { visit } from './visit';

const server = (version: string) => ({
  'server.js': `
    const { createServer } = require('node:http');
    createServer((request, response) => {
      if (request.url === '/crash') process.exit(1);
      if (request.method === 'POST') return request.pipe(response);
      response.setHeader('Content-Type', 'text/html');
      response.end('<h1>${version} at ' + request.headers['x-forwarded-host'] + '</h1> ' + process.env.GREETING);
    }).listen(process.env.PORT);`,
  'public/style.css': 'body { color: black }',
});

describe('an SSR app', () => {
  let ada: DeployClient;
  let app: App;

  const shows = (text: string) => until(async () => (await visit(app.url)).body.includes(text));

  beforeAll(async () => {
    const { token } = await signIn('ada');
    ada = new DeployClient(token);
    const body = { name: `Server ${process.pid} ${Date.now()}`, type: 'ssr' };
    const response = await callJson('/api/apps', token, 'POST', body);
    expect(response.status).toBe(201);
    app = (await response.json()) as App;
  });

  it('is answered by its server, after a start check', async () => {
    const { status, body } = await ada.deploy(app.id, server('first'));
    expect([status, body.status, body.error]).toEqual([201, 'ready', undefined]);
    await shows('<h1>first at ');
    const { hostname } = new URL(app.url);
    expect((await visit(`${app.url}/any/path`)).body).toContain(`at ${hostname}`);
    expect(await visit(`${app.url}/form`, { method: 'POST', headers: { 'content-length': '0' } })).toMatchObject({
      status: 200,
    });
  });

  it('serves no file of its server', async () => {
    expect((await visit(`${app.url}/server.js`)).body).toContain('<h1>first');
  });

  it('shows a page when its server crashes, and answers again', async () => {
    expect((await visit(`${app.url}/crash`)).status).toBe(502);
    expect((await visit(app.url)).status).toBe(200);
  });

  it('switches to a new deploy and back without a failed request', async () => {
    const statuses = new Set<number>();
    let isDone = false;
    const visitor = async () => {
      while (!isDone) statuses.add((await visit(app.url)).status);
    };
    const visitors = [visitor(), visitor(), visitor()];
    expect((await ada.deploy(app.id, server('second'))).status).toBe(201);
    await shows('<h1>second');
    expect((await ada.rollBack(app.id)).status).toBe(200);
    await shows('<h1>first');
    isDone = true;
    await Promise.all(visitors);
    expect([...statuses]).toEqual([200]);
  });

  it('restarts with a changed variable without a failed request', async () => {
    const path = `/api/apps/${app.id}/environment/GREETING`;
    expect((await callJson(path, ada.token, 'PUT', { value: 'Hello from the keyring' })).status).toBe(200);
    await until(async () => {
      const { status, body } = await visit(app.url);
      expect(status).toBe(200);
      return body.includes('Hello from the keyring');
    });
  });

  it('keeps its live deploy when a new one does not start', async () => {
    const { body } = await ada.deploy(app.id, { 'server.js': "console.error('no database'); process.exit(3);" });
    expect(JSON.stringify(body)).toContain('start-failed');
    expect((await visit(app.url)).body).toContain('<h1>first');
  });

  it('says what to do about a package that the upload does not have', async () => {
    const { body } = await ada.deploy(app.id, { 'server.js': "require('hono');" });
    expect(JSON.stringify(body)).toContain('Deploy \\"node_modules\\" too');
  });
});
