import { expect, test } from '@playwright/test';
import {
  appStatusOf,
  cardOf,
  cnameOf,
  dnsSection,
  expectAccessibleLayout,
  hostnameOf,
  openAppSettings,
  openNewApp,
  problemResponse,
  registerApp,
  signedInAt,
  UNAVAILABLE,
  uniqueName,
} from './app-steps';
import { collectPageErrors } from './pages';
import { SUITE_TAG } from './suites';

test('an app is registered with the keyboard and becomes reachable', async ({ page }) => {
  const errors = collectPageErrors(page);
  await signedInAt(page, '/apps');
  const dialog = await openNewApp(page);
  await expect(dialog.getByLabel('Name')).toBeFocused();
  const name = uniqueName('Key Board');
  await page.keyboard.type(`  ${name}`);
  await expect(dialog).toContainText(hostnameOf(name));
  await expect(page.locator('#address')).toHaveText('Available');
  await expectAccessibleLayout(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page).toHaveTitle(new RegExp(name));
  await expect(appStatusOf(page)).toHaveText('No deploy');
  await expect(page.getByRole('link', { name: hostnameOf(name) })).toHaveAttribute('target', '_blank');
  await expect(page.getByText('Nothing is deployed yet')).toBeVisible();
  await expectAccessibleLayout(page);

  await openAppSettings(page);
  await expect(page).toHaveTitle(new RegExp(name));
  await expect(dnsSection(page)).toContainText('DNS active');
  await expect(dnsSection(page)).toContainText('Deploy a site, and people can open it at this address.');
  await expect(page.getByText('people can reach this address')).toHaveCount(0);
  await dnsSection(page).getByRole('button', { name: 'Copy name' }).click();
  await expect(dnsSection(page).getByRole('button', { name: 'Copied' })).toBeVisible();
  await expectAccessibleLayout(page);
  expect(await cnameOf(hostnameOf(name))).toBe('edge.localhost');

  await page.reload();
  await expect(dnsSection(page)).toContainText('DNS active');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Apps' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Apps' })).toBeFocused();
  await expect(cardOf(page, name)).toContainText('No deploy');
  await expectAccessibleLayout(page);
  expect(errors).toEqual([]);
});

test('a rule is shown only when the name breaks it, with a name that works', { tag: SUITE_TAG }, async ({ page }) => {
  await signedInAt(page, '/apps');
  const dialog = await openNewApp(page);
  const address = page.locator('#address');
  await expect(address).toHaveText(/The name becomes the address/);
  await expect(page.getByText(/^(Open|Met|Not met)$/)).toHaveCount(0);
  await page.getByLabel('Name').fill('ab');
  await expect(address).toHaveText(' Use at least 3 characters. ');
  await expect(page.getByLabel('Name')).not.toHaveAttribute('aria-invalid');
  for (const [name, words] of [
    ['x'.repeat(64), 'Use at most 63 characters.'],
    ['Käse-Straße', 'Use only the letters a to z, digits and hyphens.'],
    ['-shop', 'Begin and end with a letter or a digit.'],
    ['xn--shop', 'Two hyphens cannot be the third and fourth character.'],
    ['API', '“api” is reserved. Try another name.'],
  ] as const) {
    await page.getByLabel('Name').fill(name);
    await expect(address).toHaveText(words);
    await expect(page.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
  }
  await page.getByLabel('Name').fill('Käse-Straße');
  await dialog.getByRole('button', { name: 'Use “kaese-strasse”' }).click();
  await expect(page.getByLabel('Name')).toHaveValue('kaese-strasse');
  await expect(page.getByLabel('Name')).toBeFocused();
  await expect(page.getByLabel('Name')).not.toHaveAttribute('aria-invalid');
  await expectAccessibleLayout(page);
  await page.getByLabel('Name').fill('My   Shop');
  await expect(dialog.locator('.preview')).toContainText('my-shop');

  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.method()));
  for (const [name, words] of [
    ['ab', 'Use at least 3 characters.'],
    ['xn--shop', 'Two hyphens cannot be'],
    ['', 'Enter a name.'],
  ] as const) {
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Create app' }).click();
    await expect(address).toContainText(words);
    await expect(page.getByLabel('Name')).toBeFocused();
    await expect(page.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
    await expectAccessibleLayout(page);
  }
  expect(sent).not.toContain('POST');
});

