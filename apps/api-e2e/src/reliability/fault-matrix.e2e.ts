import { mkdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@homeport/dev-services';
import { freshDatabase } from '@homeport/platform/server/testing';
import { ApiFixture, fatalLogLines } from '../apps/api-fixture';
import { settings } from '../homeport';
import { type ApiProcess, spawnApi } from '../product-processes';
import { isFull, until } from '../suites';
import {
  DEPENDENCIES,
  type Dependency,
  type FaultRequest,
  faultRequests,
  storeFiles,
  violationOf,
} from './fault-requests';
import { TCP_FAULTS, type TcpFault, TcpFaultProxy } from './tcp-fault-proxy';
import { timedCall, type TimedResponse } from './timed-call';

const TEMPERATURES = ['cold', 'warm', 'in flight'] as const;
type Temperature = (typeof TEMPERATURES)[number];

interface Cell {
  readonly dependency: Dependency;
  readonly fault: TcpFault;
  readonly temperature: Temperature;
}

/** A row of the report. */
interface Row extends Cell {
  readonly statuses: string;
  /** Milliseconds. */
  readonly slowest: number;
  readonly longestPause: number;
  readonly healthyAfter: number;
  /** Why not everything worked at once after the fault. */
  readonly lastProblem: string;
  readonly problems: readonly string[];
}

const ANSWER_LIMIT_MS = 5_000;
/** The limit of 10 s, and a margin for the clock of the measurement. */
const PAUSE_LIMIT_MS = 10_500;
const RECOVERY_LIMIT_MS = 2_000;
/**
 * node-postgres takes bytes of no protocol for the beginning of a long message: only the time limit of the query, 2.5 s,
 * ends a connection that got some at the end of the fault.
 */
const GARBAGE_FROM_POSTGRES_MS = 3_000;
/** What a stream has received when a fault begins in the middle of it. */
const STREAM_BEGIN_BYTES = 65_536;
/** `npm run faults` prints it. */
const REPORT = resolve(import.meta.dirname, '../../../../tmp/fault-matrix.json');

const CELLS: readonly Cell[] = DEPENDENCIES.flatMap((dependency) =>
  TCP_FAULTS.flatMap((fault) => TEMPERATURES.map((temperature) => ({ dependency, fault, temperature }))),
);

/** The sample has no cell that waits for a time limit. For signing keys, the other cells start a process each. */
function isInSample({ dependency, fault, temperature }: Cell): boolean {
  if (dependency === 'signing keys') return temperature === 'warm' && fault === 'refuse';
  const cells = { cold: 'refuse', warm: 'reset-before', 'in flight': 'garbage' };
  return cells[temperature] === fault;
}

describe('the fault matrix', () => {
  const folder = `matrix-${process.pid}`;
  const proxies = {} as Record<Dependency, TcpFaultProxy>;
  const started = new AsyncDisposableStack();
  const rows: Row[] = [];
  let fixture: ApiFixture;
  let api: ApiProcess;
  let token: string;
  let requests: readonly FaultRequest[];

  beforeAll(async () => {
    const database = await freshDatabase();
    started.defer(() => database.drop());
    fixture = await ApiFixture.open(database.url);
    started.defer(() => fixture.close());
    await fixture.route53();
    const targets = {
      PostgreSQL: database.url,
      S3: settings['S3_ENDPOINT'] as string,
      'DNS provider': fixture.env['ROUTE53_ENDPOINT'] as string,
      'signing keys': fixture.env['AUTH_JWKS_URI'] as string,
    };
    for (const dependency of DEPENDENCIES) {
      const proxy = (proxies[dependency] = await TcpFaultProxy.to(targets[dependency]));
      started.defer(() => proxy.stop());
    }
    api = await fixture.api({
      DATABASE_URL: proxies.PostgreSQL.url,
      S3_ENDPOINT: proxies.S3.url,
      ROUTE53_ENDPOINT: proxies['DNS provider'].url,
      AUTH_JWKS_URI: proxies['signing keys'].url,
    });
    ({ token } = await fixture.member('matrix'));
    await storeFiles({ base: api.url, token, folder });
    requests = faultRequests({ base: api.url, token, folder });
    // The prices are read at their first request, and are then served without the database.
    await recovery(requests);
  });
  afterAll(() => started.disposeAsync());
  afterEach(async () => {
    await mkdir(resolve(REPORT, '..'), { recursive: true });
    await writeFile(REPORT, JSON.stringify({ cells: CELLS.length, rows }));
  });

  const callAll = (of: readonly FaultRequest[]) =>
    Promise.all(of.map(async (each) => ({ request: each, response: await timedCall(each.call()) })));

  /** Opens connections that stay open, or closes them, or lets requests wait for their response. */
  async function prepare(cell: Cell): Promise<void> {
    const proxy = proxies[cell.dependency];
    if (cell.temperature === 'warm') await callAll(requests);
    if (cell.temperature === 'in flight') proxy.hold(beginsInStream(cell) ? STREAM_BEGIN_BYTES : 0);
  }

  /** Resolves with the milliseconds until all requests succeed, and what the last one that did not lacked. */
  async function recovery(of: readonly FaultRequest[]): Promise<{ healthyAfter: number; lastProblem: string }> {
    const began = performance.now();
    let lastProblem = '';
    await until(async () => {
      const all = await callAll(of.filter(({ recoversLate = false }) => !recoversLate));
      const problems = all.flatMap(({ request, response }) => violationOf(request, response, undefined) ?? []);
      lastProblem = problems[0] ?? lastProblem;
      return problems.length === 0;
    });
    return { healthyAfter: performance.now() - began, lastProblem };
  }

  /** @param subject the API; it may resolve as late as after the fault. */
  async function run(
    cell: Cell,
    of: readonly FaultRequest[],
    subject: ApiProcess | Promise<ApiProcess>,
  ): Promise<void> {
    const { dependency, fault, temperature } = cell;
    const proxy = proxies[dependency];
    const begin = async () => {
      await proxy.begin(fault);
      if (temperature === 'cold') proxy.dropConnections();
    };
    if (temperature !== 'in flight') await begin();
    const streams = callAll(of.filter(isStream));
    const begun = beginsInStream(cell) ? 1 : 0;
    if (begun > 0) {
      await until(() => proxy.held >= begun);
      proxy.hold();
    }
    const calls = callAll(of.filter((each) => !isStream(each)));
    if (temperature === 'in flight') {
      await until(() => proxy.held > begun);
      await begin();
    }
    const answered = await calls;
    // A stream that arrives byte by byte would take days.
    if (fault !== 'drip') await streams;
    await proxy.end();
    const recovered = await recovery(of);
    const all = [...answered, ...(await streams)];
    const problems = all.flatMap(({ request, response }) => violationOf(request, response, dependency) ?? []);
    const isNoticed = all.some(({ response }) => response.status >= 500);
    if (mustBeNoticed(cell) && !isNoticed) problems.push('no request noticed the fault');
    const row = { ...cell, ...summaryOf(all.map(({ response }) => response)), ...recovered, problems };
    rows.push(row);
    const started = await subject;
    const errors = [started.unexpectedErrors(), fatalLogLines(started)];
    expect([problems, started.isAlive(), errors]).toEqual([[], true, [[], []]]);
    // The gate also runs on busy machines.
    if (!isFull) return;
    expect(row.slowest).toBeLessThan(ANSWER_LIMIT_MS);
    expect(row.longestPause).toBeLessThan(PAUSE_LIMIT_MS);
    const isGarbage = dependency === 'PostgreSQL' && fault === 'garbage';
    expect(row.healthyAfter).toBeLessThan(isGarbage ? GARBAGE_FROM_POSTGRES_MS : RECOVERY_LIMIT_MS);
  }

  /** The keys are cached, so only a new process needs them. It is ready only after the fault. */
  async function runOnNewApi(cell: Cell): Promise<void> {
    const proxy = proxies['signing keys'];
    if (cell.temperature === 'cold') await proxy.begin(cell.fault);
    else proxy.hold();
    const port = await freePort();
    const base = `http://127.0.0.1:${port}`;
    const starting = spawnApi({ ...fixture.env, AUTH_JWKS_URI: proxy.url }, port);
    const kill = () =>
      starting.then(
        (each) => each.kill(),
        () => undefined,
      );
    started.defer(kill);
    await until(async () => (await timedCall({ url: `${base}/health/live` })).status === 200);
    await run(cell, faultRequests({ base, token, folder }), starting);
    await kill();
  }

  it.each(CELLS.filter((cell) => isFull || isInSample(cell)))('$dependency: $fault, $temperature', async (cell) => {
    if (cell.dependency === 'signing keys' && cell.temperature !== 'warm') return runOnNewApi(cell);
    await prepare(cell);
    await run(cell, requests, api);
  });
});

/** The other faults can end before a request notices them, and other dependencies are used in the background or cached. */
function mustBeNoticed({ dependency, fault }: Cell): boolean {
  const isUsedByRequests = dependency === 'PostgreSQL' || dependency === 'S3';
  return isUsedByRequests && (fault === 'refuse' || fault === 'black-hole');
}

/** Whether the fault begins in the middle of the stream. Other requests wait for the beginning of their responses. */
function beginsInStream({ dependency, temperature }: Cell): boolean {
  return dependency === 'S3' && temperature === 'in flight';
}

function isStream({ name }: FaultRequest): boolean {
  return name === 'stream';
}

function summaryOf(responses: readonly TimedResponse[]): Pick<Row, 'statuses' | 'slowest' | 'longestPause'> {
  const outcomes = responses.map(({ status, isWhole }) => (isWhole ? `${status}` : `${status} cut`));
  return {
    statuses: [...new Set(outcomes)].toSorted().join(', '),
    slowest: Math.max(...responses.map(({ answeredAfter }) => answeredAfter)),
    longestPause: Math.max(...responses.map(({ longestPause }) => longestPause)),
  };
}
