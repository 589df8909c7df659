import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App } from '@homeport/apps/contracts';
import type { EdgeOn } from '../api-on';
import { until } from '../suites';
import { Deployer } from './deploy-steps';
import { OwnPostgres } from './own-postgres';
import { Stage } from './stage';
import { visit } from './visitor';

const VISITS = 50;

describe('an edge whose PostgreSQL goes away', () => {
  let postgres: OwnPostgres;
  let stage: Stage;
  let edge: EdgeOn;
  let deployer: Deployer;
  let shop: App;

  const read = async (app: App) => {
    const { status, body } = await visit(app.url, { port: edge.port });
    return status === 200 ? body : status;
  };
  const shows = (app: App, text: string) => until(async () => (await read(app)) === text);
  const deployed = async (text: string): Promise<App> => {
    const app = await deployer.register();
    expect((await deployer.deploy(app.id, { 'index.html': text })).status).toBe(201);
    return app;
  };

  beforeAll(async () => {
    postgres = await OwnPostgres.start();
    stage = await Stage.open(postgres.url);
    await stage.embeddedDns();
    const [api, { token }] = await Promise.all([stage.api(), stage.member('away')]);
    edge = await stage.edge();
    deployer = new Deployer(token, api.url);
    shop = await deployed('as it was');
    await shows(shop, 'as it was');
  });
  afterAll(async () => {
    // A frozen one would keep the API from stopping.
    await postgres.thaw();
    await stage.close();
    await postgres.remove();
  });

  it.each([
    { how: 'frozen', leave: () => postgres.freeze(), comeBack: () => postgres.thaw() },
    { how: 'stopped', leave: () => postgres.stop(), comeBack: () => postgres.startAgain() },
  ])('$how: it serves on what it knows, and hears of changes again', async ({ how, leave, comeBack }) => {
    const unseen = await deployed('not looked at yet');
    const known = await read(shop);
    await leave();
    for (let visits = 0; visits < VISITS; visits += 1) expect(await read(shop)).toBe(known);
    expect(await read(unseen)).toBe(503);
    expect(await read(shop)).toBe(known);

    await comeBack();
    await shows(unseen, 'not looked at yet');
    const after = `after it was ${how}`;
    await until(async () => (await deployer.deploy(shop.id, { 'index.html': after })).status === 201);
    await shows(shop, after);
    expect([edge.isAlive(), edge.failures()]).toEqual([true, []]);
  });
});
