import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findPrograms, HAPROXY } from '@homeport/dev-services';
import { ApiFixture } from '../apps/api-fixture';
import { settings } from '../homeport';
import { haproxy } from '../load-balancers';
import { expectWithin, suiteSize, until } from '../suites';
import { PAUSE_MS, Traffic, type TrafficCall } from '../traffic';
import { type TcpFault, TcpFaultProxy } from './tcp-fault-proxy';
import { timedCall } from './timed-call';
import { TwoOfEach } from './two-of-each';

/** Clients of the API, of a static site and of an SSR app: 200 in all. */
const CLIENTS = { api: 120, sites: 40, servers: 40 };
const OUTAGE_MS = suiteSize(5_000, 60_000);
const RECOVERY_LIMIT_MS = 2_000;
const withHaproxy = (await findPrograms(HAPROXY)) ? describe : describe.skip;

withHaproxy('an outage of S3 under two API, two edge and two runtime instances behind HAProxy', () => {
  const started = new AsyncDisposableStack();
  let storage: TcpFaultProxy;
  let product: TwoOfEach;

  beforeAll(async () => {
    const fixture = await ApiFixture.open();
    started.defer(() => fixture.close());
    await fixture.embeddedDns();
    storage = await TcpFaultProxy.to(settings['S3_ENDPOINT'] as string);
    started.defer(() => storage.stop());
    product = await TwoOfEach.start({ fixture, balancer: haproxy, env: { S3_ENDPOINT: storage.url } });
    started.defer(() => product.close());
  });
  afterAll(() => started.disposeAsync());

  /** Of four calls, three concern files. The files exist, so that no other status is possible. */
  function apiCall(client: number, count: number): TrafficCall {
    const path = `/api/files/outage/${client}.txt`;
    const turn = count % 4;
    const stated = [502, 503, 504];
    if (turn === 1) return { ...product.call('GET', '/api/apps'), expected: [200] };
    if (turn === 2) return { ...product.call('PUT', path, `${client} ${count}`), expected: [200, 201, ...stated] };
    return { ...product.call('GET', path), expected: [200, ...stated] };
  }

  it.each<TcpFault>(['refuse', 'black-hole'])(
    'leads to stated errors for files alone, and ends in time: %s',
    async (fault) => {
      const { apiBalancer, edgeBalancer, site, server, member, base } = product;
      const file = { url: `${base}/api/files/outage/0.txt`, token: member.token };
      for (let client = 0; client < CLIENTS.api; client += 1) {
        const url = `${base}/api/files/outage/${client}.txt`;
        expect((await timedCall({ ...file, url, method: 'PUT', body: 'there' })).status).toBeLessThan(300);
      }
      const traffic = [
        new Traffic(apiBalancer.port, CLIENTS.api, apiCall, { maxPauseMs: PAUSE_MS }),
        new Traffic(edgeBalancer.port, CLIENTS.sites, () => product.visit(site), { maxPauseMs: PAUSE_MS }),
        new Traffic(edgeBalancer.port, CLIENTS.servers, () => product.visit(server), { maxPauseMs: PAUSE_MS }),
      ];
      for (const each of traffic) started.defer(() => each.stop());
      await until(() => traffic.every(({ total }) => total > 500));
      await storage.begin(fault);
      const end = performance.now() + OUTAGE_MS;
      let slowest = 0;
      while (performance.now() < end) {
        const { status, answeredAfter } = await timedCall(file);
        expect([502, 503, 504]).toContain(status);
        slowest = Math.max(slowest, answeredAfter);
      }
      await storage.end();
      const ended = performance.now();
      await until(async () => (await timedCall(file)).status === 200);
      await until(async () => (await timedCall({ ...file, method: 'PUT', body: 'again' })).status === 200);
      const recoveredAfter = performance.now() - ended;
      await Promise.all(traffic.map((each) => each.stop()));
      console.info(
        `${fault}: ${traffic.map(({ answered }) => answered).join(' + ')} answered, slowest error after ` +
          `${Math.round(slowest)} ms, recovered after ${Math.round(recoveredAfter)} ms`,
      );
      expect(traffic.map((each) => Object.fromEntries(each.failed))).toEqual([{}, {}, {}]);
      expectWithin(slowest, 6_000, 'slowest error');
      expectWithin(recoveredAfter, RECOVERY_LIMIT_MS, 'recovered');
    },
    900_000,
  );
});
