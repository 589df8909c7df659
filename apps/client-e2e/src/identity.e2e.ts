import { randomBytes } from 'node:crypto';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Locator,
  type Page,
  test,
} from '@playwright/test';
import { collectPageErrors, expectAccessible, expectNoSidewaysScroll, signIn, url } from './pages';
import { waitForServiceWorker } from './service-worker-steps';
import { SUITE_TAG } from './suites';

/** Users of this file only: some tests end all their sessions while other files run in parallel. */
const VISITORS = {
  desktop: { provider: /Northwind/, name: 'Carla Ruiz' },
  phone: { provider: /Globex/, name: 'Jon Reyes' },
} as const;

function visitor(): (typeof VISITORS)[keyof typeof VISITORS] {
  return VISITORS[test.info().project.name as keyof typeof VISITORS];
}

/** Uploads a file with a unique name and returns the name. */
async function uploaded(page: Page): Promise<string> {
  const name = `kept for me ${randomBytes(4).toString('hex')}.md`;
  const file = { name, mimeType: 'text/markdown', buffer: Buffer.from('# Only for me') };
  await page.locator('input[type=file]').setInputFiles(file);
  await expect(page.getByRole('link', { name })).toBeVisible();
  return name;
}

async function signedInAt(page: Page, path: string): Promise<void> {
  await page.goto(url + path);
  await signIn(page, visitor().provider, new RegExp(visitor().name));
  await expect(page).toHaveURL(url + path);
}

/** The name of the signed-in user on the settings page. */
function nameOn(page: Page, name: string): Locator {
  return page.getByRole('region', { name: 'Account', exact: true }).getByText(name);
}

/** Contexts that a test opened; a page left open would keep polling during later tests. */
const others: BrowserContext[] = [];

/** Opens another browser context with separate cookies and storage. */
async function anotherBrowser(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options);
  others.push(context);
  return context.newPage();
}

/** Everything the page stored that a later user of this browser could read. */
async function storedData(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const cached = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) cached.push(request.url, await (await cache.match(request))?.text());
    }
    const databases = (await indexedDB.databases()).map(({ name }) => name);
    return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, databases, cached]);
  });
}

test.use({ serviceWorkers: 'allow' });

test.afterEach(async () => {
  for (const context of others.splice(0)) await context.close();
});

test('a deep link with special characters survives sign-in', async ({ page }) => {
  await page.goto(`${url}/view/a%20b%3Fc%23d/100%25.md?raw=1`);
  await expect(page).toHaveURL(/\/login\?return_to=/);
  await signIn(page, visitor().provider, new RegExp(visitor().name));
  await expect(page).toHaveURL(`${url}/view/a%20b%3Fc%23d/100%25.md?raw=1`);
  await expect(page.getByText('100%.md').first()).toBeVisible();
});

test('no token is stored or sent in a URL', async ({ page }) => {
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url(), request.headers()['referer'] ?? ''));
  page.on('framenavigated', (frame) => addresses.push(frame.url()));
  await signedInAt(page, '/files');
  const { access_token } = await page.evaluate(
    async () => (await (await fetch('/auth/session')).json()) as { access_token: string },
  );
  expect(access_token).toMatch(/^eyJ/);
  await page.getByRole('link', { name: await uploaded(page) }).click();
  await expect(page.getByRole('heading', { name: 'Only for me' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Only for me' })).toBeVisible();
  const stored = await storedData(page);
  expect(stored).not.toContain('eyJ');
  expect(stored).not.toContain('Only for me');
  expect(addresses.filter((each) => /eyJ|access_token|id_token/.test(each))).toEqual([]);
});

test('signing out in one tab signs out the other, and Back shows nothing', async ({ page, context }) => {
  const errors = collectPageErrors(page);
  await signedInAt(page, '/files');
  await page.getByRole('link', { name: await uploaded(page) }).click();
  await expect(page.getByRole('heading', { name: 'Only for me' })).toBeVisible();
  // Angular logs an error when storage is deleted during the service worker registration.
  await page.evaluate(() => navigator.serviceWorker.ready);

  const other = await context.newPage();
  await other.goto(`${url}/settings`);
  await other.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(other).toHaveURL(`${url}/login`);

  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByText('Only for me')).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByText('Only for me')).toHaveCount(0);
  await other.goBack();
  await expect(other).toHaveURL(/\/login/);
  expect(await storedData(page)).not.toContain('Only for me');
  expect(errors).toEqual([]);
});

