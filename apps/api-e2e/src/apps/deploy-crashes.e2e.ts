import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App, Deploy, DeployList } from '@homeport/apps/contracts';
import type { EdgeProcess } from '../product-processes';
import { suiteSize, randomFrom, seed, until } from '../suites';
import { ApiPair } from './api-pair';
import { DeployClient } from './deploy-client';
import type { MemberClient } from './member-client';
import { SiteReader, DeployWorkload } from './deploy-workload';
import { ApiFixture } from './api-fixture';

const KILLS = suiteSize(1, 300);
const APPS = 4;
const MAX_RESPONSES_BETWEEN = 12;
const KEEP_ALL = { DEPLOYS_KEPT: '10000' };

describe('killing one of two APIs during uploads and activations', () => {
  const workloads: DeployWorkload[] = [];
  const readers: SiteReader[] = [];
  const pair = new ApiPair({
    start: () => fixture.api(KEEP_ALL),
    random: randomFrom(seed),
    maxResponsesBetween: MAX_RESPONSES_BETWEEN,
  });
  let fixture: ApiFixture;
  let edge: EdgeProcess;
  let member: MemberClient;

  beforeAll(async () => {
    fixture = await ApiFixture.open();
    await fixture.embeddedDns();
    await pair.open();
    edge = await fixture.edge();
    member = await fixture.member('northwind');
    for (let n = 0; n < APPS; n += 1) {
      const { body: app } = await member.register(pair.url(0), `Train ${n}`);
      const workload = new DeployWorkload(app, member.token, randomFrom(seed + n));
      expect(await workload.step(pair.url(0))).toBe(true);
      workloads.push(workload);
      readers.push(new SiteReader(app, edge.port));
    }
    for (const reader of readers) await reader.read();
  });
  afterAll(() => fixture.close());

  const deployer = () => new DeployClient(member.token, pair.url(0));
  const deploysOf = async (app: App) => {
    const all: Deploy[] = [];
    let cursor: string | null = null;
    do {
      const page: DeployList = (await deployer().list(app.id, cursor === null ? '' : `?cursor=${cursor}`)).body;
      all.push(...page.items);
      cursor = page.next_cursor;
    } while (cursor !== null);
    return all;
  };

  it(`never serves a mix of two deploys or a partial deploy, ${KILLS} times`, async () => {
    const callers = workloads.map((workload) => (base: string) => workload.step(base));
    let isOver = false;
    let restarting: Promise<void> = Promise.resolve();
    const reading = Promise.all(
      readers.map(async (reader, n) => {
        while (!isOver) {
          await reader.read();
          // Only one reader continues while an API starts, because starting already loads the machine.
          if (n > 0) await restarting;
        }
      }),
    );
    try {
      for (let kills = 0; kills < KILLS; kills += 1) {
        restarting = pair.restart(await pair.crash(callers));
        await restarting;
      }
    } finally {
      isOver = true;
      await reading;
    }
    expect([
      workloads.flatMap(({ violations }) => violations),
      readers.flatMap(({ violations }) => violations),
    ]).toEqual([[], []]);
    for (const { seen } of readers) expect(seen.size).toBeGreaterThan(1);
    expect([edge.isAlive(), edge.errorLines()]).toEqual([true, []]);
    console.info(
      `${KILLS} crashes: ${pair.answers} responses, ${pair.lost} lost, ${readers.reduce((sum, { pages }) => sum + pages, 0)} pages read`,
    );
  }, 7_200_000);

  it('knows the outcome of every deploy', async () => {
    await until(async () => {
      const all = (await Promise.all(workloads.map(({ app }) => deploysOf(app)))).flat();
      return all.every(({ status }) => status !== 'uploading' && status !== 'processing');
    });
    for (const { app, ready } of workloads) {
      const deploys = await deploysOf(app);
      const counted = deploys.filter(({ status }) => status === 'ready').map(({ id }) => id);
      expect(counted).toEqual(expect.arrayContaining([...ready.values()]));
      const { body } = await deployer().app(app.id);
      expect(body.deploy_count).toBe(counted.length);
      expect(counted).toContain(body.active_deploy_id);
    }
  });
});
