import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App } from '@homeport/apps/contracts';
import { findPrograms, PROMETHEUS } from '@homeport/dev-services';
import { DeployClient } from '../apps/deploy-client';
import type { MemberClient } from '../apps/member-client';
import { visit } from '../apps/visit';
import { callAt } from '../homeport';
import { until } from '../suites';
import { ObservedProduct } from './observed-product';
import { canLimitDisk } from './small-disk';

const withPrometheus = (await findPrograms(PROMETHEUS)) !== undefined ? describe : describe.skip;

/** Restarts take seconds. */
const WINDOWS = { HomeportCrashLooping: '60s' };
/** Seconds. A job waits for up to a second, and usage for ten, when nothing is wrong. */
const LIMITS = { HomeportJobsNotDraining: 10, HomeportUsageNotDelivered: 20 };
const FILES = 400;
const ORGANIZATIONS = 40;
/** An app has up to 2 instances for 50 requests each, and 100 requests wait. The edge accepts 256. */
const STUCK_REQUESTS = 230;
/** The process is paused for most of the time between two scrapes. */
const PAUSED_MS = 700;
const RUNNING_MS = 100;

const SERVER = {
  'server.js': `require('node:http')
    .createServer((request, response) => request.url === '/stuck' || response.end('served'))
    .listen(process.env.PORT);`,
};

/** Sends requests from a number of clients until something happens. */
async function load(clients: number, request: () => Promise<unknown>, event: () => Promise<unknown>): Promise<void> {
  let isOver = false;
  const client = async () => {
    while (!isOver) await request().catch(() => undefined);
  };
  const running = Array.from({ length: clients }, client);
  try {
    await event();
  } finally {
    isOver = true;
    await Promise.all(running);
  }
}

