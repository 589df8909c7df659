import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App } from '@homeport/apps/contracts';
import type { ApiProcess, EdgeProcess } from '../product-processes';
import { randomFrom, seed, suiteSize, until } from '../suites';
import { ApiFixture } from './api-fixture';
import { DeployClient } from './deploy-client';
import { DigestDeployClient } from './digest-deploy-client';
import type { MemberClient } from './member-client';
import { visit } from './visit';

const KILLS = suiteSize(1, 50);
const FILES = 12;
/** The manifest, the files and the page, and the request that finishes the deploy. */
const REQUESTS = FILES + 3;
/** Turns of the event loop between a request and the end of its API: it may get any part of the work done. */
const MAX_TURNS = 400;

interface Crash {
  readonly kill: () => Promise<void>;
  /** Index of the request during which the API is killed. */
  readonly request: number;
  readonly turns: number;
}

/** Kills the API some turns of the event loop after a request began. */
class KillingClient extends DigestDeployClient {
  #requests = 0;

  constructor(
    token: string,
    base: string,
    private readonly crash: Crash,
  ) {
    super(token, base);
  }

  protected override async onRequest(): Promise<void> {
    if (this.#requests++ !== this.crash.request) return;
    for (let turn = 0; turn < this.crash.turns; turn += 1) await new Promise(setImmediate);
    await this.crash.kill();
  }
}

describe('killing the API during deploys by digest', () => {
  const random = randomFrom(seed);
  let fixture: ApiFixture;
  let api: ApiProcess;
  let edge: EdgeProcess;
  let member: MemberClient;
  let app: App;

  beforeAll(async () => {
    fixture = await ApiFixture.open();
    await fixture.embeddedDns();
    api = await fixture.api();
    edge = await fixture.edge();
    member = await fixture.member('northwind');
    ({ body: app } = await member.register(api.url, 'Digest crashes'));
  });
  afterAll(() => fixture.close());

  const freshSite = () => {
    const version = randomUUID();
    const files = Array.from({ length: FILES }, (_, i) => [`chunk-${i}.js`, `export default '${version} ${i}'`]);
    return { version, site: { ...Object.fromEntries(files), 'index.html': version } as Record<string, string> };
  };

  it(`ends right when the deploy is repeated, and needs nothing twice that had arrived, ${KILLS} times`, async () => {
    let interrupted = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const { version, site } = freshSite();
      const [request, turns] = [Math.floor(random() * REQUESTS), Math.floor(random() * MAX_TURNS)];
      const killed = new KillingClient(member.token, api.url, { kill: () => api.kill(), request, turns });
      const first = await killed.deploy(app.id, site).catch(() => undefined);
      if (first?.status !== 200) interrupted += 1;
      await api.kill();
      expect(api.unexpectedErrors()).toEqual([]);
      api = await fixture.api();
      const repeating = new DigestDeployClient(member.token, api.url);
      const { status, body } = await repeating.deploy(app.id, site);
      expect([status, body.status, body.file_count, body.activation.activated]).toEqual([
        200,
        'ready',
        FILES + 1,
        true,
      ]);
      const twice = repeating.acknowledged.filter((digest) => killed.acknowledged.includes(digest));
      expect([request, turns, twice]).toEqual([request, turns, []]);
      const deployer = new DeployClient(member.token, api.url);
      expect((await deployer.app(app.id)).body.active_deploy_id).toBe(body.id);
      await until(async () => (await visit(app.url, { port: edge.port })).body === version);
      for (const [path, content] of Object.entries(site)) {
        expect((await visit(`${app.url}/${path}`, { port: edge.port })).body).toBe(content);
      }
    }
    console.info(`${KILLS} crashes, ${interrupted} of them before the deploy had ended`);
  }, 7_200_000);

  it('counts every deploy that became ready, once', async () => {
    const deployer = new DeployClient(member.token, api.url);
    const { items } = (await deployer.list(app.id, '?limit=1000')).body;
    const ready = items.filter(({ status }) => status === 'ready' || status === 'archived');
    expect((await deployer.app(app.id)).body.deploy_count).toBe(ready.length);
    expect(items.filter(({ status }) => !['ready', 'archived', 'uploading'].includes(status))).toEqual([]);
  });
});
