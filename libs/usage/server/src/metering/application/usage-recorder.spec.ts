import { beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseUnavailable } from '@homeport/kernel';
import { BillingPeriod } from '@homeport/usage/contracts';
import { InMemoryUsageSpool } from '../adapters/memory/in-memory-usage-spool';
import { InMemoryUsageStore } from '../adapters/memory/in-memory-usage-store';
import { batchName } from '../domain/counted-use';
import { UsageRecorder } from './usage-recorder';

const november = BillingPeriod.parse('2026-11') as BillingPeriod;
const MICRO = 1_000_000n;

const flush = async (recorder: UsageRecorder) => {
  await recorder.spool();
  await recorder.deliver();
};

describe('UsageRecorder', () => {
  let now: Date;
  let store: InMemoryUsageStore;
  let spool: InMemoryUsageSpool;
  let failures: unknown[];
  const recorder = () =>
    new UsageRecorder({ store, spool, reportFailure: (error) => failures.push(error), now: () => now });
  const used = async (organization = 'northwind', period = november) => {
    const [usage] = await store.usageOf([{ organization, createdAt: new Date(0), trialEndsAt: now }], period);
    return usage ? (usage.inTrial.total + usage.afterTrial.total) / MICRO : 0n;
  };

  beforeEach(() => {
    now = new Date('2026-11-20T10:30:00Z');
    store = new InMemoryUsageStore();
    spool = new InMemoryUsageSpool();
    failures = [];
  });

  it('records the counted uses of each organization at a flush', async () => {
    const counting = recorder();
    for (let n = 0; n < 3; n += 1) counting.count('northwind', 'gateway-call');
    counting.count('globex', 'gateway-call');
    expect(await used()).toBe(0n);
    await flush(counting);
    await flush(counting);
    expect([await used(), await used('globex')]).toEqual([3n, 1n]);
    expect(await spool.names()).toEqual([]);
  });

  it('attributes uses to the hour in which they occurred', async () => {
    const counting = recorder();
    now = new Date('2026-11-30T23:59:59.999Z');
    counting.count('northwind', 'gateway-call');
    now = november.end;
    counting.count('northwind', 'gateway-call');
    await flush(counting);
    expect([await used(), await used('northwind', november.next())]).toEqual([1n, 1n]);
  });

  it('keeps batches in the spool while the database is unavailable, and counts them once afterwards', async () => {
    const record = store.recordBatches.bind(store);
    const counting = recorder();
    // The database stores the batch, but its answer is lost.
    store.recordBatches = async (batches) => {
      await record(batches);
      throw new DatabaseUnavailable();
    };
    counting.count('northwind', 'gateway-call');
    await flush(counting);
    counting.count('northwind', 'gateway-call');
    await flush(counting);
    expect(await spool.names()).toHaveLength(2);
    store.recordBatches = record;
    await flush(counting);
    expect(await used()).toBe(2n);
    expect(await spool.names()).toEqual([]);
    expect(failures).toEqual([]);
  });

  it('delivers the batches of a process that was killed', async () => {
    const record = store.recordBatches.bind(store);
    store.recordBatches = () => Promise.reject(new DatabaseUnavailable());
    const killed = recorder();
    killed.count('northwind', 'gateway-call');
    await flush(killed);
    store.recordBatches = record;
    await flush(recorder());
    expect(await used()).toBe(1n);
  });

  it('counts the batches of the previous version once, by their events', async () => {
    const hour = new Date('2026-11-20T10:00:00Z');
    const events = ['000000000000:0', '000000000000:1'].map((id) => ({
      ...{ organization: 'northwind', source: 'urn:homeport:api:ended', id, item: 'gateway-call' },
      ...{ quantity: MICRO, at: hour },
    }));
    await store.record(events.slice(0, 1));
    const remove = spool.remove.bind(spool);
    spool.remove = () => Promise.reject(new Error('read-only file system'));
    await spool.add({ name: batchName('ended', 0), uses: [], events });
    const counting = recorder();
    counting.count('northwind', 'gateway-call');
    await flush(counting);
    spool.remove = remove;
    await flush(counting);
    expect([await used(), await spool.names()]).toEqual([3n, []]);
  });

  it('keeps counts in memory while the spool cannot store them', async () => {
    const add = spool.add.bind(spool);
    spool.add = () => Promise.reject(new Error('no space left on device'));
    const counting = recorder();
    counting.count('northwind', 'gateway-call');
    await flush(counting);
    counting.count('northwind', 'gateway-call');
    await flush(counting);
    expect(failures).toHaveLength(2);
    spool.add = add;
    await flush(counting);
    expect(await used()).toBe(2n);
  });

  it('tells how long counts are only in memory, also when the rest is delivered', async () => {
    const reports: string[] = [];
    const counting = new UsageRecorder({
      ...{ store, spool, now: () => now },
      reportFailure: (_error, operation) => reports.push(`${operation} failed`),
      reportSuccess: (operation) => reports.push(`${operation} succeeded`),
    });
    const add = spool.add.bind(spool);
    spool.add = () => Promise.reject(new Error('no space left on device'));
    const later = () => (now = new Date(now.getTime() + 60_000));
    counting.count('northwind', 'gateway-call');
    later();
    await flush(counting);
    counting.count('northwind', 'gateway-call');
    later();
    expect(counting.secondsBehind).toBe(120);
    spool.add = add;
    await flush(counting);
    expect(counting.secondsBehind).toBe(0);
    expect(reports).toEqual(['spool failed', 'deliver succeeded', 'spool succeeded', 'deliver succeeded']);
  });

  it('delivers other batches when the store rejects one', async () => {
    const record = store.recordBatches.bind(store);
    store.recordBatches = () => Promise.reject(new Error('value out of range'));
    const counting = recorder();
    counting.count('northwind', 'gateway-call');
    await flush(counting);
    const [rejected] = await spool.names();
    store.recordBatches = (batches) =>
      batches.some(({ name }) => name === rejected) ? Promise.reject(new Error('value out of range')) : record(batches);
    counting.count('northwind', 'gateway-call');
    await flush(counting);
    expect(await used()).toBe(1n);
    expect(await spool.names()).toHaveLength(1);
    expect(failures).toHaveLength(2);
  });

  it('delivers other batches when one cannot be read, and reports when all are delivered', async () => {
    let successes = 0;
    const counting = new UsageRecorder({
      ...{ store, spool, now: () => now },
      reportFailure: (error) => failures.push(error),
      reportSuccess: (operation) => (successes += operation === 'deliver' ? 1 : 0),
    });
    await spool.add({ name: 'damaged-000000000000', uses: [] });
    const read = spool.read.bind(spool);
    spool.read = (name) =>
      name === 'damaged-000000000000' ? Promise.reject(new Error('Unexpected end of JSON')) : read(name);
    counting.count('northwind', 'gateway-call');
    await flush(counting);
    expect([await used(), await spool.names(), failures.length, successes]).toEqual([
      1n,
      ['damaged-000000000000'],
      1,
      0,
    ]);
    spool.read = read;
    await flush(counting);
    expect([await spool.names(), successes]).toEqual([[], 1]);
  });

  it('tells how much it counted, and how long the store has missed some of it', async () => {
    const record = store.recordBatches.bind(store);
    const counting = recorder();
    counting.count('northwind', 'gateway-call');
    counting.count('globex', 'gateway-call');
    const later = () => (now = new Date(now.getTime() + 60_000));
    for (const error of [new DatabaseUnavailable(), new Error('value out of range')]) {
      store.recordBatches = () => Promise.reject(error);
      later();
      await flush(counting);
    }
    expect([counting.counted, counting.secondsBehind]).toEqual([2, 120]);
    store.recordBatches = record;
    await flush(counting);
    expect(counting.secondsBehind).toBe(0);
  });

  it('spools counts while a delivery runs, and stops without waiting for a backlog', async () => {
    for (let number = 0; number < 250; number += 1) {
      const hour = new Date('2026-11-20T10:00:00Z');
      const uses = [{ organization: 'northwind', item: 'gateway-call', hour, quantity: MICRO }];
      await spool.add({ name: batchName('ended', number), uses });
    }
    const record = store.recordBatches.bind(store);
    const answer = Promise.withResolvers<undefined>();
    const started = Promise.withResolvers<undefined>();
    store.recordBatches = async (batches) => {
      started.resolve(undefined);
      await answer.promise;
      return record(batches);
    };
    const counting = recorder();
    const delivery = counting.deliver();
    await started.promise;
    counting.count('globex', 'gateway-call');
    await counting.spool();
    expect(await spool.names()).toHaveLength(251);
    const stopped = counting.stop();
    answer.resolve(undefined);
    await Promise.all([stopped, delivery]);
    expect([await used(), await used('globex'), (await spool.names()).length]).toEqual([100n, 1n, 150]);
    await flush(recorder());
    expect([await used(), await spool.names()]).toEqual([250n, []]);
  });

  it('records the last counts when it stops', async () => {
    const counting = recorder();
    await counting.start();
    counting.count('northwind', 'gateway-call');
    await counting.stop();
    expect(await used()).toBe(1n);
  });
});
