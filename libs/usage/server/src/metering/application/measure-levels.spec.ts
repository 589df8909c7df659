import { beforeEach, describe, expect, it } from '@jest/globals';
import { BillingPeriod } from '@homeport/usage/contracts';
import { InMemoryUsageStore } from '../adapters/memory/in-memory-usage-store';
import type { LevelSource } from './level-source.port';
import { MeasureLevels } from './measure-levels';

const november = BillingPeriod.parse('2026-11') as BillingPeriod;
const MICRO = 1_000_000n;
const accountOf = (organization: string) => ({
  organization,
  createdAt: new Date(0),
  trialEndsAt: november.start,
});

describe('MeasureLevels', () => {
  let now: Date;
  let levels: Map<string, bigint>;
  let store: InMemoryUsageStore;
  const source: LevelSource = { item: 'storage', levels: async () => levels };
  const measure = () => new MeasureLevels(store, [source], () => now).execute();
  const at = (time: string) => (now = new Date(`2026-11-20T${time}Z`));
  const total = async (organization = 'northwind') => {
    const [usage] = await store.usageOf([accountOf(organization)], november);
    return (usage?.afterTrial.total ?? 0n) / MICRO;
  };

  beforeEach(() => {
    store = new InMemoryUsageStore();
    levels = new Map([['northwind', 100n]]);
  });

  it('records the level once for each hour', async () => {
    at('10:00:01');
    await Promise.all([measure(), measure()]);
    levels.set('northwind', 500n);
    at('10:59:59');
    await measure();
    expect(await total()).toBe(100n);
    at('11:00:00');
    await measure();
    expect(await total()).toBe(600n);
  });

  it('fills hours without a measurement with the lower level', async () => {
    levels.set('globex', 80n).set('initech', 5n);
    at('10:30:00');
    await measure();
    levels = new Map([
      ['northwind', 40n],
      ['globex', 90n],
      ['contoso', 7n],
    ]);
    at('13:10:00');
    await measure();
    expect(await total()).toBe(100n + 2n * 40n + 40n);
    expect(await total('globex')).toBe(80n + 2n * 80n + 90n);
    expect(await total('contoso')).toBe(7n);
    expect(await total('initech')).toBe(5n);
  });

  it('fills only the last week before the measurement when more is missing', async () => {
    now = new Date('2026-11-01T00:00:00Z');
    await measure();
    now = new Date('2026-11-20T00:00:00Z');
    await measure();
    const days = await store.daysOf(accountOf('northwind'), november, 'storage');
    expect(days.map(({ day }) => day)).toEqual([
      '2026-11-01',
      ...Array.from({ length: 8 }, (_, n) => `2026-11-${n + 13}`),
    ]);
    expect(await total()).toBe(100n * (1n + 7n * 24n + 1n));
  });

  it('does not fill hours from before the first measurement', async () => {
    at('13:00:00');
    await measure();
    expect(await total()).toBe(100n);
  });

  it('continues a measurement that ended half-way', async () => {
    at('10:00:00');
    store.noteMeasuredHour = () => Promise.reject(new Error('killed'));
    await expect(measure()).rejects.toThrow('killed');
    Reflect.deleteProperty(store, 'noteMeasuredHour');
    await measure();
    expect(await total()).toBe(100n);
  });
});