test(
  'a sign-in after a sign-out asks for the account and signs in the other tab',
  { tag: SUITE_TAG },
  async ({ page, context }) => {
    await signedInAt(page, '/settings');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await expect(page).toHaveURL(`${url}/login`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are signed out');
    // The provider of the last sign-in comes first and is marked.
    const providers = page.getByRole('link', { name: /Continue with/ });
    await expect(providers.first()).toHaveAccessibleName(visitor().provider);
    await expect(providers.filter({ hasText: 'Last used' })).toHaveCount(1);
    await expectAccessible(page);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are signed out');
    const other = await context.newPage();
    await signedInAt(other, '/settings');
    await expect(page).toHaveURL(`${url}/`);
  },
);

test(
  'a tab of the previous user restarts for the user who has signed in',
  { tag: SUITE_TAG },
  async ({ page, context }) => {
    await signedInAt(page, '/settings');
    await expect(nameOn(page, visitor().name)).toBeVisible();
    const other = await context.newPage();
    await other.goto(`${url}/login?reason=access&return_to=/settings`);
    await expect(other.getByRole('heading', { level: 1 })).toHaveText('Sign in for access');
    await signIn(other, /Northwind/, /Ben Okafor/);
    await expect(other).toHaveURL(`${url}/settings`);
    await expect(nameOn(other, 'Ben Okafor')).toBeVisible();
    await expect(page).toHaveURL(`${url}/`);
    await page.goto(`${url}/settings`);
    await expect(nameOn(page, 'Ben Okafor')).toBeVisible();
  },
);

test('a URL with two return paths leads to the first', async ({ page }) => {
  await page.goto(`${url}/login?return_to=/settings&return_to=/files`);
  await signIn(page, visitor().provider, new RegExp(visitor().name));
  await expect(page).toHaveURL(`${url}/settings`);
});

/** Makes the API reject the token of the next call, as an expired one. */
async function refuseNextToken(context: BrowserContext): Promise<void> {
  await context.route(
    (address) => address.pathname.startsWith('/api/'),
    (route) =>
      route.fulfill({
        status: 401,
        contentType: 'application/problem+json',
        headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
        body: JSON.stringify({
          title: 'Authentication required',
          status: 401,
          detail: '',
          code: 'identity.token-expired',
        }),
      }),
    { times: 1 },
  );
}

test('a token that expires while the user reads is renewed silently', async ({ browser }, { project }) => {
  const { viewport = null } = project.use;
  const page = await anotherBrowser(browser, { viewport, serviceWorkers: 'block' });
  await signedInAt(page, '/files');
  const name = await uploaded(page);
  await refuseNextToken(page.context());
  const sent: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) sent.push(request.headers()['authorization']);
  });
  await page.getByRole('link', { name }).click();
  await expect(page.getByRole('heading', { name: 'Only for me' })).toBeVisible();
  const [refused, repeated] = sent;
  expect(refused).toMatch(/^Bearer eyJ/);
  expect(repeated).toMatch(/^Bearer eyJ/);
  expect(repeated).not.toBe(refused);
  expect(sent.filter((each) => each === refused)).toHaveLength(1);
});

test('a session ended elsewhere leads to sign-in and back to the page', async ({ browser }, { project }) => {
  const { viewport = null } = project.use;
  const page = await anotherBrowser(browser, { viewport, serviceWorkers: 'block' });
  await signedInAt(page, '/files');
  const name = await uploaded(page);

  const elsewhere = await anotherBrowser(browser, { viewport });
  await signedInAt(elsewhere, '/settings');
  const list = elsewhere.getByRole('region', { name: 'Active sessions' });
  await expect(list.getByText('This browser')).toHaveCount(1);
  await expectNoSidewaysScroll(elsewhere);
  await expectAccessible(elsewhere);
  // Previous tests have left sessions; all of them are ended here.
  const others = list.getByRole('button', { name: /End session/ });
  for (let left = await others.count(); left > 0; left--) {
    // By keyboard: a toast may cover the button, and stays while the pointer is on it.
    await others.first().press('Enter');
    await expect(others).toHaveCount(left - 1);
  }

  await refuseNextToken(page.context());
  await page.getByRole('link', { name }).click();
  await expect(page).toHaveURL(/\/login\?reason=expired&return_to=/);
  await expect(page.getByRole('heading', { name: 'Sign in again' })).toBeVisible();
  await expectAccessible(page);
  // The identity service still has a session for this browser and signs in without a question.
  await page.getByRole('link', { name: visitor().provider }).click();
  await expect(page).toHaveURL(/\/view\/kept%20for%20me/);
  await expect(page.getByRole('heading', { name: 'Only for me' })).toBeVisible();
});

