import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { NotReady } from './health.errors';
import { HealthModule } from './health.module';
import { HealthMonitor } from '../../health/health-monitor';
import type { HealthProbe } from '../../health/health-probe';
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
  context = await NestFactory.createApplicationContext(HealthModule.forRoot(options), { logger: false });
  return context.get(Readiness);
}

async function reportOf(probes: readonly HealthProbe[], areChecked?: boolean): Promise<ReadinessReport> {
  return (await readinessOf(probes, areChecked)).report();
}

async function notReadyErrorOf(probes: readonly HealthProbe[], areChecked?: boolean): Promise<NotReady> {
  const error: unknown = await reportOf(probes, areChecked).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(NotReady);
  return error as NotReady;
}

describe('Readiness', () => {
  it('is ok while every dependency is up', async () => {
    expect(await reportOf([gating('postgres', up), reported('dns', up)])).toStrictEqual({
      status: 'ok',
      checks: { postgres: 'up', dns: 'up' },
    });
  });

  it('is ok without dependencies', async () => {
    expect(await reportOf([])).toStrictEqual({ status: 'ok', checks: {} });
  });

  it('is ready but degraded while a non-gating dependency is down', async () => {
    expect(await reportOf([gating('postgres', up), reported('storage', down), reported('dns', up)])).toStrictEqual({
      status: 'degraded',
      checks: { postgres: 'up', storage: 'down', dns: 'up' },
    });
  });

  it('is not ready while a gating dependency is down and lists every dependency that is down', async () => {
    const error = await notReadyErrorOf([gating('postgres', down), gating('signing-keys', up), reported('dns', down)]);
    expect(error.fields).toHaveLength(2);
    expect(error.fields).toEqual(
      expect.arrayContaining([
        { field: 'postgres', reason: 'down' },
        { field: 'dns', reason: 'down' },
      ]),
    );
    expect(error.headers).toEqual({ 'retry-after': '5' });
  });

  it('exposes the reasons only to the log', async () => {
    const error = await notReadyErrorOf([gating('postgres', down)]);
    expect(JSON.stringify([error.message, error.fields])).not.toContain('10.0.0.7');
    expect((error.cause as Error).message).toBe('postgres: connect ECONNREFUSED 10.0.0.7:5432');
  });

  it('does not expose why it is degraded', async () => {
    expect(JSON.stringify(await reportOf([reported('dns', down)]))).not.toContain('10.0.0.7');
  });

  it('counts a check that rejects with a non-error as down', async () => {
    const rejecting = () => Promise.reject('unavailable' as unknown as Error);
    const error = await notReadyErrorOf([gating('odd', rejecting)]);
    expect(error.fields).toEqual([{ field: 'odd', reason: 'down' }]);
    expect((error.cause as Error).message).toBe('odd: unavailable');
  });

  it('is not ready until every gating dependency was checked', async () => {
    const error = await notReadyErrorOf([gating('postgres', hanging), reported('storage', hanging)], false);
    expect(error.fields).toEqual([{ field: 'postgres', reason: 'unknown' }]);
  });

  it('omits a non-gating dependency from the report until it was checked', async () => {
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

  it('checks no dependency for a report', async () => {
    let checks = 0;
    const readiness = await readinessOf([gating('postgres', async () => void (checks += 1))]);
    for (let reports = 0; reports < 20; reports += 1) await readiness.report();
    expect(checks).toBe(1);
  });
});
