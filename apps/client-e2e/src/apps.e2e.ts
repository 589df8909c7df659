import { expect, type Locator, type Page, test } from '@playwright/test';
import {
  cnameOf,
  dnsSection,
  foreignRecord,
  hostnameOf,
  lookAt,
  newName,
  refusal,
  registered,
  rowOf,
  signedInAt,
  UNAVAILABLE,
} from './app-steps';
import { collectComplaints, url } from './pages';

// The service worker asks by itself, past the routes of the page.
test.use({ serviceWorkers: 'block' });

test('an app is registered with the keyboard, and its page says that people can reach it', async ({ page }) => {
  const complaints = collectComplaints(page);
  await signedInAt(page, '/apps');
  const name = newName('Key Board');
  await page.getByLabel('Name').focus();
  await page.keyboard.type(`  ${name}`);
  await expect(page.locator('#address')).toContainText(`Address: ${hostnameOf(name).split('.')[0]}`);
  await expect(page.locator('#address')).toContainText('is free');
  await lookAt(page);
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
  await lookAt(page);

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
  await lookAt(page);
  expect(await cnameOf(hostnameOf(name))).toBe('edge.localhost');

  await page.reload();
  await expect(dnsSection(page)).toContainText('Active');
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Apps' })).toBeFocused();
  expect(complaints).toEqual([]);
});

test('a name is judged rule by rule while it is typed', async ({ page }, { project }) => {
  await signedInAt(page, '/apps');
  const rules = page.getByRole('list', { name: 'Rules for the address' }).getByRole('listitem');
  // Phones show what is left to mend, and one line when nothing is.
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
  await expect(page.getByText('Keeps every rule for addresses')).toBeVisible({ visible: isPhone });
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
    await lookAt(page);
  }
  expect(sent).not.toContain('POST');
});

test('whether a name is free is asked once the typing pauses, and nobody hears of a question that fails', async ({
  page,
}) => {
  await page.clock.install();
  await signedInAt(page, '/apps');
  await expect(page.getByLabel('Name')).toBeVisible();
  const asked: string[] = [];
  await page.route('**/api/subdomains/*', (route) => {
    asked.push(decodeURIComponent(route.request().url().split('/').at(-1)!));
    return route.fulfill(UNAVAILABLE);
  });
  const name = newName('typed').replace(' ', '');
  await page.clock.pauseAt(new Date(Date.now() + 3_600_000));
  for (const letter of name) {
    await page.getByLabel('Name').press(letter);
    await page.clock.runFor(290);
  }
  expect(asked).toEqual([]);
  const answer = page.waitForResponse('**/api/subdomains/*');
  await page.clock.runFor(50);
  await answer;
  await page.clock.resume();
  expect(asked).toEqual([name]);
  await expect(page.locator('#address')).toHaveText(new RegExp(`^\\s*Address: ${name}\\S*\\s*$`));
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a taken and a reserved name are refused at the field', async ({ page, browser }, { project }) => {
  const { viewport = null } = project.use;
  const other = await (await browser.newContext({ viewport, serviceWorkers: 'block' })).newPage();
  await signedInAt(other, '/apps', 'hank');
  const name = newName('Taken');
  await registered(other, name);

  await signedInAt(page, '/apps');
  await page.getByLabel('Name').fill(name);
  await expect(page.locator('#address')).toContainText('is taken');
  await lookAt(page);
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.locator('#address')).toContainText('is taken. Choose another name.');
  await expect(page.getByLabel('Name')).toBeFocused();
  await expect(page.getByRole('alert')).toHaveCount(0);

  // What the configuration has reserved since the page was opened, only the API knows.
  await page.route('**/api/apps', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill(refusal(400, 'apps.subdomain-reserved', 'The address is reserved.'))
      : route.fallback(),
  );
  await page.getByLabel('Name').fill('Status Page');
  await expect(page.getByLabel('Name')).not.toHaveAttribute('aria-invalid');
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.locator('#address')).toContainText('status-page is reserved. Choose another name.');
  await lookAt(page);
  await other.context().close();
});

test('a registration that fails is repeated as the same one; one that was refused is another', async ({ page }) => {
  await signedInAt(page, '/apps');
  const keys: (string | undefined)[] = [];
  const answers = [UNAVAILABLE, refusal(403, 'apps.quota-exceeded', 'Your organization has 1000 apps.')];
  await page.route('**/api/apps', (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    keys.push(route.request().headers()['idempotency-key']);
    const answer = answers.shift();
    return answer ? route.fulfill(answer) : route.fallback();
  });
  const name = newName('Again');
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByRole('alert')).toContainText('The database does not answer');
  await lookAt(page);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('alert')).toContainText('Your organization has 1000 apps');
  await expect(page.getByLabel('Name')).toHaveValue(name);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(rowOf(page, name)).toBeVisible();
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[1]).toBe(keys[0]);
  // The API gives a refusal to every repeat of its key, for a day.
  expect(keys[2]).not.toBe(keys[1]);
});

