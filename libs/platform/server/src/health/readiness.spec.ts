import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { NotReady } from './health.errors';
import { HealthModule } from './health.module';
import { HealthMonitor } from './health-monitor';
import type { HealthProbe } from './health-probe';
import { Readiness, type ReadinessReport } from './readiness';

const up = () => Promise.resolve();
const down = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:5432'));
const hanging = () => new Promise<void>(() => undefined);
const gating = (name: string, check: HealthProbe['check']): HealthProbe => ({ name, gates: true, check });
const reported = (name: string, check: HealthProbe['check']): HealthProbe => ({ name, gates: false, check });

let context: INestApplicationContext | undefined;
let monitor: HealthMonitor | undefined;
let draining = false;

afterEach(async () => {
  monitor?.stop();
  await context?.close();
  context = undefined;
  draining = false;
});

/** @param areChecked whether the first check of every dependency has finished. */
async function readinessOf(probes: readonly HealthProbe[], areChecked = true): Promise<Readiness> {
  monitor = new HealthMonitor({ probes });
  monitor.start();
  if (areChecked) await monitor.waitForFirstChecks();
  const options = { monitor, isDraining: () => draining };
  context = await NestFactory.createApplicationContext(HealthModule.with(options), { logger: false });
  return context.get(Readiness);
}

async function reportOf(probes: readonly HealthProbe[], areChecked?: boolean): Promise<ReadinessReport> {
  return (await readinessOf(probes, areChecked)).report();
}

async function refusalOf(probes: readonly HealthProbe[], areChecked?: boolean): Promise<NotReady> {
  const error: unknown = await reportOf(probes, areChecked).catch((reason: unknown) => reason);
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

  it('counts a dependency that fails with something that is no error as down', async () => {
    const odd = () => Promise.reject('unavailable' as unknown as Error);
    const refusal = await refusalOf([gating('odd', odd)]);
    expect(refusal.fields).toEqual([{ field: 'odd', reason: 'down' }]);
    expect((refusal.cause as Error).message).toBe('odd: unavailable');
  });

  it('is not ready until every dependency that gates was checked', async () => {
    const refusal = await refusalOf([gating('postgres', hanging), reported('storage', hanging)], false);
    expect(refusal.fields).toEqual([{ field: 'postgres', reason: 'unknown' }]);
  });

  it('leaves a dependency that does not gate out of the report until it was checked', async () => {
    expect(await reportOf([gating('postgres', up), reported('storage', hanging)], false)).toEqual({
      status: 'ok',
      checks: { postgres: 'up' },
    });
  });

  it('is not ready while the instance shuts down', async () => {
    const readiness = await readinessOf([gating('postgres', up)]);
    draining = true;
    await expect(readiness.report()).rejects.toMatchObject({ fields: [{ field: 'instance', reason: 'down' }] });
  });

  it('asks no dependency for a report', async () => {
    let asked = 0;
    const readiness = await readinessOf([gating('postgres', async () => void (asked += 1))]);
    for (let reports = 0; reports < 20; reports += 1) await readiness.report();
    expect(asked).toBe(1);
  });
});
