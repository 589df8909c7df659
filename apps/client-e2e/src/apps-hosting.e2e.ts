import { expect, type Page, test } from '@playwright/test';
import {
  dnsSection,
  expectAccessibleLayout,
  foreignRecord,
  hostnameOf,
  registerApp,
  rowOf,
  signedInAt,
  UNAVAILABLE,
  uniqueName,
} from './app-steps';
import { url } from './pages';

// The service worker would bypass the page's routes.
test.use({ serviceWorkers: 'block' });

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

test('each field of the DNS record can be copied, in every state', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signedInAt(page, '/apps');
  const app = await registerApp(page, uniqueName('To Copy'));
  await page.getByRole('link', { name: 'View app' }).click();
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
  await page.goto(`${url}/apps/${id}`);
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

test('the form shows the whole address of the first app', async ({ page }) => {
  await withoutApps(page);
  await signedInAt(page, '/apps');
  await expect(page.getByText('Your organization has no apps yet.')).toBeVisible();
  await expect(page.getByText('“Acme site” is acme-site.apps.localhost.')).toBeVisible();
  await expectAccessibleLayout(page);
  const name = uniqueName('First');
  await page.getByLabel('Name').pressSequentially(name);
  await expect(page.locator('#address')).toContainText(`Address: ${hostnameOf(name)}`);
});

test('without hosting settings the form shows no suffix and still registers', async ({ page }) => {
  await page.route('**/api/hosting', (route) => route.fulfill(UNAVAILABLE));
  await withoutApps(page);
  await signedInAt(page, '/apps');
  await expect(page.getByText('“Acme site” is acme-site.')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  const name = uniqueName('Unknown Place');
  await page.getByLabel('Name').fill('admin');
  await expect(page.locator('#address')).toHaveText('“admin” is reserved. Try another name.');
  const { hostname } = await registerApp(page, name);
  await page.getByLabel('Name').fill('next one');
  await expect(page.locator('#address')).toContainText(`Address: next-one.${hostname.split('.').slice(1).join('.')}`);
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
  // The reserved names are known once the suffix is shown.
  await page.getByLabel('Name').fill('status');
  await expect(page.locator('#address')).toContainText('Address: status.apps.localhost');
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
  const isAsked = (request: string) => request.startsWith('POST') || request.endsWith('/status-page');
  await page.getByLabel('Name').fill(' Status  PAGE ');
  await expect(page.locator('#address')).toHaveText('“status-page” is reserved. Try another name.');
  await expectAccessibleLayout(page);
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByLabel('Name')).toBeFocused();
  await expect(liveRegion(page)).toHaveText('“status-page” is reserved. Try another name.');
  expect(sent.filter(isAsked)).toEqual([]);
});

test('the problem with a name is announced in one sentence after a pause in typing', async ({ page }) => {
  await page.clock.install();
  await signedInAt(page, '/apps');
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
  await page.getByRole('link', { name: 'View app' }).click();
  await page.getByRole('button', { name: 'Delete app' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('textbox').fill(name);
  await expect(dialog.getByRole('button', { name: 'Delete app' })).toBeEnabled();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${url}/apps`);
  const notice = page.getByRole('status').filter({ hasText: `Deleted ${name} and its DNS record.` });
  await expect(notice).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(rowOf(page, kept)).toBeVisible();
  await expectAccessibleLayout(page);
  const covered = await notice.evaluate((element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    return [...document.querySelectorAll('a, button, input, select, hp-app-row')]
      .map((each) => ({ name: each.textContent, box: each.getBoundingClientRect() }))
      .filter(({ box }) => box.top < bottom && box.bottom > top && box.left < right && box.right > left)
      .map((each) => each.name);
  });
  expect(covered).toEqual([]);

  await registerApp(page, uniqueName('Next'));
  await expect(notice).toHaveCount(0);
  await page.reload();
  await expect(rowOf(page, kept)).toBeVisible();
  await expect(page.getByText(`Deleted ${name}`)).toHaveCount(0);
});
