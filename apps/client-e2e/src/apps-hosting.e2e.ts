import { expect, type Page, test } from '@playwright/test';
import {
  dnsSection,
  expectAccessibleLayout,
  foreignRecord,
  cardOf,
  hostnameOf,
  openAppSettings,
  openNewApp,
  registerApp,
  signedInAt,
  UNAVAILABLE,
  uniqueName,
} from './app-steps';
import { url } from './pages';
import { SUITE_TAG } from './suites';

/** Simulates an organization without apps. */
async function withoutApps(page: Page): Promise<void> {
  await page.route('**/api/apps', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: { items: [], next_cursor: null } }) : route.fallback(),
  );
}

/** The live region for screen readers. */
function liveRegion(page: Page) {
  return page.locator('hp-register-form').getByRole('status');
}

test('each field of the DNS record can be copied, in every state', { tag: SUITE_TAG }, async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signedInAt(page, '/apps');
  const app = await registerApp(page, uniqueName('To Copy'));
  await openAppSettings(page);
  const dns = dnsSection(page);
  await expect(dns).toBeVisible();
  for (const state of ['dns-active', 'dns-pending', 'dns-failed']) {
    await page.route(`**/api/apps/${app.id}`, (route) => route.fulfill({ json: { ...app, dns_status: state } }));
    await page.reload();
    for (const [what, words] of [
      ['type', 'CNAME'],
      ['name', app.hostname],
      ['value', 'edge.localhost'],
    ] as const) {
      await expect(dns.getByText(words, { exact: true })).toBeVisible();
      await dns.getByRole('button', { name: `Copy ${what}` }).focus();
      await page.keyboard.press('Enter');
      await expect(dns.getByRole('button', { name: 'Copied' }).first()).toBeVisible();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(words);
    }
    await expectAccessibleLayout(page);
  }
});

test('the value of the record can be loaded again after a failure', async ({ page }) => {
  await signedInAt(page, '/apps');
  const name = uniqueName('No Value');
  await foreignRecord(hostnameOf(name), 'put');
  const { id, hostname } = await registerApp(page, name);
  let isAway = true;
  await page.route('**/api/hosting', (route) => (isAway ? route.fulfill(UNAVAILABLE) : route.fallback()));
  await page.goto(`${url}/apps/${id}/settings`);
  const dns = dnsSection(page);
  await expect(dns).toContainText('DNS failed');
  await expect(dns.getByText(hostname, { exact: true })).toBeVisible();
  await expect(dns.getByText('Could not be loaded.')).toBeVisible();
  await expect(dns.getByRole('button', { name: 'Copy value' })).toHaveCount(0);
  await expectAccessibleLayout(page);
  isAway = false;
  await dns.getByRole('button', { name: 'Retry loading the value' }).focus();
  await page.keyboard.press('Enter');
  await expect(dns.getByText('edge.localhost', { exact: true })).toBeVisible();
  await expect(dns.getByRole('heading', { name: 'Record' })).toBeFocused();
  await foreignRecord(hostnameOf(name), 'take');
});

test('the first app is created from the empty list, with the whole address in sight', async ({ page }) => {
  await withoutApps(page);
  await signedInAt(page, '/apps');
  await expect(page.getByText('No apps yet')).toBeVisible();
  await expectAccessibleLayout(page);
  const dialog = await openNewApp(page);
  await expect(dialog).toContainText('acme-site.apps.localhost');
  const name = uniqueName('First');
  await dialog.getByLabel('Name').pressSequentially(name);
  await expect(dialog).toContainText(hostnameOf(name));
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Create your first app' })).toBeFocused();
});

test('without hosting settings the dialog shows no suffix and still registers', async ({ page }) => {
  await page.route('**/api/hosting', (route) => route.fulfill(UNAVAILABLE));
  await signedInAt(page, '/apps?do=new-app');
  const dialog = page.getByRole('dialog', { name: 'New app' });
  await expect(dialog.locator('.preview')).toHaveText('acme-site');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await dialog.getByLabel('Name').fill('admin');
  await expect(page.locator('#address')).toHaveText('“admin” is reserved. Try another name.');
  const name = uniqueName('Unknown Place');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Create app' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
});

