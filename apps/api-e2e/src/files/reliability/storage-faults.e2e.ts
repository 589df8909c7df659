import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiProcess, spawnApi } from '../../product-processes';
import { settings, signIn } from '../../homeport';
import { suiteSize, inParallel, isFull, until } from '../../suites';
import { FaultProxy } from './fault-proxy';
import { type Fault, FAULTS, faultyFileName, type FaultTarget, FAULT_TARGETS } from './faults';
import { requestFor, contentOf, violationIn, type FileOperation, FILE_OPERATIONS } from './file-operations';
import { rawCall } from './raw-call';

/** Nobody answers in these cases, so that a request must not meet one after the other. */
const SILENT: readonly Fault[] = ['black-hole', 'deaf', 'drip', 'stall-mid-body'];
/** Parts of one upload that can be on their way at the same time. */
const AT_ONCE = 3;
const WIDTH = 64;
/** As many as the API opens. */
const CONNECTIONS = 128;
const WARM = 100;
const PART_BYTES = 8 * 1024 * 1024;
/** Larger bodies, which cannot be repeated, always go over connections of their own. */
const FRESH_BYTES = 2 * 1024 * 1024;

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
      faultTargetsOf(kind).map((place) => {
        const name = faultyFileName(fault, place, kind.name);
        return { fault, kind, name, path: `${folder}/${name}` };
      }),
    ),
  );
}

/** The sample leaves out what takes longest: other silences than one, and bodies of several parts. */
function isInSample(temperature: Temperature, fault: Fault, { size }: FileOperation): boolean {
  if (temperature === 'warm') return !SILENT.includes(fault) && fault !== 'drip-body' && size < PART_BYTES;
  return fault !== 'deaf' && fault !== 'stall-mid-body' && (size < PART_BYTES || fault === 'reset-mid-body');
}

/** A write asks storage several things; its later questions can go wrong as well as its first. */
function faultTargetsOf({ method, size }: FileOperation): readonly FaultTarget[] {
  if (method !== 'PUT' || !isFull) return ['any'];
  return size > PART_BYTES ? FAULT_TARGETS : ['any', 'write'];
}

