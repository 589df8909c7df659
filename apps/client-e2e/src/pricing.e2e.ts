import { expect, type Locator, type Page, test } from '@playwright/test';
import type { Estimate, PricingStatement, Usage, UsageCard } from '@homeport/pricing/contracts';
import { expectAccessibleLayout, problemResponse, signedInAt } from './app-steps';
import { collectPageErrors, url } from './pages';
import { waitForServiceWorker } from './service-worker-steps';
import { SUITE_TAG } from './suites';

const UNAVAILABLE = problemResponse(503, 'pricing.unavailable', 'The prices cannot be read at the moment. Try again.');
const LOADED = { name: 'Metered usage', level: 2 } as const;

const estimator = (page: Page): Locator => page.getByRole('region', { name: 'Estimate a month' });
const total = (page: Page): Locator => estimator(page).locator('.total strong');
const field = (page: Page, name: string): Locator => estimator(page).getByRole('textbox', { name, exact: true });
const centsToUsd = (amount: number): string => amount.toLocaleString('en-US', { style: 'currency', currency: 'USD' });

async function statementOf(page: Page): Promise<PricingStatement> {
  return (await (await page.request.get(`${url}/v1/pricing`)).json()) as PricingStatement;
}

async function openedAt(page: Page, query = ''): Promise<void> {
  await page.goto(`${url}/pricing${query}`);
  await expect(page.getByRole('heading', LOADED)).toBeVisible();
}

/** The query string of a usage, with the API's field names. */
function queryOf(usage: Usage, trial: boolean): string {
  const fields = Object.entries(usage).flatMap(([group, quantities]) =>
    Object.entries(quantities).map(([id, quantity]) => [`${group}.${id}`, String(quantity)]),
  );
  return `?${new URLSearchParams([...fields, ...(trial ? [['trial', 'true']] : [])] as string[][])}`;
}

test.describe('with the routes of the page', () => {
  test('the prices show a loading state, an error with a retry button, and the result', async ({ page }) => {
    const answered = Promise.withResolvers<undefined>();
    await page.route('**/v1/pricing', async (route) => {
      await answered.promise;
      return route.fulfill(UNAVAILABLE);
    });
    await page.goto(`${url}/pricing`);
    await expect(page.getByRole('status').getByText('Loading…')).toBeAttached();
    await expect(page.getByRole('heading', LOADED)).toHaveCount(0);
    answered.resolve(undefined);
    await expect(page.getByRole('alert')).toContainText('The prices could not be loaded');
    await expect(page.getByRole('alert')).toContainText('req-e2e-1');
    await expect(page.getByText('$')).toHaveCount(0);
    await expectAccessibleLayout(page);

    await page.unrouteAll();
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('heading', LOADED)).toBeVisible();
    await expect(page.getByText('10,000 gateway calls cost $4.00')).toBeVisible();
    await expect(page.getByText('Announced changes')).toHaveCount(0);
    await expectAccessibleLayout(page);
    await page.getByText('Prices of older accounts').click();
    await expect(page.getByRole('rowheader', { name: 'Workforce' })).toBeVisible();
    await expectAccessibleLayout(page);

    // Cached prices are not shown when the API reports an error.
    await page.route('**/v1/pricing', (route) => route.fulfill(UNAVAILABLE));
    await page.reload();
    await expect(page.getByRole('alert')).toContainText('The prices could not be loaded');
    await expect(page.getByText('$')).toHaveCount(0);
  });

  test('an unreachable server is polled until it responds', async ({ page }) => {
    await openedAt(page);
    await page.route('**/v1/pricing', (route) => route.abort());
    await page.reload();
    const age = page.getByRole('status').filter({ hasText: 'The server cannot be reached.' });
    await expect(age).toContainText('These are the prices of October 1, 2026');
    // The browser may report a connection before the first request succeeds.
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await expect(age).toBeVisible();
    await page.unroute('**/v1/pricing');
    await expect(age).toHaveCount(0);
  });

  test('the page shows the pricing statement and its announced changes', async ({ page }) => {
    const errors = collectPageErrors(page);
    const statement = await statementOf(page);
    const { usage } = statement;
    const next: UsageCard = {
      ...usage,
      version: '2027-01-01',
      newSignupsFrom: '2027-01-01T00:00:00Z',
      includedUsd: 23,
      meters: usage.meters.map((meter) => (meter.id === 'agent-run' ? { ...meter, unitUsd: 0.0317 } : meter)),
    };
    const later: UsageCard = {
      ...next,
      version: '2027-03-01',
      newSignupsFrom: '2027-03-01T00:00:00Z',
      boxes: [...next.boxes, { size: 'huge', instanceType: 't3.2xlarge', monthlyUsd: 411 }],
      free: [],
    };
    await page.route('**/v1/pricing', (route) =>
      route.fulfill({ json: { ...statement, usage: { ...usage, includedUsd: 17 }, upcoming: [later, next] } }),
    );
    await openedAt(page);
    await expect(page.getByRole('region', { name: 'Included every month' })).toContainText('$17');
    const announced = page.getByRole('region', { name: 'Announced changes' });
    await expect(announced.getByRole('listitem')).toHaveText([
      'Included every month $23 instead of $17',
      'Agent run $0.0317 per run instead of $0.02',
      'Huge box new, $411 per box a month',
      'Deploys no longer offered',
      'Direct messages no longer offered',
      'Background AI no longer offered',
    ]);
    await expect(announced).toContainText('From January 1, 2027 for accounts created from that day on');
    await expect(announced).toContainText('From March 1, 2027');
    await expectAccessibleLayout(page);
    expect(errors).toEqual([]);
  });
});

