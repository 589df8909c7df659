import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { HealthMonitor } from './health-monitor';
import { recordOutages } from '../testing/record-outages';
import type { HealthProbe } from './health-probe';

/** Longer than any delay between two checks. */
const LONG_MS = 60_000;

let monitor: HealthMonitor;
let recorded: ReturnType<typeof recordOutages>;

beforeEach(() => {
  jest.useFakeTimers();
  recorded = recordOutages('postgres');
});
afterEach(() => {
  monitor.stop();
  jest.useRealTimers();
});

function startWith(...probes: readonly HealthProbe[]): void {
  const { outages } = recorded;
  monitor = new HealthMonitor({ probes: probes.map((probe) => ({ outages, ...probe })), checkTimeoutMs: 2_000 });
  monitor.start();
}

const statuses = () => monitor.states.map(({ name, status }) => `${name} ${status}`);
const never = () => new Promise<void>(() => undefined);
/** Rejects when aborted, like an HTTP request. */
const hanging = (signal: AbortSignal) =>
  new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));

describe('HealthMonitor', () => {
  it('reports unknown until the first checks have finished and counts a hanging check as down', async () => {
    startWith(
      { name: 'postgres', gates: true, check: hanging },
      { name: 'storage', gates: false, check: async () => undefined },
    );
    expect(statuses()).toEqual(['postgres unknown', 'storage unknown']);
    await jest.advanceTimersByTimeAsync(1_999);
    expect(statuses()).toEqual(['postgres unknown', 'storage up']);
    await jest.advanceTimersByTimeAsync(1);
    expect(statuses()).toEqual(['postgres down', 'storage up']);
    await monitor.waitForFirstChecks();
  });

  it('keeps the last known state while a later check hangs', async () => {
    let check: HealthProbe['check'] = async () => undefined;
    startWith({ name: 'postgres', gates: true, check: (signal) => check(signal) });
    await monitor.waitUntilHealthy();
    let wasChecked = false;
    check = (signal) => {
      wasChecked = true;
      return hanging(signal);
    };
    while (!wasChecked) await jest.advanceTimersByTimeAsync(100);
    expect(statuses()).toEqual(['postgres up']);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(statuses()).toEqual(['postgres down']);
  });

  it('runs one check of a dependency at a time', async () => {
    let checks = 0;
    startWith({
      name: 'postgres',
      gates: true,
      check: () => {
        checks += 1;
        return never();
      },
    });
    await jest.advanceTimersByTimeAsync(LONG_MS);
    expect([checks, statuses()]).toEqual([1, ['postgres down']]);
  });

  it('aborts a check at its time limit', async () => {
    let signal: AbortSignal | undefined;
    startWith({
      name: 'postgres',
      gates: true,
      check: (given) => {
        signal = given;
        return never();
      },
    });
    await jest.advanceTimersByTimeAsync(2_000);
    expect(signal?.aborted).toBe(true);
  });

  it('retries soon after a failure and backs off up to the interval', async () => {
    const times: number[] = [];
    startWith({
      name: 'dns',
      gates: false,
      intervalMs: 4_000,
      check: async () => {
        times.push(Date.now());
        throw new Error('unavailable');
      },
    });
    await jest.advanceTimersByTimeAsync(LONG_MS);
    const delays = times.slice(1, 7).map((time, at) => time - (times[at] as number));
    for (const [at, expected] of [500, 1_000, 2_000, 4_000, 4_000, 4_000].entries()) {
      expect(delays[at]).toBeGreaterThanOrEqual(expected * 0.8);
      expect(delays[at]).toBeLessThanOrEqual(expected * 1.2);
    }
    expect(new Set(delays).size).toBeGreaterThan(3);
  });

  it('retries a gating dependency soon every time, because load balancers wait for it', async () => {
    const times: number[] = [];
    startWith({
      name: 'postgres',
      gates: true,
      check: async () => {
        times.push(Date.now());
        throw new Error('unavailable');
      },
    });
    await jest.advanceTimersByTimeAsync(LONG_MS);
    const delays = times.slice(1).map((time, at) => time - (times[at] as number));
    expect(delays.length).toBeGreaterThan(10);
    expect(Math.max(...delays)).toBeLessThanOrEqual(600);
  });

  it('checks again at once after a check that took longer than the delay', async () => {
    const times: number[] = [];
    const check = () => {
      times.push(Date.now());
      return new Promise<void>((_, reject) => setTimeout(() => reject(new Error('unavailable')), 1_000));
    };
    startWith({ name: 'postgres', gates: true, check });
    await jest.advanceTimersByTimeAsync(5_500);
    const delays = times.slice(1).map((time, at) => time - (times[at] as number));
    expect(delays).toHaveLength(5);
    expect(Math.max(...delays)).toBeLessThanOrEqual(1_001);
  });

  it('logs an outage once with its cause and duration', async () => {
    let isUp = false;
    const check = async () => {
      if (!isUp) throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' });
    };
    startWith({ name: 'postgres', gates: true, check });
    await jest.advanceTimersByTimeAsync(LONG_MS);
    const failed = { msg: 'dependency failed', dependency: 'postgres', cause: 'ECONNREFUSED' };
    expect(recorded.lines).toMatchObject([failed]);
    isUp = true;
    await jest.advanceTimersByTimeAsync(LONG_MS);
    expect(recorded.lines).toMatchObject([failed, { msg: 'dependency recovered', cause: 'ECONNREFUSED' }]);
    expect(recorded.lines[1]?.ms).toBeGreaterThanOrEqual(LONG_MS);
    isUp = false;
    await jest.advanceTimersByTimeAsync(LONG_MS);
    expect(recorded.lines).toHaveLength(3);
  });

  it('logs nothing for a dependency that is up from the start', async () => {
    startWith({ name: 'postgres', gates: true, check: async () => undefined });
    await jest.advanceTimersByTimeAsync(LONG_MS);
    expect(recorded.lines).toEqual([]);
  });

  it('becomes healthy once every gating dependency was up, regardless of the others', async () => {
    let isUp = false;
    let isHealthy = false;
    const check = async () => {
      if (!isUp) throw new Error('refused');
    };
    startWith({ name: 'postgres', gates: true, check }, { name: 'storage', gates: false, check: hanging });
    void monitor.waitUntilHealthy().then(() => (isHealthy = true));
    await jest.advanceTimersByTimeAsync(LONG_MS);
    expect(isHealthy).toBe(false);
    isUp = true;
    await jest.advanceTimersByTimeAsync(LONG_MS);
    expect(isHealthy).toBe(true);
  });

  it('counts a check that throws synchronously as down', async () => {
    startWith({
      name: 'postgres',
      gates: true,
      check: () => {
        throw new TypeError('a defect');
      },
    });
    await monitor.waitForFirstChecks();
    expect(monitor.states).toEqual([
      { name: 'postgres', gates: true, status: 'down', cause: new TypeError('a defect') },
    ]);
  });

  it('runs no checks after stop() and does not log checks aborted by it', async () => {
    let checks = 0;
    startWith({
      name: 'postgres',
      gates: true,
      check: (signal) => {
        checks += 1;
        return hanging(signal);
      },
    });
    monitor.stop();
    await jest.advanceTimersByTimeAsync(LONG_MS);
    expect([checks, recorded.lines]).toEqual([1, []]);
  });
});