test('availability is checked after a pause in typing, and a failed check is ignored', async ({ page }) => {
  await page.clock.install();
  await signedInAt(page, '/apps');
  const dialog = await openNewApp(page);
  await expect(dialog.getByLabel('Name')).toBeVisible();
  const requested: string[] = [];
  await page.route('**/api/subdomains/*', (route) => {
    requested.push(decodeURIComponent(route.request().url().split('/').at(-1)!));
    return route.fulfill(UNAVAILABLE);
  });
  const name = uniqueName('typed').replace(' ', '');
  await page.clock.pauseAt(new Date(Date.now() + 3_600_000));
  for (const letter of name) {
    await page.getByLabel('Name').press(letter);
    await page.clock.runFor(290);
  }
  expect(requested).toEqual([]);
  const answer = page.waitForResponse('**/api/subdomains/*');
  await page.clock.runFor(50);
  await answer;
  await page.clock.resume();
  expect(requested).toEqual([name]);
  await expect(dialog.locator('.preview')).toContainText(name);
  await expect(page.locator('#address')).toHaveText('');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a taken and a reserved name are rejected at the field', async ({ page, browser }, { project }) => {
  const { viewport = null } = project.use;
  const other = await (await browser.newContext({ viewport, serviceWorkers: 'block' })).newPage();
  await signedInAt(other, '/apps', 'hank');
  const name = uniqueName('Taken');
  await registerApp(other, name);

  await signedInAt(page, '/apps');
  await openNewApp(page);
  await page.getByLabel('Name').fill(name);
  await expect(page.locator('#address')).toContainText('is taken');
  await expectAccessibleLayout(page);
  await page.getByRole('button', { name: 'Create app' }).click();
  await expect(page.locator('#address')).toContainText('is taken. Try another name.');
  await expect(page.getByLabel('Name')).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);

  // A name reserved after the page was opened is known only to the API.
  await page.route('**/api/apps', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill(problemResponse(400, 'apps.subdomain-reserved', 'The address is reserved.'))
      : route.fallback(),
  );
  await page.getByLabel('Name').fill('Status Page');
  await expect(page.getByLabel('Name')).not.toHaveAttribute('aria-invalid');
  await page.getByRole('button', { name: 'Create app' }).click();
  await expect(page.locator('#address')).toContainText('“status-page” is reserved. Try another name.');
  await expectAccessibleLayout(page);
  await other.context().close();
});

test('a failed registration is retried with the same key, a rejected one with a new key', async ({ page }) => {
  await signedInAt(page, '/apps');
  const keys: (string | undefined)[] = [];
  const answers = [UNAVAILABLE, problemResponse(403, 'apps.quota-exceeded', 'Your organization has 1000 apps.')];
  await page.route('**/api/apps', (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    keys.push(route.request().headers()['idempotency-key']);
    const answer = answers.shift();
    return answer ? route.fulfill(answer) : route.fallback();
  });
  const name = uniqueName('Again');
  await openNewApp(page);
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Create app' }).click();
  await expect(page.getByRole('alert')).toContainText('Your data cannot be read or saved right now');
  await expectAccessibleLayout(page);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('alert')).toContainText('Your organization has 1000 apps');
  await expect(page.getByLabel('Name')).toHaveValue(name);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[1]).toBe(keys[0]);
  // The API repeats a rejection for the same key for a day.
  expect(keys[2]).not.toBe(keys[1]);
});