test('ending all sessions signs out this browser and the others', async ({ page, browser }, { project }) => {
  const elsewhere = await anotherBrowser(browser, { viewport: project.use.viewport ?? null });
  for (const each of [elsewhere, page]) await signedInAt(each, '/settings');
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Sign out everywhere?' });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page).toHaveURL(`${url}/login`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You are signed out');
  await elsewhere.goto(`${url}/files`);
  await expect(elsewhere.getByRole('heading', { name: 'Sign in again' })).toBeVisible();
});

test('the sign-in page says that the session has ended when a page is opened again', async ({ page, context }) => {
  await signedInAt(page, '/settings');
  await expect(nameOn(page, visitor().name)).toBeVisible();
  await context.clearCookies();
  await page.goto(`${url}/files`);
  await expect(page).toHaveURL(/\/login\?return_to=%2Ffiles&reason=expired/);
  await expect(page.getByRole('heading', { name: 'Sign in again' })).toBeVisible();
});

test('the sign-in page explains an invitation, missing access and a failed sign-in', async ({ page }) => {
  for (const [query, heading, text] of [
    ['?invite=i-1', 'You are invited', 'join your team'],
    ['?reason=access', 'Sign in for access', 'account that has access'],
    ['?reason=expired', 'Sign in again', 'session has ended'],
    ['?error=access_denied', 'Sign in to Homeport', 'cancelled or refused'],
    ['?error=<b>call 555</b>', 'Sign in to Homeport', 'Sign-in failed'],
  ] as const) {
    await page.goto(`${url}/signin${query}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await expect(page.getByText(text)).toBeVisible();
    await expect(page.getByText('555')).toHaveCount(0);
    await expect(page.getByRole('link', { name: /Continue with/ })).toHaveCount(2);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  }
});

test('signing out clears the HTTP cache and keeps the device settings', async ({ page }) => {
  await signedInAt(page, '/files');
  const path = `/api/files/${encodeURIComponent(await uploaded(page))}`;
  const authorization = await page.evaluate(async () => {
    localStorage.setItem('homeport.theme', 'light');
    const { access_token } = (await (await fetch('/auth/session')).json()) as { access_token: string };
    return `Bearer ${access_token}`;
  });
  /** Whether the browser has the response in its HTTP cache. */
  const isCached = (address: string, headers: Record<string, string>) =>
    page.evaluate(
      ([url, sent]) =>
        fetch(url, { headers: sent, cache: 'only-if-cached', mode: 'same-origin' }).then(
          ({ ok }) => ok,
          () => false,
        ),
      [address, headers] as const,
    );
  await page.evaluate(
    async ([address, token]) => (await fetch(address, { headers: { authorization: token } })).text(),
    [path, authorization] as const,
  );
  expect(await isCached(path, { authorization })).toBe(true);

  await page.goto(`${url}/settings`);
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page).toHaveURL(`${url}/login`);
  for (const address of [path, '/api/apps', '/api/files', '/auth/session']) {
    expect([address, await isCached(address, { authorization }), await isCached(address, {})]).toEqual([
      address,
      false,
      false,
    ]);
  }
  expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({
    'homeport.theme': 'light',
    'homeport.sign-in-provider': expect.stringMatching(/^(northwind|globex)$/),
  });
});

test('the app starts offline after a sign-out and the next sign-in', { tag: SUITE_TAG }, async ({ page, context }) => {
  await signedInAt(page, '/files');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.goto(`${url}/settings`);
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page).toHaveURL(`${url}/login`);
  await page.evaluate(() => navigator.serviceWorker.ready);

  await signedInAt(page, '/settings');
  await expect(nameOn(page, visitor().name)).toBeVisible();
  await waitForServiceWorker(page);
  await context.setOffline(true);
  await page.goto(`${url}/settings`);
  await expect(nameOn(page, visitor().name)).toBeVisible();
});
