import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App } from '@homeport/apps/contracts';
import { freePort } from '@homeport/dev-services';
import { ApiFixture, fatalLogLines } from '../apps/api-fixture';
import { DeployClient } from '../apps/deploy-client';
import type { MemberClient } from '../apps/member-client';
import { visit } from '../apps/visit';
import { abortDownload, abortUpload } from '../files/reliability/aborted-requests';
import type { ApiProcess, EdgeProcess, ProductProcess } from '../product-processes';
import { isFull, randomFrom, seed, suiteSize, until } from '../suites';
import { Traffic, type TrafficCall } from '../traffic';
import { type MemorySample, quietUsage, sampleMemory, slopesOf, type Usage } from './resource-usage';

const DURATION_MS = suiteSize(20_000, 600_000);
/** Pools open their connections at the first load, and keep idle ones for as long as the storage allows. */
const OPENING_MS = 5_000;
/** Before it, caches and the heap still grow. */
const WARM_UP_MS = DURATION_MS / 5;
const SAMPLE_MS = 2_000;
const CLIENTS = { api: 8, sites: 8 };
const FILE = 'x'.repeat(200_000);
const SLOPE_LIMIT_MIB_PER_MINUTE = 1;
/** How many descriptors, sockets and timers more may be open afterwards: a background job may run at that moment. */
const MARGIN = 4;
/** 80 s: pools keep idle connections to the storage of the tests for up to 65 s. */
const QUIET_TRIES = 4;
const NAMES = ['api', 'edge'] as const;
const OPEN = ['descriptors', 'sockets', 'timers'] as const;

type Name = (typeof NAMES)[number];

interface Load {
  readonly figures: string;
  readonly failures: readonly unknown[];
}

