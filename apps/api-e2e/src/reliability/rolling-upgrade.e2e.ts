import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findPrograms, HAPROXY } from '@homeport/dev-services';
import { freshDatabase } from '@homeport/platform/server/testing';
import { ApiFixture } from '../apps/api-fixture';
import { haproxy } from '../load-balancers';
import { PAUSE_MS, Traffic, type TrafficCall } from '../traffic';
import { buildNextRelease, type NextRelease } from './next-release';
import { queryOnce } from './query-once';
import { TwoOfEach } from './two-of-each';

/** Clients of the API, of a static site and of an SSR app: 200 in all. */
const CLIENTS = { api: 80, sites: 60, servers: 60 };
/** Twelve restarts with the notice period of production. */
const TIME_LIMIT_MS = 900_000;
const withHaproxy = (await findPrograms(HAPROXY)) ? describe : describe.skip;

withHaproxy('two API, two edge and two runtime instances behind HAProxy', () => {
  const started = new AsyncDisposableStack();
  let databaseUrl: string;
  let product: TwoOfEach;
  let next: NextRelease;

  beforeAll(async () => {
    const database = await freshDatabase();
    databaseUrl = database.url;
    started.defer(() => database.drop());
    const fixture = await ApiFixture.open(databaseUrl);
    started.defer(() => fixture.close());
    await fixture.embeddedDns();
    next = await buildNextRelease();
    started.defer(() => next.remove());
    product = await TwoOfEach.start({ fixture, balancer: haproxy });
    started.defer(() => product.close());
  });
  afterAll(() => started.disposeAsync());

  /** Of ten calls: three `PUT`, two that read the database, five `GET`. */
  function apiCall(client: number, count: number): TrafficCall {
    const path = `/api/files/rolling/${client}.txt`;
    const turn = count % 10;
    if (turn === 0 || turn === 4 || turn === 8) {
      return { ...product.call('PUT', path, `${client} ${count}`), expected: [200, 201] };
    }
    const apps = turn === 2 ? '/api/apps' : `/api/apps/${product.site.id}`;
    return { ...product.call('GET', turn === 2 || turn === 6 ? apps : path), expected: [200] };
  }

  /** Registers and deletes apps, one after the other. */
  async function changeApps(isOver: () => boolean): Promise<string[]> {
    const { member, base } = product;
    const outcomes: string[] = [];
    for (let count = 0; !isOver(); count += 1) {
      const registered = await member.register(base, `change ${count}`);
      const deleted = await member.delete(base, registered.body.id);
      const codes = [registered.body, deleted.body].map((body) => ('code' in body ? ` ${String(body.code)}` : ''));
      outcomes.push(`${registered.status}${codes[0]} ${deleted.status}${codes[1]}`);
    }
    return outcomes;
  }

  /** Does the work under load, and expects that no request fails. */
  async function underLoad(work: () => Promise<void>): Promise<void> {
    const { apiBalancer, edgeBalancer, site, server } = product;
    const traffic = [
      new Traffic(apiBalancer.port, CLIENTS.api, apiCall, { maxPauseMs: PAUSE_MS }),
      new Traffic(edgeBalancer.port, CLIENTS.sites, () => product.visit(site), { maxPauseMs: PAUSE_MS }),
      new Traffic(edgeBalancer.port, CLIENTS.servers, () => product.visit(server), { maxPauseMs: PAUSE_MS }),
    ];
    let isOver = false;
    const changes = changeApps(() => isOver);
    try {
      await work();
    } finally {
      isOver = true;
      await Promise.all([changes, ...traffic.map((each) => each.stop())]);
    }
    const outcomes = await changes;
    const failed = traffic.map((each) => Object.fromEntries(each.failed));
    const answered = traffic.map((each) => each.answered);
    console.info(`${answered.join(' + ')} answered, ${outcomes.length} apps registered and deleted`);
    expect([failed, outcomes.filter((outcome) => outcome !== '201 200')]).toEqual([[{}, {}, {}], []]);
    for (const count of answered) expect(count).toBeGreaterThan(200);
    expect(product.endings.filter((ending) => ending !== 0)).toEqual([]);
    expect(product.failedShutdownSteps).toEqual([]);
  }

  async function replaceAll(release?: string): Promise<void> {
    const { apis, hosts } = product;
    await apis.replace(
      (port) => product.startApi(port, release),
      () => product.inUse(),
    );
    await hosts.replace(
      (port) => product.startHost(port, release),
      () => product.inUse(),
    );
  }

  it('restart one after the other without a failed request', () => underLoad(() => replaceAll()), TIME_LIMIT_MS);

  it(
    'are replaced by a version with one more migration without a failed request',
    async () => {
      const last = 'select name from homeport_migrations order by id desc limit 1';
      expect(await queryOnce(databaseUrl, last)).not.toEqual([{ name: next.migration }]);
      await underLoad(() => replaceAll(next.folder));
      expect(await queryOnce(databaseUrl, last)).toEqual([{ name: next.migration }]);
      const programs = ['api', 'edge', 'runtime'].map((name) => `${next.folder}/apps/${name}/src/main.js`);
      expect([...product.programs].sort()).toEqual(programs.flatMap((program) => [program, program]));
    },
    TIME_LIMIT_MS,
  );

  it('roll back to the previous version without a failed request', () => underLoad(() => replaceAll()), TIME_LIMIT_MS);
});
