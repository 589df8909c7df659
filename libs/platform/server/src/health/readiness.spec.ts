import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { NotReady } from './health.errors';
import { HealthModule } from './health.module';
import type { HealthProbe } from './health-probe';
import { Readiness, type ReadinessReport } from './readiness';

const up = () => Promise.resolve();
const down = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:5432'));
const gating = (name: string, check: HealthProbe['check']): HealthProbe => ({ name, gates: true, check });
const reported = (name: string, check: HealthProbe['check']): HealthProbe => ({ name, gates: false, check });

let context: INestApplicationContext | undefined;
let draining = false;

afterEach(async () => {
  await context?.close();
  context = undefined;
  draining = false;
});

async function readinessOf(probes: readonly HealthProbe[], checkLimitMs?: number): Promise<Readiness> {
  const options = { probes, isDraining: () => draining, ...(checkLimitMs === undefined ? {} : { checkLimitMs }) };
  context = await NestFactory.createApplicationContext(HealthModule.with(options), { logger: false });
  return context.get(Readiness);
}

async function reportOf(probes: readonly HealthProbe[], checkLimitMs?: number): Promise<ReadinessReport> {
  return (await readinessOf(probes, checkLimitMs)).report();
}

async function refusalOf(probes: readonly HealthProbe[], checkLimitMs?: number): Promise<NotReady> {
  const error: unknown = await reportOf(probes, checkLimitMs).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(NotReady);
  return error as NotReady;
}

describe('Readiness', () => {
  it('is ok while everything answers', async () => {
    expect(await reportOf([gating('postgres', up), reported('dns', up)])).toStrictEqual({
      status: 'ok',
      checks: { postgres: 'up', dns: 'up' },
    });
  });

  it('is ok with nothing to ask', async () => {
    expect(await reportOf([])).toStrictEqual({ status: 'ok', checks: {} });
  });

  it('is degraded, and still ready, while something that does not gate is down', async () => {
    expect(await reportOf([gating('postgres', up), reported('storage', down), reported('dns', up)])).toStrictEqual({
      status: 'degraded',
      checks: { postgres: 'up', storage: 'down', dns: 'up' },
    });
  });

  it('is not ready while something that gates is down, and names all that is', async () => {
    const refusal = await refusalOf([gating('postgres', down), gating('signing-keys', up), reported('dns', down)]);
    expect(refusal.fields).toHaveLength(2);
    expect(refusal.fields).toEqual(
      expect.arrayContaining([
        { field: 'postgres', reason: 'down' },
        { field: 'dns', reason: 'down' },
      ]),
    );
    expect(refusal.headers).toEqual({ 'retry-after': '5' });
  });

  it('says why to the log alone', async () => {
    const refusal = await refusalOf([gating('postgres', down)]);
    expect(JSON.stringify([refusal.message, refusal.fields])).not.toContain('10.0.0.7');
    expect((refusal.cause as Error).message).toBe('postgres: connect ECONNREFUSED 10.0.0.7:5432');
  });

  it('says nothing about why something is degraded', async () => {
    expect(JSON.stringify(await reportOf([reported('dns', down)]))).not.toContain('10.0.0.7');
  });

  it('counts a probe that fails at once, or with something that is no error, as down', async () => {
    const throwing = () => {
      throw new TypeError('a defect');
    };
    const odd = () => Promise.reject('away' as unknown as Error);
    const { checks } = await reportOf([reported('throwing', throwing), reported('odd', odd)]);
    expect(checks).toEqual({ throwing: 'down', odd: 'down' });
  });

  it('counts a probe that does not answer in time as down, and tells it to stop', async () => {
    let stopped: AbortSignal | undefined;
    const slow = (signal: AbortSignal) => {
      stopped = signal;
      return new Promise<void>(() => undefined);
    };
    expect((await refusalOf([gating('postgres', slow)], 10)).fields).toEqual([{ field: 'postgres', reason: 'down' }]);
    expect(stopped?.aborted).toBe(true);
    expect((await reportOf([reported('dns', slow), gating('postgres', up)], 10)).checks).toEqual({
      dns: 'down',
      postgres: 'up',
    });
  });

  it('asks all probes at the same time', async () => {
    let waiting = 0;
    let release: () => void = () => undefined;
    const everybodyAsked = new Promise<void>((resolve) => (release = resolve));
    const meeting = () => {
      if (++waiting === 3) release();
      return everybodyAsked;
    };
    const { status } = await reportOf([gating('a', meeting), gating('b', meeting), reported('c', meeting)]);
    expect(status).toBe('ok');
  });

  it('is not ready while it drains, and asks nobody', async () => {
    let asked = 0;
    const readiness = await readinessOf([gating('postgres', async () => void asked++)]);
    draining = true;
    await expect(readiness.report()).rejects.toMatchObject({ fields: [{ field: 'instance', reason: 'down' }] });
    expect(asked).toBe(0);
    draining = false;
    await expect(readiness.report()).resolves.toMatchObject({ status: 'ok' });
  });

  it('asks anew every time', async () => {
    let isUp = false;
    const readiness = await readinessOf([gating('postgres', () => (isUp ? up() : down()))]);
    await expect(readiness.report()).rejects.toBeInstanceOf(NotReady);
    isUp = true;
    await expect(readiness.report()).resolves.toMatchObject({ status: 'ok' });
  });
});
