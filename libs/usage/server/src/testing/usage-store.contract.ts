import { beforeEach, describe, expect, it } from '@jest/globals';
import { BillingPeriod } from '@homeport/usage/contracts';
import type { UsageStore } from '../metering/application/usage-store.port';
import { batchName, type UsageBatch } from '../metering/domain/counted-use';
import type { UsageEvent } from '../metering/domain/usage-event';

const MICRO = 1_000_000n;
const november = BillingPeriod.parse('2026-11') as BillingPeriod;
const december = november.next();
const TRIAL_END = new Date('2026-11-10T00:00:00Z');

let count = 0;

/** Contract tests of all `UsageStore` adapters. @param open creates an empty store. */
export function usageStoreContract(name: string, open: () => Promise<UsageStore>): void {
  describe(`${name} as a usage store`, () => {
    let store: UsageStore;
    let organization: string;

    beforeEach(async () => {
      store = await open();
      organization = `organization-${count++}`;
    });
    const event = (changes: Partial<UsageEvent> = {}): UsageEvent => ({
      organization,
      source: 'https://agents.example.com',
      id: `event-${count++}`,
      item: 'agent-run',
      quantity: MICRO,
      at: new Date('2026-11-20T10:30:00Z'),
      ...changes,
    });
    const account = (createdAt = new Date(0)) => ({ organization, createdAt, trialEndsAt: TRIAL_END });
    const usage = async (period = november, createdAt?: Date) =>
      (await store.usageOf([account(createdAt)], period)).map(({ item, inTrial, afterTrial }) => [
        item,
        inTrial.total,
        afterTrial.total,
        inTrial.late + afterTrial.late,
      ]);

    it('adds up events by item, before and after the end of the trial', async () => {
      const accepted = await store.record([
        event({ at: new Date('2026-11-09T23:59:59.999Z'), quantity: 1n }),
        event({ at: TRIAL_END, quantity: 20n }),
        event({ quantity: 300n }),
        event({ item: 'tool-call', quantity: 5n }),
        event({ organization: `${organization}-other`, quantity: 7n }),
      ]);
      expect(accepted).toBe(5);
      expect((await usage()).sort()).toEqual([
        ['agent-run', 1n, 320n, 0n],
        ['tool-call', 0n, 5n, 0n],
      ]);
      expect(await usage(december)).toEqual([]);
    });

    it('counts an event once, also when instances record it at once', async () => {
      const repeated = event();
      const results = await Promise.all([1, 2, 3].map(() => store.record([repeated, event()])));
      expect(results.reduce((total, each) => total + each)).toBe(4);
      expect(await usage()).toEqual([['agent-run', 0n, 4n * MICRO, 0n]]);
    });

    it('counts the first of the events of a batch that have the same id', async () => {
      const events = Array.from({ length: 100 }, () => event());
      const repeated = events.map((each) => ({ ...each, quantity: 9n * MICRO }));
      expect(await store.record([...events, ...repeated])).toBe(100);
      expect(await usage()).toEqual([['agent-run', 0n, 100n * MICRO, 0n]]);
    });

    it('tells equal ids of different sources and organizations apart', async () => {
      const first = event({ id: 'same' });
      await store.record([first]);
      const others = [
        { ...first, source: 'https://vault.example.com' },
        { ...first, organization: `${organization}-other` },
      ];
      expect(await store.record(others)).toBe(2);
    });

    it('keeps exact quantities beyond the digits of a number', async () => {
      const quantity = 999_999_999_999_999_999n;
      await store.record([event({ quantity }), event({ quantity: 1n })]);
      expect(await usage()).toEqual([['agent-run', 0n, quantity + 1n, 0n]]);
    });

    it('adds a batch of counted uses once, in any order and from several instances', async () => {
      const process = `process-${count++}`;
      const batch = (number: number, quantity: bigint, hour = new Date('2026-11-20T10:00:00Z')): UsageBatch => ({
        name: batchName(process, number),
        uses: [{ organization, item: 'gateway-call', hour, quantity }],
      });
      const [first, second, third] = [batch(0, 1n), batch(1, 20n), batch(2, 300n, TRIAL_END)];
      await store.recordBatches([third, { ...batch(0, 4_000n), name: batchName(`${process}-other`, 0) }]);
      await Promise.all([1, 2, 3].map(() => store.recordBatches([first, second, third])));
      await store.recordBatches([]);
      expect(await usage()).toEqual([['gateway-call', 0n, 4_321n, 0n]]);
      await expect(store.recordBatches([{ ...first, name: 'damaged' }])).rejects.toThrow('not the name of a batch');
    });

    it('removes old events in order, keeps their sums, and recognizes the others', async () => {
      const [first, second, recent] = [
        event({ at: new Date('2026-01-01T00:00:00Z') }),
        event({ at: new Date('2026-01-02T00:00:00Z') }),
        event({ at: new Date('2026-01-03T00:00:00Z') }),
      ];
      await store.record([recent, second, first]);
      const remove = (limit: number) => store.removeEvents(recent.at, limit);
      expect([await remove(1), await remove(10), await remove(10)]).toEqual([1, 1, 0]);
      await store.removeDeliveries(recent.at);
      expect(await store.record([recent])).toBe(0);
      const january = BillingPeriod.parse('2026-01') as BillingPeriod;
      expect(await usage(january)).toEqual([['agent-run', 3n * MICRO, 0n, 0n]]);
    });

    it('lists the days with usage in order', async () => {
      await store.record([
        event({ at: new Date('2026-11-20T23:59:59Z'), quantity: 2n }),
        event({ at: new Date('2026-11-03T00:00:00Z'), quantity: 1n }),
        event({ at: new Date('2026-11-20T00:00:00Z'), quantity: 3n }),
      ]);
      expect(await store.daysOf(account(), november, 'agent-run')).toEqual([
        { day: '2026-11-03', recorded: 1n },
        { day: '2026-11-20', recorded: 5n },
      ]);
      expect(await store.daysOf(account(), november, 'tool-call')).toEqual([]);
    });

    it('counts usage from before the account in its first month', async () => {
      const createdAt = new Date('2026-11-05T10:00:00Z');
      await store.record([
        event({ at: new Date('2026-09-20T10:00:00Z'), quantity: 1n }),
        event({ at: new Date('2026-10-31T23:00:00Z'), quantity: 20n }),
        event({ quantity: 300n }),
        event({ at: december.start, quantity: 4_000n }),
      ]);
      expect(await usage(november.previous(), createdAt)).toEqual([]);
      expect(await usage(november, createdAt)).toEqual([['agent-run', 21n, 300n, 21n]]);
      expect(await usage(december, createdAt)).toEqual([['agent-run', 0n, 4_000n, 0n]]);
      const days = await store.daysOf(account(createdAt), november, 'agent-run');
      expect(days.map(({ day }) => day)).toEqual(['2026-09-20', '2026-10-31', '2026-11-20']);
    });

    it('keeps the first level of an hour', async () => {
      const hour = new Date('2026-11-20T10:00:00Z');
      const level = (amount: bigint, at = hour) => ({ organization, item: 'storage', hour: at, level: amount });
      await store.recordLevels([level(5n), level(7n, new Date('2026-11-20T11:00:00Z'))]);
      await store.recordLevels([level(9n)]);
      expect(await usage()).toEqual([['storage', 0n, 12n, 0n]]);
      expect((await store.levelsIn('storage', hour)).get(organization)).toBe(5n);
    });

    it('remembers the last hour that was measured', async () => {
      const [early, late] = [new Date('2026-11-20T10:00:00Z'), new Date('2026-11-20T11:00:00Z')];
      const item = `item-${count++}`;
      expect(await store.lastMeasuredHour(item)).toBeUndefined();
      await store.noteMeasuredHour(item, late);
      await store.noteMeasuredHour(item, early);
      expect(await store.lastMeasuredHour(item)).toEqual(late);
    });

    it('counts events of a closed month in the first open month', async () => {
      await store.record([event({ quantity: 1n })]);
      expect([(await store.firstMonth())?.name, await store.firstClosed()]).toEqual(['2026-11', undefined]);
      await store.close(november);
      await store.close(november);
      await store.record([
        event({ quantity: 20n }),
        event({ quantity: 300n, at: new Date('2026-09-20T10:00:00Z') }),
        event({ quantity: 4_000n, at: december.start }),
      ]);
      await store.recordLevels([{ organization, item: 'storage', hour: new Date('2026-11-20T10:00:00Z'), level: 6n }]);
      expect(await usage()).toEqual([['agent-run', 0n, 1n, 0n]]);
      expect((await usage(december)).sort()).toEqual([
        ['agent-run', 300n, 4_020n, 320n],
        ['storage', 0n, 6n, 6n],
      ]);
      expect((await store.lastClosed())?.name).toBe('2026-11');
      await store.close(december);
      expect((await store.firstMonth())?.name).toBe('2026-09');
      expect((await store.firstClosed())?.name).toBe('2026-11');
    });
  });
}
