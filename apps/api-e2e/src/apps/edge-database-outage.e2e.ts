import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App } from '@homeport/apps/contracts';
import type { EdgeProcess } from '../product-processes';
import { suiteSize, until } from '../suites';
import { Traffic } from '../traffic';
import { DeployClient } from './deploy-client';
import { DedicatedPostgres } from './dedicated-postgres';
import { ApiFixture } from './api-fixture';
import { visit } from './visit';

const OUTAGE_MS = suiteSize(4_000, 20_000);
const VISITORS = 24;

describe('an edge during an outage of PostgreSQL', () => {
  let postgres: DedicatedPostgres;
  let fixture: ApiFixture;
  let edge: EdgeProcess;
  let deployer: DeployClient;
  let shop: App;

  const read = async (app: App) => {
    const { status, body } = await visit(app.url, { port: edge.port });
    return status === 200 ? body : status;
  };
  /** Visits the app repeatedly for a time, and expects that no visit fails. @returns the number of visits. */
  const visitFor = async (durationMs: number, app: App) => {
    const call = { method: 'GET', path: '/', headers: { host: new URL(app.url).host }, expected: [200] } as const;
    const traffic = new Traffic(edge.port, VISITORS, () => call);
    await pause(durationMs);
    await traffic.stop();
    expect(Object.fromEntries(traffic.failed)).toEqual({});
    return traffic.answered;
  };
  const shows = (app: App, text: string) => until(async () => (await read(app)) === text);
  const deployed = async (text: string): Promise<App> => {
    const app = await deployer.register();
    expect((await deployer.deploy(app.id, { 'index.html': text })).status).toBe(201);
    return app;
  };

  beforeAll(async () => {
    postgres = await DedicatedPostgres.start();
    fixture = await ApiFixture.open(postgres.url);
    await fixture.embeddedDns();
    // The edge waits for the tables that the API creates.
    const [api, { token }, started] = await Promise.all([fixture.api(), fixture.member('away'), fixture.edge()]);
    edge = started;
    deployer = new DeployClient(token, api.url);
    shop = await deployed('as it was');
    await shows(shop, 'as it was');
  });
  afterAll(async () => {
    // A frozen PostgreSQL would keep the API from stopping.
    await postgres.thaw();
    await fixture.close();
    await postgres.remove();
  });

  it.each([
    { how: 'frozen', interrupt: () => postgres.freeze(), recover: () => postgres.thaw() },
    { how: 'stopped', interrupt: () => postgres.stop(), recover: () => postgres.restart() },
  ])(
    '$how: it serves cached sites without a wait, and receives changes again after the recovery',
    async ({ how, interrupt, recover }) => {
      const unseen = await deployed('not looked at yet');
      const known = await read(shop);
      const half = OUTAGE_MS / 2;
      const visits = await visitFor(half / 10, shop);
      await interrupt();
      // The edge notices the outage in the first half.
      await visitFor(half, shop);
      // A tenth of the rate leaves room for a busy machine. Visits that wait for PostgreSQL are much slower.
      expect(await visitFor(half, shop)).toBeGreaterThan(visits);
      expect(await read(shop)).toBe(known);
      expect(await read(unseen)).toBe(503);
      expect(await read(shop)).toBe(known);

      await recover();
      await shows(unseen, 'not looked at yet');
      const after = `after it was ${how}`;
      await until(async () => (await deployer.deploy(shop.id, { 'index.html': after })).status === 201);
      await shows(shop, after);
      expect([edge.isAlive(), edge.errorLines()]).toEqual([true, []]);
    },
  );
});