test('a DNS record that fails is said honestly, tried again and healed', async ({ page }) => {
  await signedInAt(page, '/apps');
  const name = newName('Foreign');
  await foreignRecord(hostnameOf(name), 'put');
  await registered(page, name);
  await expect(rowOf(page, name)).toContainText('DNS failed');
  const notice = page.getByRole('status').filter({ hasText: 'its address does not work yet' });
  await expect(notice).toContainText('Another DNS record already stands at this name.');
  await lookAt(page);
  await notice.getByRole('link', { name: 'See its page' }).click();

  const dns = dnsSection(page);
  await expect(dns).toContainText('DNS failed');
  await expect(dns).toContainText('Another DNS record already stands at this name.');
  await expect(dns).toContainText('Tried once. It is not tried again by itself.');
  await lookAt(page);
  const again = dns.getByRole('button', { name: 'Try again now' });
  await again.focus();
  await page.keyboard.press('Enter');
  await expect(dns.getByText('Tried again just now: it did not work.')).toBeVisible();
  await expect(again).toBeFocused();

  await page.route('**/dns/retry', (route) => route.fulfill(UNAVAILABLE), { times: 1 });
  await again.click();
  await expect(dns.getByRole('alert')).toContainText('The record could not be tried again');
  await lookAt(page);

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
  const app = await registered(page, newName('Waiting'));
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
  await lookAt(page);

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

test('an app is deleted once its name is typed, and what becomes of its record is said', async ({ page }) => {
  await signedInAt(page, '/apps');
  const app = await registered(page, newName('Two  Spaces'));
  await page.getByRole('link', { name: 'See its page' }).click();
  await page.getByRole('button', { name: 'Delete app' }).click();
  const dialog = page.getByRole('alertdialog');
  const button = dialog.getByRole('button', { name: 'Delete app' });
  await expect(dialog).toContainText(`${app.hostname} stops working: its DNS record is removed.`);
  await expect(button).toBeDisabled();
  await dialog.getByRole('textbox').fill(app.name.slice(0, -1));
  await expect(button).toBeDisabled();
  await dialog.getByRole('textbox').fill(app.name);
  await lookAt(page);

  await page.route(`**/api/apps/${app.id}`, (route) => route.fulfill(UNAVAILABLE), { times: 1 });
  await button.click();
  await expect(dialog.getByRole('alert')).toContainText('The database does not answer');
  await button.click();
  await expect(page).toHaveURL(`${url}/apps`);
  await expect(page.getByText(/and its DNS record\.$/)).toBeVisible();
  await expect(page.getByRole('link', { name: app.hostname })).toHaveCount(0);
  expect(await cnameOf(app.hostname)).toBe('ENOTFOUND');

  const other = await registered(page, newName('Dangling'));
  await page.getByRole('link', { name: 'See its page' }).click();
  const answered = Promise.withResolvers<undefined>();
  await page.route(`**/api/apps/${other.id}`, async (route) => {
    if (route.request().method() !== 'DELETE') return route.fallback();
    await answered.promise;
    return route.fulfill({ json: { id: other.id, deleted: true, dns: 'dangling', archived_deploys: 0 } });
  });
  await page.getByRole('button', { name: 'Delete app' }).click();
  await dialog.getByRole('textbox').fill(other.name);
  await button.click();
  // It is under way, and looking away does not take it back.
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Cancel' }).click({ force: true });
  await expect(dialog.getByRole('button', { name: 'Working…' })).toBeVisible();
  answered.resolve(undefined);
  await expect(page.getByText('could not be removed yet; that is tried again until it is gone.')).toBeVisible();
});

test('an app that is not there, or not theirs, is answered with a way back', async ({ page, browser }, { project }) => {
  const { viewport = null } = project.use;
  const other = await (await browser.newContext({ viewport, serviceWorkers: 'block' })).newPage();
  await signedInAt(other, '/apps', 'hank');
  const { id } = await registered(other, newName('Theirs'));
  await other.context().close();

  await signedInAt(page, '/apps/no-such-app');
  for (const each of ['no-such-app', '00000000-0000-4000-8000-000000000000', id]) {
    await page.goto(`${url}/apps/${each}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('App not found');
    await expect(page.getByText('no app at this address')).toBeVisible();
    await lookAt(page);
  }
  await page.getByRole('link', { name: 'See your apps' }).click();
  await expect(page).toHaveURL(`${url}/apps`);
});

test('the page of an app says when it cannot be loaded, and recovers', async ({ page }) => {
  await signedInAt(page, '/apps');
  const { id, name } = await registered(page, newName('Recovers'));
  await page.route('**/api/apps**', (route) => route.fulfill(UNAVAILABLE));
  await page.route(`**/api/apps/${id}`, (route) => route.fulfill(UNAVAILABLE));
  await page.goto(`${url}/apps/${id}`);
  await expect(page.getByRole('alert')).toContainText('This app could not be loaded');
  await lookAt(page);
  await page.goto(`${url}/apps`);
  await expect(page.getByRole('alert')).toContainText('Your apps could not be loaded');
  await page.goto(`${url}/apps/${id}`);
  await expect(page.getByRole('alert')).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  await expect(dnsSection(page)).toContainText('Active');
});