describe('a storage that goes wrong', () => {
  const folder = `faults-${process.pid}`;
  /** Nothing ever happens to it. */
  const plain = `${folder}/plain`;
  let proxy: FaultProxy;
  let api: ApiProcess;
  let token: string;
  let pid: number;

  const ask = async ({ kind, path }: FaultCase, isHealthy: boolean) => {
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

  /** Makes every file a cell reads or removes. */
  const prepare = (cells: readonly FaultCase[]) =>
    inParallel(
      cells.filter(({ kind }) => kind.method !== 'PUT'),
      WIDTH,
      async ({ kind, path }) => {
        expect((await write(path, contentOf(path, kind.size))).status).toBeLessThan(300);
      },
    );

  /** Leaves as many connections open as are needed, or none: all of them are in use at once. */
  const bringTo = async (temperature: Temperature) => {
    if (temperature === 'cold') return proxy.dropIdleConnections();
    proxy.holdUntilConnected(WARM);
    await Promise.all(
      Array.from({ length: WARM }, () => rawCall({ method: 'GET', url: `${api.url}/api/files/${plain}`, token })),
    );
  };

  /** Whether the fault struck over the other kind of connection. */
  const isAmiss = ({ kind, name }: FaultCase, temperature: Temperature) => {
    const isPooled = kind.method !== 'PUT' || kind.size < FRESH_BYTES;
    const { times, isWarm } = proxy.faultCountOf(name);
    return isPooled && times > 0 && isWarm !== (temperature === 'warm');
  };

  /**
   * Asks all of them at once. How many find the connections as they should be before the first faults break some and
   * the first answers free others depends on the machine; the others are asked again, until none is left.
   */
  const askAll = async (
    cells: readonly FaultCase[],
    temperature: Temperature,
    askOne: (cell: FaultCase) => Promise<void>,
  ) => {
    let left = cells;
    // Whoever comes first always finds them so: there are no more rounds than cells.
    for (let round = 0; round < cells.length && left.length > 0; round += 1) {
      for (const { name } of left) proxy.resetFaultCount(name);
      await bringTo(temperature);
      await Promise.all(left.map(askOne));
      left = left.filter((cell) => isAmiss(cell, temperature));
    }
    expect(left.map(({ name }) => name)).toEqual([]);
  };

  it.each<Temperature>(['cold', 'warm'])(
    'is answered for in time and honestly, over %s connections',
    async (temperature) => {
      const cells = faultCases(
        `${folder}/${temperature}`,
        (fault, kind) => isFull || isInSample(temperature, fault, kind),
      );
      await prepare(cells);
      proxy.enableFaults();
      const held = cells.filter(({ fault, kind }) => fault === 'drip-body' && kind.name === 'get-large');
      const dripping = held.map((cell) => ask(cell, true));
      await until(() => proxy.dripping === held.length);
      const problems: string[] = [];
      const acknowledged = new Set<FaultCase>();
      const others = cells.filter((cell) => !held.includes(cell));
      await askAll(others, temperature, async (cell) => {
        const { answer, fault } = await ask(cell, false);
        if (fault !== undefined) problems.push(`${cell.name}: ${fault}`);
        if (answer.status !== undefined && answer.status < 300) acknowledged.add(cell);
        const { times } = proxy.faultCountOf(cell.name);
        if (SILENT.includes(cell.fault) && times > AT_ONCE) problems.push(`${cell.name}: waited ${times} times`);
      });
      const met = cells.filter(({ name }) => proxy.faultCountOf(name).times > 0);
      proxy.disableFaults();
      for (const { fault } of await Promise.all(dripping)) if (fault !== undefined) problems.push(`drip: ${fault}`);
      await inParallel(cells, 4, async (cell) => {
        const fault = await problemAfterwards(cell, acknowledged.has(cell));
        if (fault !== undefined) problems.push(`${cell.name}, afterwards: ${fault}`);
      });
      expect(problems).toEqual([]);
      console.info(`${cells.length} requests over ${temperature} connections met ${met.length} faults`);
    },
  );

  /** What was acknowledged is there, what was not is whole or absent, and the request that failed succeeds at once. */
  async function problemAfterwards(cell: FaultCase, isAcknowledged: boolean): Promise<string | undefined> {
    const { kind, path } = cell;
    const isRead = kind.method === 'GET' || kind.method === 'HEAD';
    if (!isRead) {
      const { status, body } = await rawCall({ method: 'GET', url: `${api.url}/api/files/${path}`, token });
      const isThere = kind.method === 'PUT' ? isAcknowledged : !isAcknowledged;
      if (status === 404 ? kind.method === 'PUT' && isThere : status !== 200) return `reads ${status}`;
      if (status === 200 && kind.method === 'DELETE' && isAcknowledged) return 'is still there';
      if (status === 200 && !body.equals(contentOf(path, kind.size))) return `is torn: ${body.length} bytes`;
    }
    return (await ask(cell, true)).fault;
  }

  it('answers while nobody listens there, and goes on when somebody does again', async () => {
    const cells = faultCases(`${folder}/refused`, (fault) => fault === 'latency');
    await prepare(cells);
    await proxy.stopListening();
    const statuses = await Promise.all(cells.map(async (cell) => (await ask(cell, false)).answer.status));
    expect(statuses).toEqual(cells.map(() => 503));
    await proxy.listen();
    for (const cell of cells)
      expect([cell.kind.name, (await ask(cell, true)).fault]).toEqual([cell.kind.name, undefined]);
  });

  it('keeps its limits for more requests than it has connections', async () => {
    const name = faultyFileName('black-hole', 'any', 'crowd');
    const path = `${folder}/${name}`;
    await write(path, contentOf(path, 10));
    proxy.enableFaults();
    const calls = Array.from({ length: suiteSize(CONNECTIONS + 20, 300) }, () =>
      rawCall({ method: 'GET', url: `${api.url}/api/files/${path}`, token }),
    );
    const answers = await Promise.all(calls);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([504]));
    // Whoever had to wait for a connection did not get the full time once more.
    expect(proxy.faultCountOf(name).times).toBeLessThan(2 * CONNECTIONS);
    proxy.disableFaults();
    expect((await rawCall({ method: 'GET', url: `${api.url}/api/files/${path}`, token })).status).toBe(200);
  });
});
