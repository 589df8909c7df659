import { expect, test } from '@playwright/test';
import {
  cnameOf,
  dnsSection,
  expectAccessibleLayout,
  hostnameOf,
  problemResponse,
  registerApp,
  rowOf,
  signedInAt,
  UNAVAILABLE,
  uniqueName,
} from './app-steps';
import { collectPageErrors } from './pages';

// The service worker would bypass the page's routes.
test.use({ serviceWorkers: 'block' });

test('an app is registered with the keyboard and becomes reachable', async ({ page }) => {
  const errors = collectPageErrors(page);
  await signedInAt(page, '/apps');
  const name = uniqueName('Key Board');
  await page.getByLabel('Name').focus();
  await page.keyboard.type(`  ${name}`);
  await expect(page.locator('#address')).toContainText(`Address: ${hostnameOf(name).split('.')[0]}`);
  await expect(page.locator('#address')).toContainText('is free');
  await expectAccessibleLayout(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: `${name} is registered` })).toBeVisible();
  await expect(page.getByLabel('Name')).toHaveValue('');
  await expect(rowOf(page, name)).toContainText('Active');
  await expect(
    page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading') })
      .first(),
  ).toContainText(name);
  await expectAccessibleLayout(page);

  await page.getByRole('link', { name, exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page).toHaveTitle(new RegExp(name));
  await expect(dnsSection(page)).toContainText('Active');
  await expect(dnsSection(page)).toContainText('people can reach this address');
  await expect(page.getByRole('link', { name: hostnameOf(name) })).toHaveAttribute('target', '_blank');
  await expect(page.getByText('0 deploys')).toBeVisible();
  await dnsSection(page).getByRole('button', { name: 'Copy name' }).click();
  await expect(dnsSection(page).getByRole('button', { name: 'Copied' })).toBeVisible();
  await expectAccessibleLayout(page);
  expect(await cnameOf(hostnameOf(name))).toBe('edge.localhost');

  await page.reload();
  await expect(dnsSection(page)).toContainText('Active');
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Apps' })).toBeFocused();
  expect(errors).toEqual([]);
});

test('a name is checked against every rule while it is typed', async ({ page }, { project }) => {
  await signedInAt(page, '/apps');
  const rules = page.getByRole('list', { name: 'Rules for the address' }).getByRole('listitem');
  // Phones show only broken rules, or a one-line summary.
  const isPhone = project.name === 'phone';
  const summary = page.getByText('3 to 63 letters, digits or hyphens');
  await expect(rules.filter({ hasText: /^Open/ })).toHaveCount(isPhone ? 0 : 5);
  await expect(summary).toBeVisible({ visible: isPhone });
  for (const [name, broken] of [
    ['ab', ['3 to 63 characters']],
    ['x'.repeat(64), ['3 to 63 characters']],
    ['Käse', ['Letters a to z']],
    ['-shop', ['No hyphen at the beginning']],
    ['xn--shop', ['third and fourth']],
    ['ADMIN', ['Not reserved']],
    ['ä-', ['3 to 63 characters', 'Letters a to z', 'No hyphen at the beginning']],
    ['My   Shop', []],
  ] as const) {
    await page.getByLabel('Name').fill(name);
    await expect(rules.filter({ hasText: /^Not met/ })).toHaveText(broken.map((words) => new RegExp(words)));
    await expect(rules.filter({ hasText: /^Met/ })).toHaveCount(isPhone ? 0 : 5 - broken.length);
    await expect(summary).toBeHidden();
  }
  await expect(page.getByText('Meets all address rules')).toBeVisible({ visible: isPhone });
  await expect(page.locator('#address')).toContainText('Address: my-shop');

  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.method()));
  for (const [name, words] of [
    ['xn--shop', 'breaks a rule: not two hyphens'],
    ['', 'Enter a name.'],
  ] as const) {
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Register' }).click();
    await expect(page.locator('#address')).toContainText(words);
    await expect(page.getByLabel('Name')).toBeFocused();
    await expect(page.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
    await expectAccessibleLayout(page);
  }
  expect(sent).not.toContain('POST');
});

test('availability is checked after a pause in typing, and a failed check is ignored', async ({ page }) => {
  await page.clock.install();
  await signedInAt(page, '/apps');
  await expect(page.getByLabel('Name')).toBeVisible();
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
  await expect(page.locator('#address')).toHaveText(new RegExp(`^\\s*Address: ${name}\\S*\\s*$`));
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a taken and a reserved name are rejected at the field', async ({ page, browser }, { project }) => {
  const { viewport = null } = project.use;
  const other = await (await browser.newContext({ viewport, serviceWorkers: 'block' })).newPage();
  await signedInAt(other, '/apps', 'hank');
  const name = uniqueName('Taken');
  await registerApp(other, name);

  await signedInAt(page, '/apps');
  await page.getByLabel('Name').fill(name);
  await expect(page.locator('#address')).toContainText('is taken');
  await expectAccessibleLayout(page);
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.locator('#address')).toContainText('is taken. Choose another name.');
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
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.locator('#address')).toContainText('status-page is reserved. Choose another name.');
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
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByRole('alert')).toContainText('The database does not answer');
  await expectAccessibleLayout(page);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('alert')).toContainText('Your organization has 1000 apps');
  await expect(page.getByLabel('Name')).toHaveValue(name);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(rowOf(page, name)).toBeVisible();
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[1]).toBe(keys[0]);
  // The API repeats a rejection for the same key for a day.
  expect(keys[2]).not.toBe(keys[1]);
});
