import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  BillingPeriod,
  type ChargedMonth,
  type ChargeList,
  type UsageLine,
  type UsageMonth,
} from '@homeport/usage/contracts';
import { until } from '../suites';
import { ChargedMonths } from './charged-months';

const HOUR_MS = 3_600_000;

/** For two APIs with a shifted clock and their PostgreSQL, the current month ended 25 hours ago. */
describe('the close of a month', () => {
  const period = BillingPeriod.containing(new Date());
  let months: ChargedMonths;

  beforeAll(async () => {
    months = await ChargedMonths.open();
    months.setClock(Date.now());
    await months.addInstances(1);
  });
  afterAll(() => months?.close());

  const charges = async () => (await months.read<ChargeList>('/api/charges')).items;
  const charge = () => months.read<ChargedMonth>(`/api/charges/${period.name}`);
  const report = (item: string, quantity: number) => months.report(quantity, Date.now(), item);
  /** Enqueues the job, which any API takes; those with the correct clock do nothing. */
  const enqueueClose = () =>
    months.query(
      `insert into pgboss.job (name) select 'usage.months' where not exists (
         select from pgboss.job where name = 'usage.months' and state < 'active' and start_after <= now())`,
    );
  const runClose = async () => {
    await enqueueClose();
    const open = `select 1 from pgboss.job where name = 'usage.months' and state < 'completed' and start_after <= now()`;
    await until(async () => (await months.query(open)).length === 0);
  };

  it('charges the month once, as it was shown, and counts late usage in the next one', async () => {
    await months.read<UsageMonth>('/api/usage');
    await report('agent-run', 1_200);
    await report('tool-call', 2_500.5);
    const shown = await months.read<UsageMonth>('/api/usage');
    expect(await charges()).toEqual([]);

    months.setClock(period.end.getTime() + 25 * HOUR_MS);
    await months.addInstances(1);
    await runClose();
    expect(await charges()).toEqual([]);
    await months.moveDatabase();
    await months.addInstances(2);
    await until(async () => {
      await enqueueClose();
      return (await charges()).length > 0;
    });
    const first = await charge();
    const used = (month: { readonly lines: readonly Pick<UsageLine, 'item' | 'quantity' | 'amount_usd'>[] }) =>
      month.lines
        .filter(({ quantity }) => quantity !== '0')
        .map(({ item, quantity, amount_usd }) => ({ item, quantity, amount_usd }));
    expect(used(first)).toEqual(used(shown));
    expect(used(first)).toEqual(
      expect.arrayContaining([
        { item: 'agent-run', quantity: '1200', amount_usd: '24' },
        { item: 'tool-call', quantity: '2500.5', amount_usd: '2.5' },
      ]),
    );
    const { included_usd, trial_covered_usd, total_usd, statement } = shown;
    expect(first).toMatchObject({ period: period.name, included_usd, trial_covered_usd, total_usd, statement });
    for (const { sentence } of first.lines) expect(sentence).toContain(statement.version);
    const csv = await months.call(`/api/charges/${period.name}`, { headers: { accept: 'Text/CSV' } });
    expect(await csv.text()).toContain(',agent-run,');

    await report('agent-run', 10);
    const [late] = await months.query<{ period: string }>(
      `select period from usage.events where item = 'agent-run' order by received_at desc limit 1`,
    );
    expect(late?.period).toBe(period.next().name);
    await runClose();
    expect(await charges()).toHaveLength(1);
    expect(await charge()).toEqual(first);
  });
});
