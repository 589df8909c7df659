import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import type { HealthMonitor } from '@homeport/platform/server/health';
import { EdgeHealth } from './edge-health';

type States = HealthMonitor['states'];

function answerOf(health: EdgeHealth, url = '/health/ready'): string {
  let answer = '';
  const response = {
    writeHead: (code: number) => (answer = String(code)),
    end: (body: Buffer) => (answer = `${answer} ${body}`),
  };
  const isOurs = health.answer({ url, method: 'GET' } as IncomingMessage, response as unknown as ServerResponse);
  return isOurs ? answer : 'not ours';
}

const healthOf = (...states: States) => new EdgeHealth({ states });
const postgres = (status: States[number]['status']) => ({ name: 'postgres', gates: true, status });
const storage = (status: States[number]['status']) => ({ name: 'storage', gates: false, status });

describe('EdgeHealth', () => {
  it('answers two paths, and reports liveness without checking dependencies', () => {
    const health = healthOf(postgres('down'));
    expect(answerOf(health, '/health/live')).toBe('200 {"status":"ok"}');
    expect(answerOf(health, '/health')).toBe('not ours');
    expect(answerOf(health, '/')).toBe('not ours');
  });

  it.each([
    ['ok', [postgres('up'), storage('up')], { postgres: 'up', storage: 'up' }],
    ['degraded', [postgres('down'), storage('up')], { postgres: 'down', storage: 'up' }],
    ['degraded', [postgres('up'), storage('down')], { postgres: 'up', storage: 'down' }],
    ['ok', [postgres('up'), storage('unknown')], { postgres: 'up' }],
  ])('is ready and %s with %j', (status, states, checks) => {
    expect(answerOf(healthOf(...states))).toBe(`200 ${JSON.stringify({ status, checks })}`);
  });

  it('is not ready while the instance shuts down', () => {
    const health = healthOf(postgres('up'));
    health.isDraining = true;
    expect(answerOf(health)).toBe('503 {"status":"draining"}');
  });
});
