import { beforeEach, describe, expect, it } from '@jest/globals';
import { type DependencyCall, OutageLog } from './outage-log';
import { withOutageLog } from './with-outage-log';

interface Line {
  readonly level: 'warn' | 'info';
  readonly dependency: string;
  readonly operation: string;
  readonly cause: string;
  readonly ms?: number;
  readonly err?: object;
  readonly msg: string;
}

const QUIET_MS = 30_000;
const refused = () => Object.assign(new Error('connect refused'), { code: 'ECONNREFUSED' });
const denied = () => Object.assign(new Error('denied'), { code: 'AccessDenied' });

let now: number;
let lines: Line[];
let outages: OutageLog;

const write = (level: Line['level']) => (fields: object, msg: string) => {
  lines.push({ level, ...fields, msg } as Line);
};

beforeEach(() => {
  now = 1_000_000;
  lines = [];
  const log = { warn: write('warn'), info: write('info') } as never;
  outages = new OutageLog('storage', log, { now: () => now, quietMs: QUIET_MS });
});

const messages = () => lines.map(({ msg, operation, cause }) => `${msg}: ${operation} ${cause}`);

describe('OutageLog', () => {
  it('logs the start with its cause and the end with its duration, and nothing in between', () => {
    for (let i = 0; i < 5; i += 1) outages.failed(refused(), 'read');
    now += 4_200;
    for (let i = 0; i < 5; i += 1) outages.succeeded('read');
    expect(lines).toEqual([
      {
        level: 'warn',
        dependency: 'storage',
        operation: 'read',
        cause: 'ECONNREFUSED',
        err: { type: 'Error', message: 'connect refused', code: 'ECONNREFUSED' },
        msg: 'dependency failed',
      },
      {
        level: 'info',
        dependency: 'storage',
        operation: 'read',
        cause: 'ECONNREFUSED',
        ms: 4_200,
        msg: 'dependency recovered',
      },
    ]);
  });

  it('logs nothing while all operations succeed', () => {
    outages.succeeded('read');
    expect(lines).toEqual([]);
  });

  it('logs a change of cause', () => {
    outages.failed(refused(), 'read');
    outages.failed(denied(), 'read');
    outages.succeeded('read');
    expect(messages()).toEqual([
      'dependency failed: read ECONNREFUSED',
      'dependency failed: read AccessDenied',
      'dependency recovered: read AccessDenied',
    ]);
  });

  it('logs one outage when several operations fail with one cause, and ends it with the first success', () => {
    outages.failed(refused(), 'read');
    outages.failed(refused(), 'write');
    outages.succeeded('read');
    outages.succeeded('write');
    expect(messages()).toEqual(['dependency failed: read ECONNREFUSED', 'dependency recovered: read ECONNREFUSED']);
  });

  it('does not end an outage of writes with a read', () => {
    outages.failed(denied(), 'write');
    outages.succeeded('read');
    expect(messages()).toEqual(['dependency failed: write AccessDenied']);
    outages.succeeded('write');
    expect(messages()).toHaveLength(2);
  });

  it('throttles a flapping cause and logs it when it persists', () => {
    for (let i = 0; i < 1_000; i += 1) {
      outages.failed(refused(), 'read');
      outages.succeeded('read');
    }
    expect(messages()).toHaveLength(2);
    outages.failed(refused(), 'read');
    now += QUIET_MS;
    outages.failed(refused(), 'read');
    outages.succeeded('read');
    expect(messages()).toHaveLength(4);
    expect(lines.at(-1)?.ms).toBe(QUIET_MS);
  });

  it('limits the number of stored causes', () => {
    for (let i = 0; i < 1_000; i += 1) {
      outages.failed(Object.assign(new Error('x'), { code: `E${i}` }), `operation-${i}`);
    }
    lines.length = 0;
    for (let i = 0; i < 1_000; i += 1) outages.succeeded(`operation-${i}`);
    expect(lines).toHaveLength(20);
  });
});

describe('the calls of an outage log', () => {
  it('are reported with their duration: a failure is an outage, not an expected answer', async () => {
    const calls: DependencyCall[] = [];
    const measured = new OutageLog('storage', { warn: write('warn'), info: write('info') } as never, {
      now: () => now,
      onCall: (call) => calls.push(call),
    });
    const isOutage = (error: unknown) => (error as { code?: string }).code === 'ECONNREFUSED';
    const attempt = (name: string, call: () => Promise<unknown>, signal?: AbortSignal) =>
      withOutageLog(measured, { name, isOutage, signal }, call).catch(() => undefined);
    await attempt('read', async () => (now += 250));
    await attempt('read', () => Promise.reject(denied()));
    await attempt('write', () => Promise.reject(refused()));
    await attempt('write', () => Promise.reject(refused()), AbortSignal.abort());
    expect(calls.map(({ operation, outcome }) => `${operation} ${outcome}`)).toEqual([
      'read success',
      'read success',
      'write failure',
      'write success',
    ]);
    expect(calls[0]).toEqual({ dependency: 'storage', operation: 'read', outcome: 'success', seconds: 0.25 });
  });
});