test('the estimator agrees with the API on every usage', async ({ page }) => {
  await openedAt(page);
  const all: Usage = {
    meters: {
      'member-sync': 12_345,
      'gateway-call': '37.5',
      'tool-call': 999_999.999999,
      'agent-run': 1,
      storage: 12.5,
      secret: 3,
      vault: 2,
      deploys: 7,
    },
    boxes: { small: 1, medium: 2, large: 3, xlarge: 4 },
    domains: { standard: 5, premium: 1 },
  };
  const usages: readonly (readonly [Usage, boolean])[] = [
    [{ meters: { storage: 200 } }, false],
    [{ meters: { 'gateway-call': '12.5', 'member-sync': '7.5' } }, false],
    [{ meters: { vault: 1 } }, true],
    [{ boxes: { xlarge: 3 } }, true],
    [{ meters: { storage: '999999999999.999999' }, boxes: { small: 1_000_000_000_000 } }, false],
    [all, false],
    [all, true],
  ];
  for (const [usage, trial] of usages) {
    const answer = await page.request.post(`${url}/v1/pricing/estimate`, { data: { usage, trial } });
    const estimate = (await answer.json()) as Estimate;
    await page.goto(`${url}/pricing${queryOf(usage, trial)}`);
    // A JSON number above 2⁵³ cents is only approximate.
    const isExact = estimate.totalUsd < 2 ** 53 / 100;
    if (isExact) await expect(total(page)).toHaveText(centsToUsd(estimate.totalUsd));
    else await expect(total(page)).not.toHaveText('–');
    const amounts = estimate.lines.map(({ amountUsd }) => centsToUsd(amountUsd));
    if (estimate.includedUsd > 0) amounts.push(`−${centsToUsd(estimate.includedUsd)}`);
    if (estimate.trialCoveredUsd > 0) amounts.push(`−${centsToUsd(estimate.trialCoveredUsd)}`);
    const cells = estimator(page).getByRole('table').getByRole('cell');
    await expect(cells).toHaveText(isExact ? amounts : [/^\$50,000,000,000\.00$/, /^\$25,000,000,000,000\.00$/, /^−/]);
  }
});

test('all inputs change the estimate, the link and the announcement', async ({ page }) => {
  const errors = collectPageErrors(page);
  await openedAt(page, '?from=mail');
  await expect(total(page)).toHaveText('$0.00');
  await field(page, 'Storage').fill('10,000');
  await expect(total(page)).toHaveText('$490.00');
  await expect(page).toHaveURL(`${url}/pricing?from=mail&meters.storage=10000`);
  await expect(estimator(page).getByRole('status')).toHaveText('The estimate is $490.00 a month.');
  await expect(estimator(page).getByRole('slider', { name: 'Storage' })).toHaveAttribute('aria-valuetext', '10,000 GB');

  // Keyboard only.
  await estimator(page).getByRole('slider', { name: 'Agent run' }).focus();
  await page.keyboard.press('End');
  await expect(field(page, 'Agent run')).toHaveValue('500000');
  await page.keyboard.press('Home');
  await expect(field(page, 'Agent run')).toHaveValue('');
  for (const steps of [1, 2, 3]) {
    await page.keyboard.press('ArrowRight');
    await expect(field(page, 'Agent run')).toHaveValue(['', '1', '2', '5'][steps] as string);
  }
  await page.keyboard.press('Tab');
  await expect(field(page, 'Agent run')).toBeFocused();
  // Tab selects the content of the field.
  await page.keyboard.type('50');
  await expect(total(page)).toHaveText('$491.00');
  const more = estimator(page).getByRole('button', { name: 'One more: Small box' });
  const less = estimator(page).getByRole('button', { name: 'One less: Small box' });
  await more.focus();
  await page.keyboard.press('Enter');
  // Faster than the page can render.
  await more.evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  await expect(total(page)).toHaveText('$566.00');
  await less.focus();
  for (const left of ['2', '1', '', '']) {
    await page.keyboard.press('Enter');
    await expect(field(page, 'Small box')).toHaveValue(left);
  }
  await expect(less).toBeFocused();
  await expect(total(page)).toHaveText('$491.00');
  await estimator(page).getByRole('switch', { name: 'In the trial' }).focus();
  await page.keyboard.press('Space');
  await expect(total(page)).toHaveText('$0.00');
  await expect(estimator(page).getByRole('row', { name: /^Covered by the trial/ })).toContainText('−$491.00');
  await expect(page).toHaveURL(`${url}/pricing?from=mail&meters.storage=10000&meters.agent-run=50&trial=true`);
  await expectAccessibleLayout(page);
  expect(errors).toEqual([]);
});

