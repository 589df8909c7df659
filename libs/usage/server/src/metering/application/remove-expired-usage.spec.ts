import { describe, expect, it } from '@jest/globals';
import { InMemoryUsageStore } from '../adapters/memory/in-memory-usage-store';
import { RemoveExpiredUsage } from './remove-expired-usage';

describe('RemoveExpiredUsage', () => {
  it('removes only events that are too old to be reported again, a few batches in a run', async () => {
    const store = new InMemoryUsageStore();
    const event = (id: string, at: string) => ({
      ...{ organization: 'northwind', source: 'https://agents.example.com', id, item: 'agent-run' },
      ...{ quantity: 1n, at: new Date(at) },
    });
    const events = Array.from({ length: 10 }, (_, n) => event(`old-${n}`, '2026-09-30T00:00:00Z'));
    const recent = event('recent', '2026-10-02T00:00:00Z');
    await store.record([...events, recent]);
    let batches: number[] = [];
    const remove = store.removeEvents.bind(store);
    store.removeEvents = async (before, limit) => {
      const removed = await remove(before, limit);
      batches.push(removed);
      return removed;
    };
    const now = () => new Date('2026-12-03T00:00:00Z');
    const removal = new RemoveExpiredUsage(store, { batchSize: 3, maxBatches: 2, now });
    await removal.execute();
    expect(batches).toEqual([3, 3]);
    batches = [];
    await removal.execute();
    expect(batches).toEqual([3, 1]);
    expect(await store.record([recent])).toBe(0);
  });
});
