import { expect, type Page, test } from '@playwright/test';
import { addSession, signedInAt } from './app-steps';
import { uniqueDirectory, personalDatabases, personOf, putFile } from './file-steps';
import { collectPageErrors, expectAccessible, url } from './pages';
import { SUITE_TAG } from './suites';

/** Collects the requests for the session. */
function sessionCallsOf(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/auth/session') calls.push(request.method());
  });
  return calls;
}

test.use({ serviceWorkers: 'allow' });

test('a browser without a session requests none and logs no errors', async ({ page }) => {
  const calls = sessionCallsOf(page);
  const pageErrors = collectPageErrors(page);
  for (const path of ['/signin', '/pricing']) {
    await page.goto(url + path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  await page.goto(`${url}/files/reports`);
  await expect(page).toHaveURL(/\/login\?return_to=%2Ffiles%2Freports/);
  expect(calls).toEqual([]);
  expect(pageErrors).toEqual([]);
});

test('the session is requested once, together with the page', async ({ browser }) => {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  const calls = sessionCallsOf(page);
  await signedInAt(page, '/');
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
  expect(calls).toEqual(['GET']);
  const answers = await page.evaluate(() => performance.getEntriesByName(`${location.origin}/auth/session`).length);
  expect(answers).toBe(1);
  await context.close();
});

test('the typeface is one small file of the product', async ({ page }) => {
  const font = page.waitForResponse((response) => response.request().resourceType() === 'font');
  await page.goto(`${url}/pricing`);
  const response = await font;
  expect(new URL(response.url()).origin).toBe(url);
  expect((await response.body()).length).toBeLessThanOrEqual(60_000);
  expect(await page.evaluate(() => document.fonts.load('14px Inter').then(({ length }) => length))).toBe(1);
});

test('a page cached while signed out does not sign the user out', async ({ page }) => {
  await page.goto(`${url}/pricing`);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.reload();
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await signedInAt(page, '/');
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
  await page.goto(`${url}/signin`);
  await expect(page).toHaveURL(`${url}/`);
});

test('an app whose scripts fail to load shows an error and can be reloaded', async ({ page }) => {
  await page.route(/\/main-[\w-]+\.js$/, (route) => route.abort());
  await page.goto(`${url}/pricing?x=1`);
  await expect(page.getByRole('alert')).toContainText('Homeport could not be loaded.');
  await expectAccessible(page);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Pricing' })).toBeVisible();
  await expect(page).toHaveURL(`${url}/pricing?x=1`);
});

test('a page served before another tab signed in does not clear the data of that user', async ({ browser }, info) => {
  const { viewport } = info.project.use;
  const context = await browser.newContext({ viewport, serviceWorkers: 'block' });
  const [early, other] = [await context.newPage(), await context.newPage()];
  const script = Promise.withResolvers<undefined>();
  await early.route(/\/main-[^/]*\.js$/, async (route) => {
    await script.promise;
    await route.continue();
  });
  await early.goto(`${url}/pricing`, { waitUntil: 'commit' });
  const key = `${uniqueDirectory('early')}/a.md`;
  await signedInAt(other, '/settings', personOf(info));
  await putFile(other, key, '# Kept');
  await other.goto(`${url}/view/${key}`);
  await expect(other.getByRole('heading', { name: 'Kept' })).toBeVisible();
  await other.getByRole('button', { name: 'Keep offline' }).click();
  await expect(other.getByRole('button', { name: 'Kept offline' })).toBeVisible();
  const before = await personalDatabases(other);
  script.resolve(undefined);
  await expect(early.getByRole('button', { name: /^Account of/ })).toBeVisible();
  expect(await personalDatabases(other)).toEqual(before);
  await other.reload();
  await expect(other.getByRole('button', { name: 'Kept offline' })).toBeVisible();
  await context.close();
});

test('a page reopened with Back requests the session again', async ({ browser }) => {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const [page, other] = [await context.newPage(), await context.newPage()];
  await page.goto(`${url}/pricing`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // Not a page of the client, so no client code notices the sign-in.
  await page.goto(`${url}/health/live`);
  await signedInAt(other, '/health/live');
  await page.goBack();
  await expect(page.getByRole('button', { name: /^Account of/ })).toBeVisible();
  await context.close();
});

test('a new sign-in is not taken for the last user', { tag: SUITE_TAG }, async ({ browser }, info) => {
  const { viewport } = info.project.use;
  const context = await browser.newContext({ viewport, serviceWorkers: 'block' });
  const page = await context.newPage();
  const key = `${uniqueDirectory('anew')}/a.md`;
  await addSession(page, 'ada');
  await putFile(page, key, '# Kept');
  await page.goto(`${url}/view/${key}`);
  await expect(page.getByRole('heading', { name: 'Kept' })).toBeVisible();
  await expect.poll(() => personalDatabases(page)).toContainEqual(expect.stringContaining('copies'));
  const kept = (await personalDatabases(page)).filter((name) => name.includes('copies'));

  for (const { name, left } of [
    { name: /Ada Park/, left: kept },
    { name: /Ben Okafor/, left: [] },
  ]) {
    await context.clearCookies();
    await page.route('**/auth/session', (route) => route.fulfill({ status: 503, body: '' }));
    await page.goto(`${url}/login?return_to=${encodeURIComponent('/settings')}`);
    await page.getByRole('link', { name: /Northwind/ }).click();
    await page.getByRole('button', { name }).click();
    // The session is still unknown: no user is shown, and no data is deleted.
    await page.waitForURL(`${url}/settings`);
    await expect(page.getByRole('button', { name: /^Account of/ })).toHaveCount(0);
    expect(await page.evaluate(() => localStorage.getItem('homeport.person'))).toBeNull();
    expect(await personalDatabases(page)).toEqual(expect.arrayContaining(kept));
    await page.unroute('**/auth/session');
    await page.reload();
    await expect(page.getByRole('button', { name: 'Sign out', exact: true })).toBeVisible();
    await expect.poll(async () => (await personalDatabases(page)).filter((each) => kept.includes(each))).toEqual(left);
  }
  await context.close();
});
