import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import type { HealthProbe } from '@homeport/platform/server';
import { EdgeHealth } from './edge-health';

/** What is answered, when it is. */
function asked(health: EdgeHealth, url = '/health/ready'): Promise<string> {
  return new Promise((resolve) => {
    let status = 0;
    const response = {
      writeHead: (code: number) => (status = code),
      end: (body: Buffer) => resolve(`${status} ${body}`),
    };
    const isOurs = health.answer({ url, method: 'GET' } as IncomingMessage, response as unknown as ServerResponse);
    if (!isOurs) resolve('not ours');
  });
}

const up = () => Promise.resolve();
const down = () => Promise.reject(new Error('away'));
const postgres = (check: HealthProbe['check']): HealthProbe => ({ name: 'postgres', gates: true, check });
const storage = (check: HealthProbe['check']): HealthProbe => ({ name: 'storage', gates: false, check });
const healthOf = (probes: HealthProbe[], knowsSites = () => false) =>
  new EdgeHealth(probes, knowsSites, { warn: () => undefined });

describe('EdgeHealth', () => {
  it('lives, and knows no other address', async () => {
    const health = healthOf([postgres(down)]);
    expect(await asked(health, '/health/live')).toBe('200 {"status":"ok"}');
    expect(await asked(health, '/health')).toBe('not ours');
    expect(await asked(health, '/')).toBe('not ours');
  });

  it('is not ready before what gates has answered once, and stays ready', async () => {
    let check: () => Promise<void> = down;
    const health = healthOf([postgres(() => check()), storage(down)]);
    expect(await asked(health)).toBe('503 {"status":"starting","checks":{"postgres":"down","storage":"down"}}');
    check = up;
    expect(await asked(health)).toBe('200 {"status":"degraded","checks":{"postgres":"up","storage":"down"}}');
    check = down;
    expect(await asked(health)).toBe('200 {"status":"degraded","checks":{"postgres":"down","storage":"down"}}');
  });

  it('is ready with something to serve, whatever is away', async () => {
    expect(await asked(healthOf([postgres(down)], () => true))).toMatch(/^200 /);
  });

  it('asks each dependency once for all who ask at once', async () => {
    let count = 0;
    const health = healthOf([postgres(async () => void (count += 1))]);
    await Promise.all(Array.from({ length: 20 }, () => asked(health)));
    expect(count).toBe(1);
    await asked(health);
    expect(count).toBe(2);
  });

  it('tells once that something is down, until it was up again', async () => {
    const told: string[] = [];
    let check: () => Promise<void> = down;
    const probes = [postgres(() => check()), storage(down)];
    const health = new EdgeHealth(probes, () => true, { warn: (_error, what) => void told.push(what) });
    for (const next of [down, down, up, down, down]) {
      check = next;
      await asked(health);
    }
    expect(told).toEqual(['postgres is down', 'storage is down', 'postgres is down']);
  });

  it('is not ready when it drains, and asks nobody', async () => {
    const health = healthOf([postgres(() => Promise.reject(new Error('asked')))], () => true);
    health.isDraining = true;
    expect(await asked(health)).toBe('503 {"status":"draining"}');
  });
});