test('an invalid input shows an error at its field and hides the total', async ({ page }) => {
  await openedAt(page, '?meters.storage=-1&meters.tea=3&boxes.small=2');
  await expect(estimator(page).getByText('have no price: tea')).toBeVisible();
  await expect(total(page)).toHaveText('–');
  await expect(field(page, 'Storage')).toHaveAttribute('aria-invalid', 'true');
  await expect(field(page, 'Storage')).toHaveAccessibleDescription(/^Enter a number of 0 or more/);
  await expectAccessibleLayout(page);
  await field(page, 'Storage').fill('0.0000001');
  await expect(field(page, 'Storage')).toHaveAccessibleDescription('Enter at most 6 decimals.');
  await field(page, 'Storage').fill('1000000000001');
  await expect(field(page, 'Storage')).toHaveAccessibleDescription('Enter at most 1,000,000,000,000.');
  await expect(estimator(page).getByRole('status')).toHaveText(
    'There is no estimate: Enter at most 1,000,000,000,000.',
  );
  await field(page, 'Storage').fill('');
  await expect(field(page, 'Storage')).not.toHaveAttribute('aria-invalid');
  await expect(total(page)).toHaveText('$50.00');
  await expect(page).toHaveURL(`${url}/pricing?meters.tea=3&boxes.small=2`);
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect(page).toHaveURL(`${url}/pricing`);
  await expect(estimator(page).getByText('tea')).toHaveCount(0);
});

test('a link shares the estimate, and Back first undoes a reset, then leaves the page', async ({ page, context }) => {
  await page.goto(`${url}/signin`);
  await page.getByRole('link', { name: 'Pricing' }).click();
  await field(page, 'Vault').fill('3');
  await field(page, 'Custom base domain').fill('1');
  await expect(page).toHaveURL(`${url}/pricing?meters.vault=3&domains.premium=1`);
  await expect(total(page)).toHaveText('$55.00');

  const other = await context.newPage();
  await other.goto(page.url());
  await expect(total(other)).toHaveText('$55.00');
  await expect(field(other, 'Vault')).toHaveValue('3');
  await other.close();

  const scrolled = await page.evaluate(() => scrollY);
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect(page).toHaveURL(`${url}/pricing`);
  await expect(total(page)).toHaveText('$0.00');
  await expect(field(page, 'Vault')).toHaveValue('');
  expect(await page.evaluate(() => scrollY)).toBeGreaterThanOrEqual(Math.min(scrolled, 1));
  await page.goBack();
  await expect(total(page)).toHaveText('$55.00');
  await expect(field(page, 'Vault')).toHaveValue('3');
  await page.goForward();
  await expect(total(page)).toHaveText('$0.00');
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(`${url}/signin`);
});

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('the page and the estimator work offline and show their age', { tag: SUITE_TAG }, async ({ page, context }) => {
    await openedAt(page);
    await expect(page.getByText('These are the prices of')).toHaveCount(0);
    // The service worker serves the page once it controls it.
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
    await page.reload();
    await expect(page.getByRole('heading', LOADED)).toBeVisible();
    await waitForServiceWorker(page);

    await context.setOffline(true);
    await page.goto(`${url}/pricing?meters.storage=300`);
    const age = page
      .getByRole('status')
      .filter({ hasText: /prices of October 1, 2026 \(price list 2026-10-01\), read/ });
    await expect(age).toContainText('You are offline.');
    await expect(total(page)).toHaveText('$5.00');
    await field(page, 'Storage').fill('400');
    await expect(total(page)).toHaveText('$10.00');
    await expectAccessibleLayout(page);
    const cached = await page.evaluate(async () => {
      const caches = await Promise.all((await window.caches.keys()).map((name) => window.caches.open(name)));
      return (await Promise.all(caches.map((cache) => cache.keys()))).flat().map((request) => request.url);
    });
    expect(cached.filter((address) => /\/(api|v1|auth)\//.test(address))).toEqual([]);

    await context.setOffline(false);
    await expect(page.getByText('These are the prices of')).toHaveCount(0);
    await expect(total(page)).toHaveText('$10.00');
  });
});

test('the page loads without layout shifts and fits the narrowest phone', async ({ page }) => {
  await page.addInitScript(() => {
    const shifts = ((window as { shifts?: number[] }).shifts = [] as number[]);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await openedAt(page);
  const shifts = await page.evaluate(() => (window as { shifts?: number[] }).shifts ?? []);
  expect(shifts).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  await field(page, 'Storage').fill('999999999999.999999');
  await page.getByText('Prices of older accounts').click();
  await expectAccessibleLayout(page);
});

test('signed-in people are not offered an account', async ({ page }) => {
  const signUp = page.getByRole('link', { name: 'Sign up free' });
  await openedAt(page);
  await expect(signUp).toBeVisible();
  await signedInAt(page, '/pricing');
  await expect(page.getByRole('link', { name: 'Request an enterprise demo' })).toBeVisible();
  await expect(signUp).toHaveCount(0);
});
