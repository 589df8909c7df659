import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChargedMonth, UsageMonth } from '@homeport/usage/contracts';
import { ChargedMonths } from './charged-months';

const WORKSPACE = `u/${'a'.repeat(43)}/`;

/** `month-close.e2e.ts` tests when a month is charged, and that it is charged once. */
describe('two months of an organization on two instances', () => {
  let months: ChargedMonths;

  beforeAll(async () => {
    months = await ChargedMonths.open();
    await months.moveTo(months.startTime);
    // PostgreSQL sets the time of the creation otherwise, by its own clock.
    await months.query(`insert into organizations.accounts (organization, created_at)
      values ('${months.organization}', '${new Date(months.startTime).toISOString()}')`);
    await months.report(1_000, months.now);
    await months.moveTo(months.paidTime);
  });
  afterAll(() => months?.close());

  it('charges a month with lines that explain themselves, and shows the same on both', async () => {
    const charged = await months.charge(months.first);
    const name = months.first.name;
    expect(charged[0]).toMatchObject({
      period: name,
      total_usd: '0',
      corrected_total_usd: '0',
      included_usd: '10',
      trial_covered_usd: '10',
      corrections: [],
    });
    expect(charged[0]?.lines[0]).toMatchObject({
      ...{ item: 'agent-run', quantity: '1000', amount_usd: '20', in_trial: true },
      sentence: expect.stringMatching(
        /^Agent run in the trial: 1000 × 0\.02 USD a run = 20 USD, .* by price list \S+ \(usage card 2026-10-01\)\.$/,
      ),
    });
    expect(charged[1]).toEqual(charged[0]);
  });

  it('counts usage that arrives after the charge in the next month, and says so', async () => {
    await months.report(50, months.first.end.getTime() - 1);
    await months.report(3_000, months.now);
    const shown = await months.read<UsageMonth>('/api/usage');
    expect(shown).toMatchObject({ period: months.second.name, included_usd: '10', total_usd: '50' });
    await months.moveTo(months.dueTime(months.second));
    const [charged] = await months.charge(months.second);
    expect(charged).toMatchObject({ included_usd: '10', trial_covered_usd: '1', total_usd: '50' });
    const lines = charged?.lines.filter(({ item }) => item === 'agent-run');
    expect(lines).toMatchObject([
      {
        quantity: '50',
        in_trial: true,
        sentence: expect.stringMatching(/50 of the quantity was used before .* late\.$/),
      },
      { quantity: '3000', in_trial: false, amount_usd: '60', sentence: expect.not.stringContaining('late') },
    ]);
  });

  it('finds that charges are accepted events × prices', async () => {
    const { code, output } = await months.command('check');
    expect([output, code]).toEqual([expect.not.stringContaining('fault'), 0]);
    expect(output).toContain(
      `note: ${months.second.name}. 1 accounts are charged 50 USD. Usage × prices gives 50 USD.`,
    );
    expect(output).toContain(`50 of agent-run were used before ${months.second.name} and reported late.`);
    expect(output).toMatch(/\nNothing is wrong\.\n$/);
  });

  it('exports the same lines again, which add up to the charge', async () => {
    const [first, again] = [
      await months.command('export', months.second.name),
      await months.command('export', months.second.name),
    ];
    expect([first.code, again.output]).toEqual([0, first.output]);
    const lines = linesOf(first.output);
    expect(lines.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['usage', 'included', 'trial']));
    expect(lines.reduce((sum, { amount_usd }) => sum + Number(amount_usd), 0)).toBeCloseTo(50);
    expect(new Set(lines.map(({ key }) => key)).size).toBe(lines.length);
    for (const { statement_version: version, statement_sha256 } of lines) {
      const bytes = await (await months.call(`/v1/pricing/versions/${version}`)).arrayBuffer();
      expect(statement_sha256).toBe(hash('sha256', Buffer.from(bytes)));
    }
    const csv = await months.command('export', months.second.name, '--format', 'csv');
    expect(csv.output.trim().split('\r\n')).toHaveLength(lines.length + 1);
    const open = await months.command('export', months.second.next().name);
    expect([open.code, open.output, open.errors]).toEqual([1, '', expect.stringContaining('is not charged')]);
  });

  it('corrects a charge by an entry that adds to it, once for a reference', async () => {
    const correct = (...more: readonly string[]) =>
      months.command(
        ...['correct', months.second.name, '--organization', months.organization, '--by', 'ada'],
        ...['--reason', 'The agents were not available.', ...more],
      );
    const credit = ['--reference', 'T-1', '--amount', '-5.50', '--item', 'agent-run'];
    expect([(await correct(...credit)).code, (await correct(...credit)).code]).toEqual([0, 0]);
    expect((await correct('--reference', 'T-2', '--amount', '1')).output).toMatch(
      /45\.5 USD with all corrections\.\n$/,
    );
    const refused = await correct('--reference', 'T-3', '--amount', '-45.51');
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('cannot make it negative')]);

    const path = `/api/charges/${months.second.name}`;
    const charge = await months.read<ChargedMonth>(path, 1);
    expect(charge).toMatchObject({ total_usd: '50', corrected_total_usd: '45.5' });
    expect(charge.corrections).toMatchObject([
      {
        ...{ reference: 'T-1', item: 'agent-run', amount_usd: '-5.5', reason: 'The agents were not available.' },
        sentence: `Correction T-1 of the charge of ${months.second.name}: -5.5 USD. The agents were not available.`,
      },
      { reference: 'T-2', item: null, amount_usd: '1' },
    ]);
    const csv = await (await months.call(path, { headers: { accept: 'text/csv' } })).text();
    const statement = `${charge.statement.version},${charge.statement.sha256}`;
    expect(csv).toContain(`\r\n${months.second.name},corrected-total,Corrected total,,,,45.5,,,,${statement}\r\n`);
    const focus = await (await months.call(`${path}?format=focus`)).text();
    expect(focus.match(/,Correction,/g)).toHaveLength(3);
    const [, ...rows] = focus.trim().split('\r\n');
    for (const row of rows) expect(row).toMatch(new RegExp(`,${statement}$`));
    const lines = linesOf((await months.command('export', months.second.name)).output);
    expect(lines.filter(({ kind }) => kind === 'correction').map(({ amount_usd }) => amount_usd)).toEqual([
      '-5.5',
      '1',
    ]);
    const checked = await months.command('check');
    expect([checked.code, checked.output]).toEqual([0, expect.stringContaining('With 2 corrections it is 45.5 USD.')]);
  });

  it('finds charges that were changed in the database, missing ones, and drift of the storage', async () => {
    const { organization, first, second } = months;
    // Without the triggers and foreign keys that reject it.
    await months.query(`set session_replication_role = replica;
      update pricing.charge_lines set quantity = 2000, amount_usd = 40 where quantity = 3000;
      update pricing.charges set total_usd = 30 where total_usd = 50;
      delete from pricing.charges where period = '${first.name}';
      update usage.hours set quantity = 1001 where quantity = 1000;
      insert into usage.workspaces (workspace, organization, bytes) values ('${WORKSPACE}', '${organization}', 7)`);
    const { code, output, errors } = await months.command('check', '--skip-storage');
    expect([errors, code]).toEqual(['', 1]);
    expect(faultsOf(output)).toEqual([
      `fault: ${organization} ${first.name}. The events of agent-run add up to 1000, and the hourly sums to 1001.`,
      `fault: ${organization} ${first.name}. It is not charged. Usage × prices gives 0 USD.`,
      `fault: ${organization} ${second.name}. agent-run is charged 2000 × 0.02 USD = 40 USD, and usage × prices gives ` +
        '3000 × 0.02 USD = 60 USD.',
      `fault: ${organization} ${second.name}. The total is 30, and usage × prices gives 50.`,
    ]);
    expect(output).toMatch(/\n4 faults\.\n$/);
    // With the correct clock, because the storage rejects requests of another time.
    const one = await months.commandWith({ NODE_OPTIONS: '' }, 'check', second.name);
    expect([one.errors, one.code]).toEqual(['', 1]);
    expect(faultsOf(one.output)).toHaveLength(3);
    expect(faultsOf(one.output).at(-1)).toBe(
      `fault: workspace ${WORKSPACE}. 7 bytes are recorded, and the storage has 0. The inventory corrects it at night.`,
    );
  });

  it('explains itself when called with wrong arguments', async () => {
    const { code, errors } = await months.command('check', 'november');
    expect([code, errors]).toEqual([
      2,
      expect.stringMatching(/^A month has the form 2026-11, unlike 'november'\.\n\nUsage: /),
    ]);
  });

  it('says that it could not check without PostgreSQL', async () => {
    const failed = await months.commandWith({ DATABASE_URL: 'postgres://homeport@127.0.0.1:1/none' }, 'check');
    expect([failed.code, failed.errors]).toEqual([2, expect.stringMatching(/^The command failed: /)]);
  });
});

function faultsOf(output: string): string[] {
  return output.split('\n').filter((line) => line.startsWith('fault'));
}

interface Line {
  readonly key: string;
  readonly kind: string;
  readonly amount_usd: string;
  readonly statement_version: string;
  readonly statement_sha256: string;
}

function linesOf(output: string): Line[] {
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}
