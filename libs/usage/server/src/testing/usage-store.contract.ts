import { beforeEach, describe, expect, it } from '@jest/globals';
import { BillingPeriod } from '@homeport/usage/contracts';
import type { UsageStore } from '../metering/application/usage-store.port';
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
    const usage = async (period = november) =>
      (await store.usageOf([{ organization, trialEndsAt: TRIAL_END }], period)).map(({ item, inTrial, afterTrial }) => [
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

    it('counts an event once, also within a batch and when instances record it at once', async () => {
      const repeated = event();
      expect(await store.record([repeated, { ...repeated, quantity: 9n * MICRO }])).toBe(1);
      const results = await Promise.all([1, 2, 3].map(() => store.record([repeated, event()])));
      expect(results.reduce((total, each) => total + each)).toBe(3);
      const [[, , afterTrial] = []] = await usage();
      expect([4n * MICRO, 12n * MICRO]).toContain(afterTrial);
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

    it('lists the days with usage in order', async () => {
      await store.record([
        event({ at: new Date('2026-11-20T23:59:59Z'), quantity: 2n }),
        event({ at: new Date('2026-11-03T00:00:00Z'), quantity: 1n }),
        event({ at: new Date('2026-11-20T00:00:00Z'), quantity: 3n }),
      ]);
      expect(await store.daysOf(organization, november, 'agent-run')).toEqual([
        { day: '2026-11-03', recorded: 1n },
        { day: '2026-11-20', recorded: 5n },
      ]);
      expect(await store.daysOf(organization, november, 'tool-call')).toEqual([]);
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
      expect((await store.firstMonth())?.name).toBe('2026-11');
    });
  });
}
