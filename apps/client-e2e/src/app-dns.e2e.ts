import { expect, type Locator, type Page, test } from '@playwright/test';
import {
  appStatusOf,
  cnameOf,
  dnsSection,
  expectAccessibleLayout,
  foreignRecord,
  hostnameOf,
  openAppSettings,
  registerApp,
  signedInAt,
  UNAVAILABLE,
  uniqueName,
} from './app-steps';

test('a failed DNS record is shown, retried and repaired', async ({ page }) => {
  await signedInAt(page, '/apps');
  const name = uniqueName('Foreign');
  await foreignRecord(hostnameOf(name), 'put');
  await registerApp(page, name);
  await expect(appStatusOf(page)).toHaveText('DNS failed');
  const notice = page.locator('.notice').filter({ hasText: 'People cannot open the app' });
  await expectAccessibleLayout(page);
  await notice.getByRole('link', { name: 'View DNS' }).click();

  const dns = dnsSection(page);
  await expect(dns).toContainText('DNS failed');
  await expect(dns).toContainText('Another DNS record already exists at this name.');
  await expect(dns).toContainText('Tried once. It is not retried automatically.');
  await expectAccessibleLayout(page);
  const again = dns.getByRole('button', { name: 'Try again now' });
  await again.focus();
  await page.keyboard.press('Enter');
  await expect(dns.getByText('The retry failed.')).toBeVisible();
  await expect(again).toBeFocused();

  await page.route('**/dns/retry', (route) => route.fulfill(UNAVAILABLE), { times: 1 });
  await again.click();
  await expect(dns.getByRole('alert')).toContainText('Could not retry the DNS record');
  await expectAccessibleLayout(page);

  await foreignRecord(hostnameOf(name), 'take');
  await again.focus();
  await page.keyboard.press('Enter');
  await expect(dns).toContainText('The record is in place.');
  await expect(dns.getByRole('heading', { name: 'DNS' })).toBeFocused();
  await expect(again).toHaveCount(0);
  await expect(dns.getByRole('alert')).toHaveCount(0);
  await expect(notice).toHaveCount(0);
  expect(await cnameOf(hostnameOf(name))).toBe('edge.localhost');
});

/** Runs the page's clock until a text appears; a response needs some real time to be rendered. */
async function shownInTime(page: Page, place: Locator, words: RegExp): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(500);
    await expect(place).toContainText(words, { timeout: 100 });
  }).toPass({ intervals: [0], timeout: 30_000 });
}

test('an app is polled while its page is visible', async ({ page }) => {
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
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Apps' }).click();
  await page.getByRole('link', { name: app.name, exact: true }).click();
  await openAppSettings(page);
  const dns = dnsSection(page);
  await expect(dns).toContainText('The record is being created.');
  await expectAccessibleLayout(page);

  await page.clock.pauseAt(later);
  state = failing;
  await shownInTime(page, dns, /Tried 3 times\.\s+Next automatic attempt: in \d+ minutes\./);
  await setVisibility(page, 'hidden');
  await page.clock.runFor(1_000);
  const unseen = reads;
  await page.clock.runFor(600_000);
  await expect(dns).toContainText('Next automatic attempt: any moment now.');
  expect(reads).toBe(unseen);

  state = { ...app, dns_status: 'dns-active' };
  await setVisibility(page, 'visible');
  await shownInTime(page, dns, /The record is in place\./);
});

/** Simulates a switch to another tab or back. */
async function setVisibility(page: Page, value: DocumentVisibilityState): Promise<void> {
  await page.evaluate((visibilityState) => {
    Object.defineProperty(document, 'visibilityState', { value: visibilityState, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, value);
}
