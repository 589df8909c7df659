import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App } from '@homeport/apps/contracts';
import { type ProductProcess, spawnApi, spawnEdge } from './product-processes';
import { DeployClient } from './apps/deploy-client';
import { signIn } from './homeport';
import { InstancePair, installedBalancers, SHUTDOWN_NOTICE_MS, type StartBalancer } from './load-balancers';
import { suiteSize, isFull } from './suites';
import { Traffic, type TrafficCall } from './traffic';

const CLIENTS = suiteSize(15, 200);
/** How often every instance is restarted. */
const ROUNDS = suiteSize(1, 3);
const balancers = await installedBalancers();
/** The sample restarts once behind all load balancers together, the full suite once behind each. */
const groups = isFull ? balancers.map((balancer) => [balancer]) : [balancers];

// `npm test` reports missing programs; in CI that is a failure.
(balancers.length > 0 ? describe : describe.skip)('a rolling restart', () => {
  for (const group of groups) {
    const titles = group.map(({ title }) => title).join(' and ');
    const starts = group.map(({ start }) => start);
    it(`of the API behind ${titles} fails no request`, () =>
      restartAll(starts, (port) => spawnApi({ SHUTDOWN_NOTICE_MS }, port), apiCall));
    it(`of the edge behind ${titles} fails no request`, () =>
      restartAll(starts, (port) => spawnEdge({ SHUTDOWN_NOTICE_MS }, port), edgeCall));
  }
});

const folder = `rolling-${randomUUID()}`;
let token: string;
let site: App;

beforeAll(async () => {
  ({ token } = await signIn('ada'));
  const deployer = new DeployClient(token);
  const app = await deployer.register('Rolling');
  expect((await deployer.deploy(app.id, { 'index.html': 'x'.repeat(4_096) })).status).toBe(201);
  site = app;
});
afterAll(async () => {
  await new DeployClient(token).delete(site.id);
});

/** Of ten calls: three `PUT`, two `POST`, five `GET`. */
function apiCall(client: number, count: number): TrafficCall {
  const headers = { authorization: `Bearer ${token}` };
  const path = `/api/files/${folder}/${client}.txt`;
  const turn = count % 10;
  if (turn === 0 || turn === 4 || turn === 8) {
    return { method: 'PUT', path, headers, body: `${client} ${count}`, expected: [200, 201] };
  }
  // A body that is rejected before any database query, because a busy machine may exceed the database time limits, on a
  // route without a limit of the organization. A proxy must not repeat a POST.
  if (turn === 2 || turn === 6) {
    const json = { ...headers, 'content-type': 'application/json' };
    return { method: 'POST', path: '/v1/pricing/estimate', headers: json, body: '{}', expected: [400] };
  }
  return { method: 'GET', path, headers, expected: [200] };
}

function edgeCall(): TrafficCall {
  return { method: 'GET', path: '/', headers: { host: new URL(site.url).host }, expected: [200] };
}

async function restartAll(
  starts: readonly StartBalancer[],
  start: (port: number) => Promise<ProductProcess>,
  next: (client: number, count: number) => TrafficCall,
): Promise<void> {
  const started = new AsyncDisposableStack();
  const traffic: Traffic[] = [];
  const processes: ProductProcess[] = [];
  const startOne = async (port: number) => {
    const process = await start(port);
    processes.push(process);
    return process;
  };
  try {
    const instances = await InstancePair.start(startOne);
    started.defer(() => instances.stop());
    const balancers = await Promise.all(starts.map((startBalancer) => startBalancer(instances.addresses)));
    for (const balancer of balancers) started.defer(() => balancer.close());
    const clients = Math.ceil(CLIENTS / balancers.length);
    traffic.push(...balancers.map(({ port }) => new Traffic(port, clients, next)));
    for (const each of traffic) started.defer(() => each.stop());
    const allInUse = () => Promise.all(balancers.map((balancer) => balancer.usesBoth()));
    for (let round = 0; round < ROUNDS; round += 1) await instances.replace(startOne, allInUse);
  } finally {
    await started.disposeAsync();
  }
  const failed = traffic.map((each) => Object.fromEntries(each.failed));
  console.info(`${traffic.map(({ answered }) => answered).join(' + ')} answered, failed: ${JSON.stringify(failed)}`);
  const stuck = processes.filter((each) => each.ending() !== 0);
  for (const each of stuck) console.info(`ended with ${each.ending()}:\n${each.logLines().slice(-20).join('\n')}`);
  expect(failed).toEqual(traffic.map(() => ({})));
  expect(processes.map((each) => each.ending())).toEqual(processes.map(() => 0));
  expect(processes.flatMap((each) => each.failedShutdownSteps())).toEqual([]);
}
