import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Domain, DomainKind } from '@homeport/apps/contracts';
import type { UsageLine, UsageMonth } from '@homeport/usage/contracts';
import { DeployClient } from '../apps/deploy-client';
import { createRecords, freshDomain } from '../apps/own-dns';
import { until } from '../suites';
import { ChargedMonths } from './charged-months';

const MINUTE_MS = 60_000;
const WEEK_HOURS = 7 * 24;
const WEEKS = 3;
const FILE_BYTES = 80_000_000;
const PAGE = 'p'.repeat(1_000_000);
const SCRIPT = 's'.repeat(500_000);

/**
 * A month in which an organization uses the same all the time. It is not the current one, so that the trial has ended.
 * Weeks pass between two measurements: hours without an API count with the levels before and after them.
 */
describe('the items that Homeport measures', () => {
  let months: ChargedMonths;
  let calls = 0;

  beforeAll(async () => {
    months = await ChargedMonths.open();
    months.setClock(Date.now());
    await months.addInstances(1);
  });
  afterAll(() => months?.close());

  const send = async <T>(method: string, path: string, body: object): Promise<T> => {
    const headers = { 'content-type': 'application/json' };
    const response = await months.call(path, { method, headers, body: JSON.stringify(body) });
    expect([path, response.ok]).toEqual([path, true]);
    return (await response.json()) as T;
  };
  const callFiles = async (path: string, more: { readonly method?: string; readonly body?: Buffer } = {}) => {
    const response = await months.call(path, more);
    expect([path, response.ok]).toEqual([path, true]);
    await response.arrayBuffer();
    calls += 1;
  };
  const addActiveDomain = async (kind: DomainKind, price: number, appId?: string) => {
    const body = { kind, name: freshDomain(), accept_price_usd: price, ...(appId !== undefined && { app_id: appId }) };
    const { id, records } = await send<Domain>('POST', '/api/domains', body);
    await createRecords(records);
    await until(async () => (await months.read<Domain>(`/api/domains/${id}`)).status === 'active');
  };
  const measureLevels = async (time: number) => {
    await months.moveTo(time, 1);
    const hour = new Date(Math.floor(time / (60 * MINUTE_MS)) * 60 * MINUTE_MS).toISOString();
    // The last one that is measured.
    const premium = `select from usage.measured_hours where item = 'premium' and hour = '${hour}'`;
    await months.runJobUntil('usage.levels', premium);
  };
  const shown = ({ lines }: UsageMonth, item: string) => {
    const { quantity, amount_usd, late_quantity } = lines.find((line) => line.item === item) as UsageLine;
    return { item, quantity, amount_usd, late_quantity };
  };

  it('are shown with the expected quantities and amounts', async () => {
    const before = await months.read<UsageMonth>('/api/usage');
    for (const name of ['a', 'b']) {
      await callFiles(`/api/files/${name}.bin`, { method: 'PUT', body: Buffer.alloc(FILE_BYTES, name) });
    }
    while (calls < 25) await callFiles('/api/files');
    const deploys = new DeployClient(months.member.token, months.url());
    const site = await deploys.register('Measured site');
    // The page is stored once for both deploys.
    expect((await deploys.deploy(site.id, { 'index.html': PAGE })).status).toBe(201);
    expect((await deploys.deploy(site.id, { 'index.html': PAGE, 'app.js': SCRIPT })).status).toBe(201);
    const app = await deploys.register('Measured app', 'ssr');
    for (const name of ['TOKEN', 'API_URL'])
      await send('PUT', `/api/apps/${app.id}/environment/${name}`, { value: '1' });
    await addActiveDomain('hostname', 10, site.id);
    await addActiveDomain('base', 50);
    const measured = `select from usage.workspaces where bytes = ${2 * FILE_BYTES} and changed_at is null`;
    await months.runJobUntil('usage.storage', measured);

    const month = months.second.next();
    for (let week = 0; week <= WEEKS; week += 1) {
      await measureLevels(month.start.getTime() + week * WEEK_HOURS * 60 * MINUTE_MS + 30 * MINUTE_MS);
    }
    const average = (WEEKS * WEEK_HOURS + 1) / month.hours;
    const storedGb = (2 * FILE_BYTES + PAGE.length + SCRIPT.length) / 1e9;
    const expected = [
      line('storage', storedGb * average, 0.05),
      line('secret', 2 * average, 0.05),
      line('standard', average, 10),
      line('premium', average, 50),
    ];
    const usage = await months.read<UsageMonth>('/api/usage');
    expect(usage.period).toBe(month.name);
    expect(expected.map(({ item }) => shown(usage, item))).toEqual(expected);
    const first = await months.read<UsageMonth>(`/api/usage?period=${before.period}`);
    expect(shown(first, 'gateway-call')).toEqual(line('gateway-call', 25, 0.0004));
  });

  it('are 0 for an organization that uses none of them', async () => {
    const exp = Math.floor(months.now / 1_000) + 86_400;
    const other = await months.fixture.member(`globex-${randomUUID()}`, 'one', { iat: undefined, exp });
    const response = await months.call('/api/usage', { token: other.token });
    const { lines } = (await response.json()) as UsageMonth;
    expect(lines.map(({ item, quantity }) => [item, quantity])).toEqual(
      ['gateway-call', 'storage', 'secret', 'standard', 'premium'].map((item) => [item, '0']),
    );
  });
});

/** The line of an item. @param price in USD. */
function line(item: string, quantity: number, price: number) {
  const billed = decimal(quantity, 6);
  return { item, quantity: billed, amount_usd: decimal(Number(billed) * price, 2), late_quantity: '0' };
}

/** A number as the API prints it. */
function decimal(value: number, places: number): string {
  return String(Number(value.toFixed(places)));
}
