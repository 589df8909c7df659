import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type FreshDatabase, freshDatabase } from '@homeport/platform/server/testing';
import {
  BillingPeriod,
  type ChargedMonth,
  type ChargeList,
  type UsageLine,
  type UsageMonth,
} from '@homeport/usage/contracts';
import { ApiFixture } from '../apps/api-fixture';
import type { MemberClient } from '../apps/member-client';
import { callAt } from '../homeport';
import type { ApiProcess } from '../product-processes';
import { queryOnce } from '../reliability/query-once';
import { until } from '../suites';
import { shiftDatabaseClock } from './database-clock';

const HOUR_MS = 3_600_000;
const PRELOAD = pathToFileURL(join(import.meta.dirname, '../shifted-clock.mjs')).href;
const EVENT_BATCH = 'application/cloudevents-batch+json';

/** For the two APIs with a shifted clock and their PostgreSQL, the current month ended 25 hours ago. */
describe('the close of a month', () => {
  const period = BillingPeriod.containing(new Date());
  let fresh: FreshDatabase;
  let fixture: ApiFixture;
  let api: ApiProcess;
  let member: MemberClient;

  beforeAll(async () => {
    fresh = await freshDatabase();
    fixture = await ApiFixture.open(fresh.url);
    await fixture.embeddedDns();
    api = await fixture.api();
    member = await fixture.member(`northwind-${randomUUID()}`);
  });
  afterAll(async () => {
    await fixture?.close();
    await fresh?.drop();
  });

  const read = async <T>(path: string, accept = 'application/json'): Promise<T> => {
    const response = await callAt(api.url, path, { token: member.token, headers: { accept } });
    expect([path, response.status]).toEqual([path, 200]);
    return (/csv/i.test(accept) ? response.text() : response.json()) as Promise<T>;
  };
  const report = async (item: string, quantity: number) => {
    const event = {
      ...{ specversion: '1.0', id: randomUUID(), source: 'https://agents.example.com', type: 'homeport.usage' },
      ...{ subject: member.organization, time: new Date().toISOString(), data: { item, quantity } },
    };
    const response = await callAt(api.url, '/api/usage/events', {
      token: member.token,
      method: 'POST',
      headers: { 'content-type': EVENT_BATCH },
      body: JSON.stringify([event]),
    });
    expect([response.status, await response.json()]).toEqual([202, { accepted: 1, duplicates: 0 }]);
  };
  /** Enqueues the job, which any API takes; those with the correct clock do nothing. */
  const enqueueClose = () =>
    queryOnce(
      fresh.url,
      `insert into pgboss.job (name) select 'usage.months' where not exists (
         select from pgboss.job where name = 'usage.months' and state < 'active' and start_after <= now())`,
    );

  const openJobs = async () => {
    const [row] = await queryOnce<{ open: number }>(
      fresh.url,
      `select count(*)::int as open from pgboss.job where name = 'usage.months' and state < 'completed'
         and start_after <= now()`,
    );
    return row?.open;
  };

  it('charges the month once, as it was shown, and counts late usage in the next one', async () => {
    await read<UsageMonth>('/api/usage');
    await report('agent-run', 1_200);
    await report('tool-call', 2_500.5);
    const shown = await read<UsageMonth>('/api/usage');
    expect(await read<ChargeList>('/api/charges')).toEqual({ items: [], next_cursor: null });

    const shiftMs = period.end.getTime() + 25 * HOUR_MS - Date.now();
    const shifted = { NODE_OPTIONS: `--import ${PRELOAD}?ms=${shiftMs}` };
    await fixture.api(shifted);
    await enqueueClose();
    await until(async () => (await openJobs()) === 0);
    expect(await read<ChargeList>('/api/charges')).toEqual({ items: [], next_cursor: null });
    await shiftDatabaseClock(fresh.url, shiftMs);
    await Promise.all([fixture.api(shifted), fixture.api(shifted)]);
    await until(async () => {
      await enqueueClose();
      return (await read<ChargeList>('/api/charges')).items.length > 0;
    });
    const first = await read<ChargedMonth>(`/api/charges/${period.name}`);
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
    expect(await read<string>(`/api/charges/${period.name}`, 'Text/CSV')).toContain(',agent-run,');

    await report('agent-run', 10);
    const [late] = await queryOnce<{ period: string }>(
      fresh.url,
      `select period from usage.events where item = 'agent-run' order by received_at desc limit 1`,
    );
    expect(late?.period).toBe(period.next().name);
    await enqueueClose();
    await until(async () => (await openJobs()) === 0);
    expect((await read<ChargeList>('/api/charges')).items).toHaveLength(1);
    expect(await read<ChargedMonth>(`/api/charges/${period.name}`)).toEqual(first);
  });
});
