import { expect, type Page, test } from '@playwright/test';
import {
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
import { url } from './pages';

// The service worker asks by itself, past the routes of the page.
test.use({ serviceWorkers: 'block' });

/** As if the organization had no apps yet. */
async function withoutApps(page: Page): Promise<void> {
  await page.route('**/api/apps', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: { items: [], next_cursor: null } }) : route.fallback(),
  );
}

/** What is read out to somebody who does not see the form. */
function spoken(page: Page) {
  return page.locator('hp-register-form').getByRole('status');
}

test('the record of an app is there to copy part by part, in every state', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signedInAt(page, '/apps');
  const app = await registerApp(page, uniqueName('To Copy'));
  await page.getByRole('link', { name: 'See its page' }).click();
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

test('the value of the record is asked for again when it could not be read', async ({ page }) => {
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

test('the first app of an organization is registered with its whole address in sight', async ({ page }) => {
  await withoutApps(page);
  await signedInAt(page, '/apps');
  await expect(page.getByText('Your organization has no apps yet.')).toBeVisible();
  await expect(page.getByText('“Acme site” is acme-site.apps.localhost.')).toBeVisible();
  await expectAccessibleLayout(page);
  const name = uniqueName('First');
  await page.getByLabel('Name').pressSequentially(name);
  await expect(page.locator('#address')).toContainText(`Address: ${hostnameOf(name)}`);
});

test('without knowing where apps live, the form claims nothing and registers all the same', async ({ page }) => {
  await page.route('**/api/hosting', (route) => route.fulfill(UNAVAILABLE));
  await withoutApps(page);
  await signedInAt(page, '/apps');
  await expect(page.getByText('“Acme site” is acme-site.')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  const name = uniqueName('Unknown Place');
  await page.getByLabel('Name').fill('admin');
  await expect(page.getByRole('listitem').filter({ hasText: 'Not reserved' })).toContainText('Not met');
  const { hostname } = await registerApp(page, name);
  await page.getByLabel('Name').fill('next one');
  await expect(page.locator('#address')).toContainText(`Address: next-one.${hostname.split('.').slice(1).join('.')}`);
});

test('a name that is reserved here is known at once, and never asked about', async ({ page }) => {
  await page.route('**/api/hosting', async (route) => {
    const response = await route.fetch();
    const hosting = (await response.json()) as { reserved_subdomains: string[] };
    await route.fulfill({
      response,
      json: { ...hosting, reserved_subdomains: [...hosting.reserved_subdomains, 'status-page'] },
    });
  });
  await signedInAt(page, '/apps');
  // Whole once the answer is there: what is reserved is known then.
  await page.getByLabel('Name').fill('status');
  await expect(page.locator('#address')).toContainText('Address: status.apps.localhost');
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
  const isAsked = (request: string) => request.startsWith('POST') || request.endsWith('/status-page');
  const rule = page.getByRole('listitem').filter({ hasText: 'Not reserved' });
  await page.getByLabel('Name').fill(' Status  PAGE ');
  await expect(rule).toContainText('Not met');
  await expect(rule).toContainText('dashboard, status-page)');
  await expectAccessibleLayout(page);
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.locator('#address')).toContainText('breaks a rule: not reserved');
  await expect(page.getByLabel('Name')).toBeFocused();
  await expect(spoken(page)).toContainText('breaks a rule: not reserved');
  expect(sent.filter(isAsked)).toEqual([]);
});

test('what is wrong with a name is read out once the typing pauses, in one sentence', async ({ page }) => {
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
  await expect(spoken(page)).toHaveText('');
  await type('-ü');
  await expect(spoken(page)).toHaveText('');
  await page.clock.runFor(200);
  await expect(spoken(page)).toHaveText(
    'The address breaks 3 rules: 3 to 63 characters. Letters a to z, digits, hyphens; spaces become hyphens. ' +
      'No hyphen at the beginning or end.',
  );
  await page.getByLabel('Name').fill('ab');
  await page.clock.runFor(1_100);
  await expect(spoken(page)).toHaveText('The address breaks a rule: 3 to 63 characters.');
  // What was said stays until there is something else to say, so that nothing is read out letter by letter.
  await type('c');
  await expect(spoken(page)).toHaveText('The address breaks a rule: 3 to 63 characters.');
  await page.clock.resume();
  await expect(spoken(page)).toHaveText(/^The address abc\.apps\.localhost is (free|taken)\.$/);
});

test('what was deleted is said in the page, over nothing', async ({ page }) => {
  await signedInAt(page, '/apps');
  const kept = uniqueName('Kept');
  await registerApp(page, kept);
  const { name } = await registerApp(page, uniqueName('Gone'));
  await page.getByRole('link', { name: 'See its page' }).click();
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
