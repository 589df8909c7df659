import { expect, type Locator, type Page, test } from '@playwright/test';
import {
  cnameOf,
  dnsSection,
  foreignRecord,
  hostnameOf,
  expectAccessibleLayout,
  uniqueName,
  registerApp,
  rowOf,
  signedInAt,
  UNAVAILABLE,
} from './app-steps';

// The service worker asks by itself, past the routes of the page.
test.use({ serviceWorkers: 'block' });

test('a DNS record that fails is said honestly, tried again and healed', async ({ page }) => {
  await signedInAt(page, '/apps');
  const name = uniqueName('Foreign');
  await foreignRecord(hostnameOf(name), 'put');
  await registerApp(page, name);
  await expect(rowOf(page, name)).toContainText('DNS failed');
  const notice = page.getByRole('status').filter({ hasText: 'its address does not work yet' });
  await expect(notice).toContainText('Another DNS record already stands at this name.');
  await expectAccessibleLayout(page);
  await notice.getByRole('link', { name: 'See its page' }).click();

  const dns = dnsSection(page);
  await expect(dns).toContainText('DNS failed');
  await expect(dns).toContainText('Another DNS record already stands at this name.');
  await expect(dns).toContainText('Tried once. It is not tried again by itself.');
  await expectAccessibleLayout(page);
  const again = dns.getByRole('button', { name: 'Try again now' });
  await again.focus();
  await page.keyboard.press('Enter');
  await expect(dns.getByText('Tried again just now: it did not work.')).toBeVisible();
  await expect(again).toBeFocused();

  await page.route('**/dns/retry', (route) => route.fulfill(UNAVAILABLE), { times: 1 });
  await again.click();
  await expect(dns.getByRole('alert')).toContainText('The record could not be tried again');
  await expectAccessibleLayout(page);

  await foreignRecord(hostnameOf(name), 'take');
  await again.focus();
  await page.keyboard.press('Enter');
  await expect(dns).toContainText('people can reach this address');
  await expect(dns.getByRole('heading', { name: 'DNS' })).toBeFocused();
  await expect(again).toHaveCount(0);
  await expect(dns.getByRole('alert')).toHaveCount(0);
  expect(await cnameOf(hostnameOf(name))).toBe('edge.localhost');
});

/** Lets the page's own clock run until something shows; an answer from outside needs a moment of it to be drawn. */
async function shownInTime(page: Page, place: Locator, words: RegExp): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(500);
    await expect(place).toContainText(words, { timeout: 100 });
  }).toPass({ intervals: [0], timeout: 30_000 });
}

test('what is under way is read again, ever more rarely, while somebody looks, until it is settled', async ({
  page,
}) => {
  await page.clock.install();
  await signedInAt(page, '/apps');
  const app = await registerApp(page, uniqueName('Waiting'));
  const later = Date.now() + 3_600_000;
  const failing = {
    ...app,
    dns_status: 'dns-failed',
    dns_error: {
      code: 'timeout',
      message: 'The DNS provider did not answer in time.',
      retryable: true,
      attempts: 3,
      next_attempt_at: new Date(later + 600_000).toISOString(),
    },
  };
  let state: object = { ...app, dns_status: 'dns-pending' };
  let reads = 0;
  await page.route(`**/api/apps/${app.id}`, (route) => {
    reads += 1;
    return route.fulfill({ json: state });
  });
  await page.getByRole('link', { name: app.name, exact: true }).click();
  const dns = dnsSection(page);
  await expect(dns).toContainText('The record is on its way.');
  await expectAccessibleLayout(page);

  await page.clock.pauseAt(later);
  state = failing;
  await shownInTime(page, dns, /Tried 3 times\.\s+Tried again by itself in \d+ minutes\./);
  await setVisibility(page, 'hidden');
  await page.clock.runFor(1_000);
  const unseen = reads;
  await page.clock.runFor(600_000);
  await expect(dns).toContainText('Tried again by itself any moment now.');
  expect(reads).toBe(unseen);

  state = { ...app, dns_status: 'dns-active' };
  await setVisibility(page, 'visible');
  await shownInTime(page, dns, /people can reach this address/);
  const settled = reads;
  await page.clock.runFor(120_000);
  expect(reads).toBe(settled);
});

/** As if the person had gone to another tab, or come back. */
async function setVisibility(page: Page, value: DocumentVisibilityState): Promise<void> {
  await page.evaluate((visibilityState) => {
    Object.defineProperty(document, 'visibilityState', { value: visibilityState, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, value);
}
