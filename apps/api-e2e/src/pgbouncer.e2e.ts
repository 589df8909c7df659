import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findPrograms, PGBOUNCER, type RunningPgbouncer, startPgbouncer } from '@homeport/dev-services';
import { type FreshDatabase, freshDatabase } from '@homeport/platform/server/testing';
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

(isInstalled ? describe : describe.skip)('PgBouncer in front of PostgreSQL', () => {
  const closers: (() => Promise<unknown>)[] = [];
  let database: FreshDatabase;
  beforeAll(async () => {
    database = await freshDatabase();
    closers.push(() => database.drop());
  });
  afterAll(async () => {
    for (const close of closers.toReversed()) await close();
  });
  const open = async (mode: 'session' | 'transaction'): Promise<RunningPgbouncer> => {
    const pgbouncer = await startPgbouncer({ databaseUrl: database.url, mode });
    closers.push(() => pgbouncer.close());
    return pgbouncer;
  };

  it('in transaction mode is a fault that the doctor names', async () => {
    const { url } = await open('transaction');
    const faults = (await examine(url)).filter((line) => !line.startsWith('ok '));
    expect(faults).toEqual([
      'fault    database-sessions     A pooler in front of PostgreSQL shares sessions between connections, which loses ' +
        'locks and notifications. Set DATABASE_URL to PostgreSQL itself, or set the pooler to session mode ' +
        '(pool_mode = session in PgBouncer).',
    ]);
  });

  describe('in session mode', () => {
    let api: ApiProcess;
    let edge: EdgeProcess;
    let url: string;
    beforeAll(async () => {
      ({ url } = await open('session'));
      const env = { DATABASE_URL: url, DATABASE_POOL_SIZE: '8' };
      api = await spawnApi(env);
      closers.push(() => api.stop());
      edge = await spawnEdge(env);
      closers.push(() => edge.stop());
    });

    it('is no fault for the doctor', async () => {
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
});
