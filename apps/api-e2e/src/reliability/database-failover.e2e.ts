import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DEBIAN_POSTGRES,
  findPrograms,
  NGINX,
  type ReplicatedPostgres,
  startReplicatedPostgres,
} from '@homeport/dev-services';
import { ApiFixture } from '../apps/api-fixture';
import { nginx } from '../load-balancers';
import { expectWithin, until } from '../suites';
import { PAUSE_MS, Traffic, type TrafficCall } from '../traffic';
import { TcpFaultProxy } from './tcp-fault-proxy';
import { TwoOfEach } from './two-of-each';

/** Clients of the API and of a static site: 200 in all. */
const CLIENTS = { api: 120, sites: 80 };
/** Answers of each client in each phase. */
const ANSWERS = 5;
const RECOVERY_LIMIT_MS = 2_000;
const installed = await Promise.all([findPrograms(DEBIAN_POSTGRES), findPrograms(NGINX)]);
const withPrograms = installed.every((found) => found !== undefined) ? describe : describe.skip;

withPrograms('a failover of PostgreSQL under two API and two edge instances behind nginx', () => {
  const started = new AsyncDisposableStack();
  let postgres: ReplicatedPostgres;
  /** The address that moves to the new primary. */
  let address: TcpFaultProxy;
  let product: TwoOfEach;

  beforeAll(async () => {
    const password = randomBytes(16).toString('hex');
    postgres = await startReplicatedPostgres(
      `create role homeport login password '${password}';
       create database homeport owner homeport template template0 encoding 'UTF8' locale 'C.UTF-8';`,
    );
    started.defer(() => postgres.close());
    address = await TcpFaultProxy.to(`postgres://homeport:${password}@127.0.0.1:${postgres.primaryPort}/homeport`);
    started.defer(() => address.stop());
    const fixture = await ApiFixture.open(address.url);
    started.defer(() => fixture.close());
    await fixture.embeddedDns();
    product = await TwoOfEach.start({ fixture, balancer: nginx(true) });
    started.defer(() => product.close());
  });
  afterAll(() => started.disposeAsync());

  /** Of four calls, three concern files and need no database. */
  function apiCall(client: number, count: number): TrafficCall {
    const path = `/api/files/failover/${client}.txt`;
    const turn = count % 4;
    if (turn === 0) return { ...product.call('PUT', path, `${client} ${count}`), expected: [200, 201] };
    if (turn === 2) return { ...product.call('GET', '/api/apps'), expected: [200, 503] };
    return { ...product.call('GET', path), expected: [200] };
  }

  /** Registers apps, one after the other. @returns those that were acknowledged, and the other statuses. */
  async function register(isOver: () => boolean) {
    const acknowledged: string[] = [];
    const rejected = new Set<number>();
    for (let count = 0; !isOver(); count += 1) {
      const { status, body } = await product.member.register(product.base, `failover ${count}`);
      if (status === 201) acknowledged.push(body.id);
      else rejected.add(status);
    }
    return { acknowledged, rejected: [...rejected] };
  }

  it('answers with stated errors, serves files and sites, loses nothing, and recovers in time', async () => {
    const { apiBalancer, edgeBalancer, site, member, base } = product;
    const ofApi = new Traffic(apiBalancer.port, CLIENTS.api, apiCall, { maxPauseMs: PAUSE_MS });
    const ofSites = new Traffic(edgeBalancer.port, CLIENTS.sites, () => product.visit(site), { maxPauseMs: PAUSE_MS });
    for (const traffic of [ofApi, ofSites]) started.defer(() => traffic.stop());
    const continues = () => {
      const enough = [
        [ofApi, ofApi.total + ANSWERS * CLIENTS.api],
        [ofSites, ofSites.total + ANSWERS * CLIENTS.sites],
      ] as const;
      return until(() => enough.every(([traffic, count]) => traffic.total >= count));
    };
    let isOver = false;
    const registrations = register(() => isOver);
    started.defer(async () => {
      isOver = true;
      await registrations;
    });
    await continues();

    await postgres.killPrimary();
    await continues();
    expect((await member.list(base)).status).toBe(503);

    await postgres.promoteStandby();
    address.moveTo(postgres.standbyPort);
    const promoted = performance.now();
    await until(async () => (await member.list(base)).status === 200);
    await until(async () => (await member.register(base, 'recovered')).status !== 503);
    const recoveredAfter = performance.now() - promoted;
    await continues();

    isOver = true;
    const { acknowledged, rejected } = await registrations;
    await Promise.all([ofApi.stop(), ofSites.stop()]);
    const failed = [ofApi, ofSites].map((each) => Object.fromEntries(each.failed));
    console.info(
      `${ofApi.answered} + ${ofSites.answered} answered, ${acknowledged.length} apps registered, ` +
        `recovered ${Math.round(recoveredAfter)} ms after the promotion`,
    );
    expect([failed, rejected]).toEqual([[{}, {}], [503]]);
    const listed = new Set<string>();
    for (const id of acknowledged) if ((await member.get(base, id)).status === 200) listed.add(id);
    expect(acknowledged.filter((id) => !listed.has(id))).toEqual([]);
    expectWithin(recoveredAfter, RECOVERY_LIMIT_MS, 'recovered');
  }, 900_000);
});
