import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiProcess, spawnApi } from '../../product-processes';
import { settings, signIn } from '../../homeport';
import { suiteSize, inParallel, isFull, until } from '../../suites';
import { FaultProxy } from './fault-proxy';
import { type Fault, FAULTS, faultyFileName, type FaultTarget, FAULT_TARGETS } from './faults';
import { requestFor, contentOf, violationIn, type FileOperation, FILE_OPERATIONS } from './file-operations';
import { rawCall } from './raw-call';

/** Faults without a response. A request must not run into several of them in sequence. */
const SILENT: readonly Fault[] = ['black-hole', 'deaf', 'drip', 'stall-mid-body'];
/** Parts of one upload that may be sent concurrently. */
const CONCURRENT_PARTS = 3;
const CONCURRENCY = 64;
/** Maximum number of connections of the API. */
const CONNECTIONS = 128;
const WARM = 100;
const PART_BYTES = 8 * 1024 * 1024;
/** Larger bodies cannot be repeated, so they always use new connections. */
const NEW_CONNECTION_BYTES = 2 * 1024 * 1024;

type Temperature = 'cold' | 'warm';

interface FaultCase {
  readonly fault: Fault;
  readonly kind: FileOperation;
  readonly name: string;
  readonly path: string;
}

function faultCases(folder: string, isWanted: (fault: Fault, kind: FileOperation) => boolean): FaultCase[] {
  return FAULTS.flatMap((fault) =>
    FILE_OPERATIONS.filter((kind) => isWanted(fault, kind)).flatMap((kind) =>
      faultTargetsOf(kind).map((target) => {
        const name = faultyFileName(fault, target, kind.name);
        return { fault, kind, name, path: `${folder}/${name}` };
      }),
    ),
  );
}

/** The sample omits slow cases: most faults without a response, and bodies of several parts. */
function isInSample(temperature: Temperature, fault: Fault, { size }: FileOperation): boolean {
  if (temperature === 'warm') return !SILENT.includes(fault) && fault !== 'drip-body' && size < PART_BYTES;
  return fault !== 'deaf' && fault !== 'stall-mid-body' && (size < PART_BYTES || fault === 'reset-mid-body');
}

/** A write sends several storage requests, and each of them can fail. */
function faultTargetsOf({ method, size }: FileOperation): readonly FaultTarget[] {
  if (method !== 'PUT' || !isFull) return ['any'];
  return size > PART_BYTES ? FAULT_TARGETS : ['any', 'write'];
}

