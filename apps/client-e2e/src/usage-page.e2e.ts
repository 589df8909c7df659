import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { accessTokenOf, expectAccessibleLayout, problemResponse, signedInAt } from './app-steps';
import { collectPageErrors, url } from './pages';
import { mockApi } from './states/mock-api';
import { MONTH } from './states/usage-fixtures';

/** In the organization of this person no other test reports usage or sets a budget. */
const PERSON = 'jon';
const ORGANIZATION = 'org_globex';
const CALLS_A_DAY = 250;

/** Reports tool calls of today and, in the first days of a month, of no other day. A repetition counts nothing. */
async function reportUsage(page: Page): Promise<void> {
  const time = new Date().toISOString();
  const event = {
    ...{ specversion: '1.0', id: 'usage-e2e', source: 'https://agents.example.com', type: 'homeport.usage' },
    ...{ subject: ORGANIZATION, time, data: { item: 'tool-call', quantity: CALLS_A_DAY } },
  };
  const response = await fetch(`${url}/api/usage/events`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await accessTokenOf(page)}`,
      'content-type': 'application/cloudevents-batch+json',
    },
    body: JSON.stringify([event]),
  });
  expect(response.status).toBe(202);
}

const byDay = (page: Page): Locator => page.getByRole('region', { name: 'By day' });
const budget = (page: Page): Locator => page.getByRole('region', { name: 'Monthly budget' });

test('the usage of the month, by item and by day', { tag: '@phone' }, async ({ page }) => {
  const errors = collectPageErrors(page);
  await signedInAt(page, '/settings', PERSON);
  await reportUsage(page);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Usage' }).click();
  const row = page.getByRole('table', { name: 'Usage by item' }).getByRole('row', { name: /Tool-protocol call/ });
  await expect(row).toContainText('250 calls');
  await expect(row).toContainText('$0.25');

  await byDay(page).getByRole('combobox').selectOption('Tool-protocol call');
  const days = byDay(page).getByRole('group', { name: 'By day' }).getByRole('button');
  await expect(days.last()).toHaveAccessibleName(/: 250 calls$/);
  await days.last().focus();
  await page.keyboard.press('Home');
  await expect(days.first()).toBeFocused();
  await page.keyboard.press('End');
  await expect(days.last()).toBeFocused();
  await byDay(page).getByText('Show as a table').click();
  await expect(byDay(page).getByRole('table').getByRole('row').last()).toContainText('250 calls');
  await expectAccessibleLayout(page);

  await page.getByRole('link', { name: 'Estimate from this usage' }).click();
  await expect(page).toHaveURL(/\/pricing\?.*meters\.tool-call=\d+/);
  await page.getByRole('link', { name: 'Estimate from my usage' }).click();
  await expect(page).toHaveURL(/\/pricing\?.*meters\.tool-call=\d+/);
  expect(errors).toEqual([]);
});

test('the budget', async ({ page }) => {
  await signedInAt(page, '/usage', PERSON);
  await reportUsage(page);
  await budget(page).getByRole('button', { name: 'Set a budget' }).click();
  await budget(page).getByLabel('Amount in USD').fill('nothing');
  await budget(page).getByLabel('Notices at these percentages').fill('50, 1001');
  await budget(page).getByRole('button', { name: 'Save budget' }).click();
  await expect(budget(page).getByText('Enter an amount from 0.01')).toBeVisible();
  await expect(budget(page).getByText('Enter up to ten whole percentages')).toBeVisible();
  await expectAccessibleLayout(page);

  await budget(page).getByLabel('Amount in USD').fill('0.40');
  await budget(page).getByLabel('Notices at these percentages').fill('100, 50');
  await budget(page).getByRole('button', { name: 'Save budget' }).click();
  await expect(budget(page).getByRole('button', { name: 'Change' })).toBeVisible();
  await page.reload();
  await expect(budget(page)).toContainText('of $0.40');
  await expect(budget(page)).toContainText(/Notices at 50%, 100%|of the budget of \$0\.40/);

  await page.route('**/api/budget', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill(problemResponse(503, 'platform.database-unavailable', 'Try again.'))
      : route.continue(),
  );
  await budget(page).getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('The budget was not removed.')).toBeVisible();
  await page.unrouteAll();
  await budget(page).getByRole('button', { name: 'Remove' }).click();
  await expect(budget(page).getByRole('button', { name: 'Set a budget' })).toBeVisible();
});

test('a charged month explains its lines and can be downloaded', async ({ page }) => {
  await mockApi(page, { state: 'ready', isSignedIn: true });
  await page.route('**/api/charges/2026-10*', (route) => {
    const isFile = route.request().headers()['accept'] === 'text/csv';
    if (!isFile) return route.fallback();
    const isFocus = route.request().url().endsWith('?format=focus');
    return route.fulfill({ contentType: 'text/csv', body: isFocus ? 'BilledCost\r\n' : 'period\r\n' });
  });
  await page.goto(`${url}/usage`);
  const charged = page.getByRole('region', { name: 'Charged months' });
  await expect(charged).toContainText('$75.46 after corrections; $80.96 was charged');
  await page.getByRole('link', { name: 'October 2026' }).click();
  await expect(page.getByRole('combobox', { name: 'Month' })).toHaveValue('2026-10');
  await expect(page.getByText('Gateway call: by price list 2026-10-01.')).toBeVisible();
  await expect(page.getByText('Includes 120 calls that were used in earlier months')).toBeVisible();
  await expect(budget(page)).toHaveCount(0);
  const rows = page.getByRole('table', { name: 'Usage by item' }).getByRole('row');
  await expect(rows.filter({ hasText: 'Correction T-1042' })).toContainText(
    /: Storage\s*The storage was not available on 12 October\.\s*−\$5\.50/,
  );
  await expect(rows.last()).toHaveText(/Total after corrections\s*\$75\.46/);
  await expect(page.getByText('after corrections; $80.96 was charged').first()).toBeVisible();
  await expectAccessibleLayout(page);

  for (const [name, file, content] of [
    ['Download October 2026 as CSV', 'charge-2026-10.csv', 'period\r\n'],
    ['Download October 2026 in FOCUS format (CSV)', 'charge-2026-10-focus.csv', 'BilledCost\r\n'],
  ] as const) {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe(file);
    expect(await readFile(await saved.path(), 'utf8')).toBe(content);
  }
  await page.goBack();
  await expect(page.getByRole('combobox', { name: 'Month' })).toHaveValue('2026-11');
});

test('the included usage states its amount, also before anything is used', async ({ page }) => {
  await mockApi(page, { state: 'empty', isSignedIn: true });
  await page.goto(`${url}/usage`);
  const included = page.getByRole('definition').filter({ hasText: 'of $10.00 included each month' });
  await expect(included).toBeVisible();
  await expect(page.getByText('Included usage').locator('..')).toContainText('$0.00');
});

test('the trial states what it has covered and when it ends', async ({ page }) => {
  await mockApi(page, { state: 'ready', isSignedIn: true });
  const trial = { ends_at: '2026-12-01T09:00:00Z', cap_usd: '500', covered_usd: '312.4' };
  await page.route(/\/api\/usage(\?.*)?$/, (route) =>
    route.fulfill({ json: { ...MONTH, account: { ...MONTH.account, trial }, trial_covered_usd: '80.96' } }),
  );
  await page.goto(`${url}/usage`);
  const tile = page.getByText('Covered by the trial').first().locator('..');
  await expect(tile).toContainText(/\$80\.96\s*in November 2026/);
  await expect(tile).toContainText(/\$312\.40 of \$500\.00 are used so far\. The trial ends on .*1 December 2026/);
});

test('a budget that two pages change is the one that was saved last, on both', async ({ page, context }) => {
  await signedInAt(page, '/usage', PERSON);
  const other = await context.newPage();
  await other.goto(`${url}/usage`);
  const save = async (on: Page, amount: string) => {
    await budget(on)
      .getByRole('button', { name: /^(Set a budget|Change)$/ })
      .click();
    await budget(on).getByLabel('Amount in USD').fill(amount);
    await budget(on).getByRole('button', { name: 'Save budget' }).click();
    await expect(budget(on)).toContainText(`of $${amount}`);
  };
  await save(page, '30.00');
  await save(other, '40.00');
  await page.reload();
  await expect(budget(page)).toContainText('of $40.00');
});

test('the budget is set with the keyboard', async ({ page }) => {
  await mockApi(page, { state: 'ready', isSignedIn: true });
  await page.goto(`${url}/usage`);
  const [change, amount] = [budget(page).getByRole('button', { name: 'Change' }), budget(page).getByLabel('Amount')];
  await change.press('Enter');
  await expect(amount).toBeFocused();
  await amount.fill('7');
  await page.keyboard.press('Escape');
  await expect(change).toBeFocused();
  await change.press('Enter');
  await expect(amount).toHaveValue('100');
  await budget(page).getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(change).toBeFocused();
});

test('a response that is not usage shows a problem', async ({ page }) => {
  const errors = collectPageErrors(page);
  await mockApi(page, { state: 'ready', isSignedIn: true });
  for (const body of ['{}', 'null', '[]', '']) {
    await page.route(/\/api\/usage$/, (route) => route.fulfill({ contentType: 'application/json', body }));
    await page.goto(`${url}/usage`);
    await expect(page.getByText('Your usage could not be loaded'), body).toBeVisible();
  }
  expect(errors).toEqual([]);
});

test('a charged month names the prices of its charge, and a future month is the current one', async ({ page }) => {
  await mockApi(page, { state: 'ready', isSignedIn: true });
  await page.route('**/api/charges/2026-10', async (route) => {
    const charge = { lines: [], corrections: [], statement: { version: '2026-10-09', sha256: 'ab12' } };
    await route.fulfill({ json: charge });
  });
  await page.goto(`${url}/usage?period=2026-10`);
  await expect(page.getByRole('region', { name: 'Prices' })).toContainText('price list 2026-10-09');
  await page.goto(`${url}/usage?period=2999-01`);
  await expect(page.getByRole('combobox', { name: 'Month' })).toHaveValue('2026-11');
});

test('a month before the account says so', async ({ page }) => {
  await mockApi(page, { state: 'ready', isSignedIn: true });
  await page.route('**/api/charges/2026-09', (route) =>
    route.fulfill(problemResponse(404, 'usage.charge-not-found', 'The month is not charged.')),
  );
  await page.goto(`${url}/usage?period=2026-09`);
  await expect(page.getByText(/Your organization has used Homeport since .*2 October 2026/)).toBeVisible();
  await expect(page.getByText('not charged yet')).toHaveCount(0);
});

test('a month that is not charged yet says so', async ({ page }) => {
  await mockApi(page, { state: 'ready', isSignedIn: true });
  await page.route('**/api/charges/2026-10', (route) =>
    route.fulfill(problemResponse(404, 'usage.charge-not-found', 'The month is not charged.')),
  );
  await page.goto(`${url}/usage?period=2026-10`);
  await expect(page.getByText('This month is not charged yet.')).toBeVisible();
});

test('a page says that metering is off, and not when a month is charged', async ({ page }) => {
  await mockApi(page, { state: 'empty', isSignedIn: true });
  await page.route(/\/api\/usage(\?.*)?$/, (route) =>
    route.fulfill({ json: { ...MONTH, period: '2026-10', metering: 'off', lines: [], total_usd: '0' } }),
  );
  await page.route('**/api/charges/2026-10', (route) =>
    route.fulfill(problemResponse(404, 'usage.metering-off', 'This month is not charged.')),
  );
  await page.goto(`${url}/usage?period=2026-10`);
  await expect(page.getByText('Metering is off: Homeport measures no usage')).toBeVisible();
  await expect(page.getByText('No month is charged while metering is off.')).toBeVisible();
  await expect(page.getByText('No usage: metering is off.')).toBeVisible();
  await expect(page.getByText('24 hours')).toHaveCount(0);
  await expectAccessibleLayout(page);
});

test('an account with a legacy plan names it in the words of the statement', async ({ page }) => {
  await mockApi(page, { state: 'empty', isSignedIn: true });
  const legacy_plans = {
    plans: ['Starter', 'Workforce'],
    rule: 'Companies on the earlier workforce price keep it for as long as they stay subscribed.',
  };
  const account = {
    ...{ created_at: '2026-03-01T00:00:00Z', card: null, monthly_included_usd: null },
    ...{ legacy_plans, trial: null },
  };
  await page.route(/\/api\/usage(\?.*)?$/, (route) =>
    route.fulfill({ json: { ...MONTH, account, lines: [], included_usd: '0', total_usd: '0' } }),
  );
  await page.goto(`${url}/usage`);
  await expect(page.getByText('This account has a legacy plan (Starter, Workforce).')).toContainText(legacy_plans.rule);
});

test('a person without an organization has no usage', async ({ page }) => {
  await signedInAt(page, '/usage', 'sam');
  await expect(page.getByText('Usage belongs to an organization')).toBeVisible();
  await expectAccessibleLayout(page);
});
