import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findPrograms, PGBOUNCER, startPgbouncer } from '@homeport/dev-services';
import { freshDatabase } from '@homeport/platform/server/testing';
import { DeployClient } from './apps/deploy-client';
import { visit } from './apps/visit';
import { settings, signIn } from './homeport';
import { type ApiProcess, type EdgeProcess, spawnApi, spawnEdge } from './product-processes';
import { until } from './suites';

const MAIN = resolve(import.meta.dirname, '../../../dist/api/apps/api/src/main.js');
const isInstalled = (await findPrograms(PGBOUNCER)) !== undefined;

/** @returns the lines of the doctor about the database. */
async function examine(DATABASE_URL: string): Promise<readonly string[]> {
  const env = { ...settings, DATABASE_URL };
  const child = spawn(process.execPath, [MAIN, 'doctor'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  return (await text(child.stdout)).split('\n').filter((line) => / database/.test(line));
}

(isInstalled ? describe : describe.skip)('the product behind PgBouncer in session mode', () => {
  const started = new AsyncDisposableStack();
  let url: string;
  let api: ApiProcess;
  let edge: EdgeProcess;
  beforeAll(async () => {
    const database = await freshDatabase();
    started.defer(() => database.drop());
    const pgbouncer = await startPgbouncer({ databaseUrl: database.url, mode: 'session' });
    started.defer(() => pgbouncer.close());
    ({ url } = pgbouncer);
    const env = { DATABASE_URL: url, DATABASE_POOL_SIZE: '8' };
    api = await spawnApi(env);
    started.defer(() => api.stop());
    edge = await spawnEdge(env);
    started.defer(() => edge.stop());
  });
  afterAll(() => started.disposeAsync());

  it('has no fault that the doctor names', async () => {
    expect((await examine(url)).filter((line) => !line.startsWith('ok '))).toEqual([]);
  });

  it('keeps jobs, locks and notifications', async () => {
    const ada = new DeployClient((await signIn('ada')).token, api.url);
    const app = await ada.register('Pooled');
    await until(async () => (await ada.app(app.id)).body.dns_status === 'dns-active');
    const bodyOf = async () => (await visit(app.url, { port: edge.port })).body;
    for (const text of ['First', 'Second']) {
      expect((await ada.deploy(app.id, { 'index.html': text })).status).toBe(201);
      // The edge has cached the site before the second deploy.
      await until(async () => (await bodyOf()) === text);
    }
    expect([api.unexpectedErrors(), edge.errorLines()]).toEqual([[], []]);
  });
});