describe('faults of storage', () => {
  const folder = `faults-${process.pid}`;
  /** A file without faults. */
  const plain = `${folder}/plain`;
  let proxy: FaultProxy;
  let api: ApiProcess;
  let token: string;
  let pid: number;

  const run = async ({ kind, path }: FaultCase, isHealthy: boolean) => {
    const answer = await rawCall({ ...requestFor(kind, api.url, path), token });
    return { answer, fault: violationIn(kind, path, answer, isHealthy) };
  };
  const write = (path: string, body: Buffer) =>
    rawCall({ method: 'PUT', url: `${api.url}/api/files/${path}`, token, body });

  beforeAll(async () => {
    proxy = await FaultProxy.start(settings['S3_ENDPOINT'] as string);
    [api, { token }] = await Promise.all([spawnApi({ S3_ENDPOINT: proxy.endpoint }), signIn('ada')]);
    ({ pid } = api);
    await write(plain, Buffer.from(plain));
  });
  afterEach(() => {
    expect([api.isAlive(), api.pid, api.unexpectedErrors()]).toEqual([true, pid, []]);
  });
  afterAll(async () => {
    await api.stop();
    await proxy.stop();
  });

  /** Creates the files that the cases read or delete. */
  const prepare = (cases: readonly FaultCase[]) =>
    inParallel(
      cases.filter(({ kind }) => kind.method !== 'PUT'),
      CONCURRENCY,
      async ({ kind, path }) => {
        expect((await write(path, contentOf(path, kind.size))).status).toBeLessThan(300);
      },
    );

  /** Opens enough reusable connections, or closes all of them: concurrent requests use all of them. */
  const prepareConnections = async (temperature: Temperature) => {
    if (temperature === 'cold') return proxy.dropIdleConnections();
    proxy.holdUntilConnected(WARM);
    await Promise.all(
      Array.from({ length: WARM }, () => rawCall({ method: 'GET', url: `${api.url}/api/files/${plain}`, token })),
    );
  };

  /** Whether the fault occurred on the wrong kind of connection. */
  const metWrongConnection = ({ kind, name }: FaultCase, temperature: Temperature) => {
    const isPooled = kind.method !== 'PUT' || kind.size < NEW_CONNECTION_BYTES;
    const { times, isWarm } = proxy.faultCountOf(name);
    return isPooled && times > 0 && isWarm !== (temperature === 'warm');
  };

  /**
   * Runs all cases concurrently. How many of them get the intended kind of connection depends on the machine, because
   * faults close connections and responses free others. The remaining cases are repeated.
   */
  const runAll = async (
    cases: readonly FaultCase[],
    temperature: Temperature,
    runOne: (each: FaultCase) => Promise<void>,
  ) => {
    let remaining = cases;
    // The first request of a round always gets the intended kind, so there are at most as many rounds as cases.
    for (let round = 0; round < cases.length && remaining.length > 0; round += 1) {
      for (const { name } of remaining) proxy.resetFaultCount(name);
      await prepareConnections(temperature);
      await Promise.all(remaining.map(runOne));
      remaining = remaining.filter((each) => metWrongConnection(each, temperature));
    }
    expect(remaining.map(({ name }) => name)).toEqual([]);
  };

  it.each<Temperature>(['cold', 'warm'])(
    'lead to a correct response in time, over %s connections',
    async (temperature) => {
      const cases = faultCases(
        `${folder}/${temperature}`,
        (fault, kind) => isFull || isInSample(temperature, fault, kind),
      );
      await prepare(cases);
      proxy.enableFaults();
      const slowReads = cases.filter(({ fault, kind }) => fault === 'drip-body' && kind.name === 'get-large');
      const dripping = slowReads.map((each) => run(each, true));
      await until(() => proxy.dripping === slowReads.length);
      const problems: string[] = [];
      const acknowledged = new Set<FaultCase>();
      const others = cases.filter((each) => !slowReads.includes(each));
      await runAll(others, temperature, async (each) => {
        const { answer, fault } = await run(each, false);
        if (fault !== undefined) problems.push(`${each.name}: ${fault}`);
        if (answer.status !== undefined && answer.status < 300) acknowledged.add(each);
        const { times } = proxy.faultCountOf(each.name);
        if (SILENT.includes(each.fault) && times > CONCURRENT_PARTS)
          problems.push(`${each.name}: waited ${times} times`);
      });
      const met = cases.filter(({ name }) => proxy.faultCountOf(name).times > 0);
      proxy.disableFaults();
      for (const { fault } of await Promise.all(dripping)) if (fault !== undefined) problems.push(`drip: ${fault}`);
      await inParallel(cases, 4, async (each) => {
        const fault = await problemAfterwards(each, acknowledged.has(each));
        if (fault !== undefined) problems.push(`${each.name}, afterwards: ${fault}`);
      });
      expect(problems).toEqual([]);
      console.info(`${cases.length} requests over ${temperature} connections met ${met.length} faults`);
    },
  );

  /**
   * Checks that acknowledged writes are stored, that others are complete or absent, and that a repeated request
   * succeeds.
   */
  async function problemAfterwards(each: FaultCase, isAcknowledged: boolean): Promise<string | undefined> {
    const { kind, path } = each;
    const isRead = kind.method === 'GET' || kind.method === 'HEAD';
    if (!isRead) {
      const { status, body } = await rawCall({ method: 'GET', url: `${api.url}/api/files/${path}`, token });
      const isThere = kind.method === 'PUT' ? isAcknowledged : !isAcknowledged;
      if (status === 404 ? kind.method === 'PUT' && isThere : status !== 200) return `reads ${status}`;
      if (status === 200 && kind.method === 'DELETE' && isAcknowledged) return 'is still there';
      if (status === 200 && !body.equals(contentOf(path, kind.size))) return `is incomplete: ${body.length} bytes`;
    }
    return (await run(each, true)).fault;
  }

  it('fail with 503 while storage is unreachable, and end after its recovery', async () => {
    const cases = faultCases(`${folder}/refused`, (fault) => fault === 'latency');
    await prepare(cases);
    await proxy.stopListening();
    const statuses = await Promise.all(cases.map(async (each) => (await run(each, false)).answer.status));
    expect(statuses).toEqual(cases.map(() => 503));
    await proxy.listen();
    for (const each of cases)
      expect([each.kind.name, (await run(each, true)).fault]).toEqual([each.kind.name, undefined]);
  });

  it('keep their time limits with more requests than connections', async () => {
    const name = faultyFileName('black-hole', 'any', 'crowd');
    const path = `${folder}/${name}`;
    await write(path, contentOf(path, 10));
    proxy.enableFaults();
    const calls = Array.from({ length: suiteSize(CONNECTIONS + 20, 300) }, () =>
      rawCall({ method: 'GET', url: `${api.url}/api/files/${path}`, token }),
    );
    const answers = await Promise.all(calls);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([504]));
    // A request that waited for a connection does not get the full time limit again.
    expect(proxy.faultCountOf(name).times).toBeLessThan(2 * CONNECTIONS);
    proxy.disableFaults();
    expect((await rawCall({ method: 'GET', url: `${api.url}/api/files/${path}`, token })).status).toBe(200);
  });
});