withPrometheus('alerts by a fault, of a Prometheus that scrapes API, edge and runtime', () => {
  let product: ObservedProduct;
  let site: App;
  let server: App;
  let members: readonly MemberClient[];
  let visited = 0;

  beforeAll(async () => {
    product = await ObservedProduct.start({ windows: WINDOWS, limits: LIMITS });
    members = await Promise.all(
      Array.from({ length: ORGANIZATIONS }, (_, index) => product.fixture.member(`observed-${index}`)),
    );
    const deployer = new DeployClient(product.member.token, product.apiUrls[0]);
    const names = Array.from({ length: FILES }, (_, index) => `file-${index}.txt`);
    site = await deployer.register('Site');
    const files = Object.fromEntries(names.map((name) => [name, name]));
    expect((await deployer.deploy(site.id, { 'index.html': 'Here', ...files })).status).toBe(201);
    server = await deployer.register('Server', 'ssr');
    expect((await deployer.deploy(server.id, SERVER)).status).toBe(201);
    for (const { url } of [site, server])
      await until(async () => (await visit(url, { port: product.edge.port })).status === 200);
  });
  afterAll(() => product?.close());

  const call = (path: string, more: Parameters<typeof callAt>[2] = {}, api = 0) =>
    callAt(product.apiUrls[api] as string, path, { token: product.member.token, ...more });
  let lists = 0;
  /** Of one organization, only few requests use PostgreSQL at the same time. */
  const listApps = async () => {
    const { token } = members[(lists += 1) % members.length] as MemberClient;
    return (await call('/api/apps', { token })).arrayBuffer();
  };
  /** Visits a file that the edge has not cached, until all are. */
  const visitNextFile = () => {
    visited += 1;
    return visit(`${site.url}/file-${visited}.txt`, { port: product.edge.port });
  };

  it('sees a healthy product', async () => {
    await until(async () => (await product.prometheus.query('min(up)')) === 1);
    await until(async () => (await product.prometheus.query('min(homeport_ready)')) === 1);
    // The disk of the machine may be full, and the authority issues for ten days.
    const expected = ['HomeportDiskNearlyFull', 'HomeportCertificateExpiring'];
    await until(async () => (await product.prometheus.firing()).every(({ name }) => expected.includes(name)));
  });

  it('alerts when the authority issues certificates for ten days', async () => {
    await product.fires('HomeportCertificateExpiring');
  });

  it('alerts when a table is locked most of the time, and when too many requests wait for it', async () => {
    const whileLocked = (event: () => Promise<void>) => () => product.lockedAgainAndAgain('apps.apps', event);
    const isSlow = async () => {
      await product.fires('HomeportPoolSaturated', { job: 'homeport-api', pool: 'requests' });
      await product.fires('HomeportApiSlow');
    };
    await load(40, listApps, whileLocked(isSlow));
    await load(
      400,
      listApps,
      whileLocked(() => product.fires('HomeportOverloaded', { job: 'homeport-api' })),
    );
    for (const name of ['HomeportPoolSaturated', 'HomeportApiSlow', 'HomeportOverloaded']) await product.recovers(name);
  });

  it('alerts when the storage of the edge is slow', async () => {
    await product.storage.begin('latency');
    await load(4, visitNextFile, () => product.fires('HomeportEdgeSlow'));
    await product.storage.end();
    await product.recovers('HomeportEdgeSlow');
  });

  it('alerts when the storage of the edge is unreachable', async () => {
    await product.storage.begin('refuse');
    await until(async () => {
      expect((await visit(`${site.url}/file-0.txt`, { port: product.edge.port })).status).toBe(503);
      return product.isFiring('HomeportEdgeErrors');
    });
    await product.storage.end();
    await product.recovers('HomeportEdgeErrors');
  });

  it('alerts when a run of a job is locked', async () => {
    const run = `name = 'apps.dns' and start_after > now()`;
    // Due when it is locked.
    await product.query(`insert into pgboss.job (name, start_after) values ('apps.dns', now() + interval '5 seconds')`);
    await product.duringTransaction(`select 1 from pgboss.job where ${run} for update`, () =>
      product.fires('HomeportJobsNotDraining', { task: 'apps.dns' }),
    );
    await product.recovers('HomeportJobsNotDraining');
  });

  it('alerts when usage cannot be delivered, and when it fills the disk', async () => {
    const use = async (api: number) => (await call('/api/files', {}, api)).arrayBuffer();
    const useAll = () => Promise.all(product.apiUrls.map((_, api) => use(api)));
    const hasFired = async () => {
      await product.fires('HomeportUsageNotDelivered');
      if (canLimitDisk)
        await product.fires('HomeportDiskNearlyFull', { folder: 'usage', instance: product.smallTarget });
    };
    await product.duringTransaction('lock table usage.deliveries', () => load(1, useAll, hasFired));
    await product.recovers('HomeportUsageNotDelivered');
    await product.recovers('HomeportDiskNearlyFull', { folder: 'usage', instance: product.smallTarget });
  });

  it('alerts when the webhook refuses notices of budgets', async () => {
    const json = { 'content-type': 'application/json' };
    const body = JSON.stringify({ monthly_usd: '20', notify_at: [50] });
    expect((await call('/api/budget', { method: 'PUT', headers: json, body })).ok).toBe(true);
    const { organization } = product.member;
    // In the paid time: the trial ended before this month.
    await product.query(`
      insert into organizations.accounts (organization, created_at)
      values ('${organization}', '2026-10-01T00:00:00Z')
      on conflict (organization) do update set created_at = excluded.created_at`);
    const event = {
      ...{ specversion: '1.0', id: randomUUID(), source: 'https://agents.example.com', type: 'homeport.usage' },
      ...{ subject: organization, time: new Date().toISOString(), data: { item: 'agent-run', quantity: 2_000 } },
    };
    const headers = { 'content-type': 'application/cloudevents-batch+json' };
    const events = { method: 'POST', headers, body: JSON.stringify([event]) };
    const answer = await call('/api/usage/events', events);
    expect([answer.status, await answer.text()]).toEqual([202, expect.any(String)]);
    await product.query(`insert into pgboss.job (name) values ('usage.budget-notices')`);
    await product.fires('HomeportBudgetNoticesNotSent');
  });

  it('alerts when months cannot be closed', async () => {
    // Measured usage of an earlier month.
    await product.duringTransaction('lock table usage.closed_months in share mode', async () => {
      await product.query(`
        insert into usage.hours (organization, period, item, hour, quantity)
        select '${product.member.organization}', to_char(hour at time zone 'UTC', 'YYYY-MM'), 'storage', hour, 1
        from (select date_trunc('hour', now() - interval '100 days') as hour) as earlier`);
      await product.fires('HomeportMonthNotCharged');
    });
  });

  it('alerts when the server of an app does not answer', async () => {
    const { hostname: host } = new URL(server.url);
    const to = { host: '127.0.0.1', port: product.edge.port, path: '/stuck', headers: { host }, agent: false };
    const requests = Array.from({ length: STUCK_REQUESTS }, () => get(to).on('error', () => undefined));
    const closed = Promise.allSettled(requests.map((request) => once(request, 'close')));
    await product.fires('HomeportAppsQueueFull');
    for (const request of requests) request.destroy();
    await closed;
  });

  it('alerts when a process is paused again and again', async () => {
    const { pid } = product.edge;
    await until(async () => {
      process.kill(pid, 'SIGSTOP');
      await pause(PAUSED_MS);
      process.kill(pid, 'SIGCONT');
      await pause(RUNNING_MS);
      return product.isFiring('HomeportEventLoopBlocked', { job: 'homeport-edge' });
    });
    await product.recovers('HomeportEventLoopBlocked');
  });

  it('alerts when a process is killed again and again', async () => {
    const scrapedAt = () => product.prometheus.query('timestamp(process_start_time_seconds{job="homeport-edge"})');
    await until(async () => {
      await product.restartEdge();
      const restartedAt = Date.now() / 1_000;
      await until(async () => ((await scrapedAt()) ?? 0) > restartedAt);
      return product.isFiring('HomeportCrashLooping', { job: 'homeport-edge' });
    });
  });
});