describe(`${DURATION_MS / 60_000} minutes of mixed load`, () => {
  const random = randomFrom(seed);
  const ports = { api: 0, edge: 0 };
  let fixture: ApiFixture;
  let api: ApiProcess;
  let edge: EdgeProcess;
  let member: MemberClient;
  let site: App;

  beforeAll(async () => {
    fixture = await ApiFixture.open();
    await fixture.embeddedDns();
    [ports.api, ports.edge] = [await freePort(), await freePort()];
    [api, edge] = await Promise.all([
      fixture.api({ MANAGEMENT_PORT: String(ports.api) }),
      fixture.edge({ MANAGEMENT_PORT: String(ports.edge) }),
    ]);
    member = await fixture.member('soak');
    const deployer = new DeployClient(member.token, api.url);
    site = await deployer.register('Soak');
    expect((await deployer.deploy(site.id, { 'index.html': FILE })).status).toBe(201);
    await until(async () => (await visit(site.url, { port: edge.port })).status === 200);
  });
  afterAll(() => fixture.close());

  function apiCall(client: number, count: number): TrafficCall {
    const headers = { authorization: `Bearer ${member.token}` };
    const path = `/api/files/soak/${client}-${count % 50}.txt`;
    if (count < 50 || count % 10 === 0) return { method: 'PUT', path, headers, body: FILE, expected: [200, 201] };
    if (count % 10 === 1) return { method: 'GET', path: '/api/apps', headers, expected: [200] };
    if (count % 10 === 2) return { method: 'GET', path: '/api/files?prefix=soak/', headers, expected: [200] };
    if (count % 10 === 3) return { method: 'GET', path: '/api/files/soak/none.txt', headers, expected: [404] };
    if (count % 10 === 4) return { method: 'GET', path: '/api/apps', headers: {}, expected: [401] };
    if (count % 10 === 5) return { method: 'GET', path: '/v1/pricing', headers: {}, expected: [200] };
    return { method: 'GET', path, headers, expected: [200] };
  }
  const siteCall = (): TrafficCall => ({
    method: 'GET',
    path: '/',
    headers: { host: new URL(site.url).host },
    expected: [200],
  });

  /** Registers, deploys, and deletes apps, one after the other. @param failures receives unexpected answers. */
  async function changeApps(isOver: () => boolean, failures: unknown[]): Promise<number> {
    const deployer = new DeployClient(member.token, api.url);
    let count = 0;
    for (; !isOver(); count += 1) {
      const app = await deployer.register('Change');
      const { status, body } = await deployer.deploy(app.id, { 'index.html': app.id });
      if (status !== 201) failures.push({ deploy: status, body });
      const deleted = await deployer.delete(app.id);
      if (deleted.status !== 200) failures.push({ delete: deleted.status });
    }
    return count;
  }

  /** Aborts uploads and downloads, one after the other. */
  async function abortTransfers(isOver: () => boolean): Promise<number> {
    const port = Number(new URL(api.url).port);
    const head = (method: string, rest: string) =>
      Buffer.from(
        `${method} /api/files/soak/0-0.txt HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${member.token}\r\n${rest}\r\n`,
      );
    let count = 0;
    for (; !isOver(); count += 1) {
      const after = Math.floor(random() * FILE.length);
      const upload = [head('PUT', `Content-Length: ${FILE.length}\r\n`), Buffer.from(FILE)];
      await abortUpload({ port, parts: upload, after, way: random() });
      await abortDownload({ port, parts: [head('GET', '')], after, way: random() });
    }
    return count;
  }

  /** Runs the mixed load. @param sample is called regularly with the milliseconds since the beginning. */
  async function load(durationMs: number, sample: (elapsedMs: number) => Promise<void>): Promise<Load> {
    const began = performance.now();
    const isOver = () => performance.now() > began + durationMs;
    const traffic = [
      new Traffic(Number(new URL(api.url).port), CLIENTS.api, apiCall),
      new Traffic(edge.port, CLIENTS.sites, siteCall),
    ];
    const failures: unknown[] = [];
    const others = [changeApps(isOver, failures), abortTransfers(isOver)];
    while (!isOver()) {
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
      await sample(performance.now() - began);
    }
    const [apps, aborts] = await Promise.all(others);
    await Promise.all(traffic.map((each) => each.stop()));
    const answered = traffic.map((each) => each.answered).join(' + ');
    const figures = `${answered} answered, ${apps} apps, ${aborts} aborted uploads and downloads`;
    return { figures, failures: [...failures, ...traffic.flatMap(({ failed }) => [...failed])] };
  }

  async function quiet(): Promise<Record<Name, Usage>> {
    const [ofApi, ofEdge] = await Promise.all([quietUsage(ports.api, api), quietUsage(ports.edge, edge)]);
    return { api: ofApi, edge: ofEdge };
  }

  it(
    'leaves memory, descriptors, sockets and timers flat',
    async () => {
      const opening = await load(OPENING_MS, () => Promise.resolve());
      const before = await quiet();
      const samples: Record<Name, MemorySample[]> = { api: [], edge: [] };
      const { figures, failures } = await load(DURATION_MS, async (elapsedMs) => {
        if (elapsedMs < WARM_UP_MS) return;
        for (const [name, process] of Object.entries({ api, edge }) as [Name, ProductProcess][])
          samples[name].push(await sampleMemory(ports[name], process, elapsedMs / 60_000));
      });
      let after = await quiet();
      for (let tries = 1; tries < QUIET_TRIES && !isFlat(before, after); tries += 1) after = await quiet();
      const slopes = { api: slopesOf(samples.api), edge: slopesOf(samples.edge) };
      const last = { api: samples.api.at(-1), edge: samples.edge.at(-1) };
      console.info(`${figures}\n${JSON.stringify({ slopes, before, after, last }, null, 2)}`);
      expect([...opening.failures, ...failures]).toEqual([]);
      expect([api.isAlive(), api.unexpectedErrors(), fatalLogLines(api)]).toEqual([true, [], []]);
      expect([edge.isAlive(), edge.errorLines()]).toEqual([true, []]);
      for (const name of NAMES) {
        for (const what of OPEN) {
          expect(after[name][what]).toBeLessThanOrEqual(before[name][what] + MARGIN);
        }
        // In a short run the heap still grows.
        if (isFull) expect(slopes[name].resident).toBeLessThan(SLOPE_LIMIT_MIB_PER_MINUTE);
      }
    },
    DURATION_MS + 300_000,
  );
});

function isFlat(before: Record<Name, Usage>, after: Record<Name, Usage>): boolean {
  return NAMES.every((name) => OPEN.every((what) => after[name][what] <= before[name][what] + MARGIN));
}