test('a reserved name is rejected without a request', async ({ page }) => {
  await page.route('**/api/hosting', async (route) => {
    const response = await route.fetch();
    const hosting = (await response.json()) as { reserved_subdomains: string[] };
    await route.fulfill({
      response,
      json: { ...hosting, reserved_subdomains: [...hosting.reserved_subdomains, 'status-page'] },
    });
  });
  await signedInAt(page, '/apps');
  const dialog = await openNewApp(page);
  // The reserved names are known once the suffix is shown.
  await page.getByLabel('Name').fill('status');
  await expect(dialog.locator('.preview')).toHaveText('status.apps.localhost');
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
  const isAsked = (request: string) => request.startsWith('POST') || request.endsWith('/status-page');
  await page.getByLabel('Name').fill(' Status  PAGE ');
  await expect(page.locator('#address')).toHaveText('“status-page” is reserved. Try another name.');
  await expectAccessibleLayout(page);
  await page.getByRole('button', { name: 'Create app' }).click();
  await expect(page.getByLabel('Name')).toBeFocused();
  await expect(liveRegion(page)).toHaveText('“status-page” is reserved. Try another name.');
  expect(sent.filter(isAsked)).toEqual([]);
});

test('the problem with a name is announced in one sentence after a pause in typing', async ({ page }) => {
  await page.clock.install();
  await signedInAt(page, '/apps');
  await openNewApp(page);
  await expect(page.getByLabel('Name')).toBeVisible();
  await page.clock.pauseAt(new Date(Date.now() + 3_600_000));
  const type = async (letters: string) => {
    await page.getByLabel('Name').focus();
    for (const letter of letters) {
      await page.keyboard.insertText(letter);
      await page.clock.runFor(900);
    }
  };
  await expect(liveRegion(page)).toHaveText('');
  await type('-ü');
  await expect(liveRegion(page)).toHaveText('');
  await page.clock.runFor(200);
  await expect(liveRegion(page)).toHaveText('Use only the letters a to z, digits and hyphens.');
  await page.getByLabel('Name').fill('ab');
  await page.clock.runFor(1_100);
  await expect(liveRegion(page)).toHaveText('Use at least 3 characters.');
  // The announcement stays until there is a new one, so that single letters are not announced.
  await type('c');
  await expect(liveRegion(page)).toHaveText('Use at least 3 characters.');
  await page.clock.resume();
  await expect(liveRegion(page)).toHaveText(/^(The address abc\.apps\.localhost is free\.|“abc” is taken\. .+)$/);
});

test('a deletion is confirmed inside the page, without an overlay', async ({ page }) => {
  await signedInAt(page, '/apps');
  const kept = uniqueName('Kept');
  await registerApp(page, kept);
  const { name } = await registerApp(page, uniqueName('Gone'));
  await openAppSettings(page);
  await page.getByRole('button', { name: 'Delete app' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('textbox').fill(name);
  await expect(dialog.getByRole('button', { name: 'Delete app' })).toBeEnabled();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${url}/apps`);
  const notice = page.getByRole('status').filter({ hasText: `Deleted ${name} and its DNS record.` });
  await expect(notice).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(cardOf(page, kept)).toBeVisible();
  await expectAccessibleLayout(page);
  const covered = await notice.evaluate((element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    return [...document.querySelectorAll('main a, main button')]
      .map((each) => ({ name: each.textContent, box: each.getBoundingClientRect() }))
      .filter(({ box }) => box.top < bottom && box.bottom > top && box.left < right && box.right > left)
      .map((each) => each.name);
  });
  expect(covered).toEqual([]);

  await page.reload();
  await expect(cardOf(page, kept)).toBeVisible();
  await expect(page.getByText(`Deleted ${name}`)).toHaveCount(0);
});

test('an answer without a body is shown as an error, and the page does not keep loading', async ({ page }) => {
  await signedInAt(page, '/apps');
  await page.route('**/api/**', (route) => route.fulfill({ status: 200, body: '' }));
  for (const path of ['/apps', '/apps/domains', '/usage', '/files', '/']) {
    await page.goto(url + path);
    await expect(page.getByText(/could not be loaded/).first(), path).toBeVisible();
    await expect(page.locator('hp-skeleton:visible'), path).toHaveCount(0);
  }
});
