import { expect, type Page, test } from '@playwright/test';
import { signedInAt } from './app-steps';
import { collectComplaints, expectAccessible, url } from './pages';

/** Every question about who is there. */
function sessionCallsOf(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/auth/session') calls.push(request.method());
  });
  return calls;
}

test('a browser without a session asks for none, and its console stays empty', async ({ page }) => {
  const calls = sessionCallsOf(page);
  const complaints = collectComplaints(page);
  for (const path of ['/signin', '/pricing']) {
    await page.goto(url + path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  await page.goto(`${url}/files/reports`);
  await expect(page).toHaveURL(/\/login\?return_to=%2Ffiles%2Freports/);
  expect(calls).toEqual([]);
  expect(complaints).toEqual([]);
});

test('the session is asked for once, along with the page', async ({ browser }) => {
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

test('what the service worker kept for a stranger does not sign a person out', async ({ page }) => {
  await page.goto(`${url}/pricing`);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.reload();
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await signedInAt(page, '/');
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
  await page.goto(`${url}/signin`);
  await expect(page).toHaveURL(`${url}/`);
});

test('an app whose scripts do not come says so, and can be asked for again', async ({ page }) => {
  await page.route(/\/main-[\w-]+\.js$/, (route) => route.abort());
  await page.goto(`${url}/pricing?x=1`);
  await expect(page.getByRole('alert')).toContainText('It could not be loaded.');
  await expectAccessible(page);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Pricing' })).toBeVisible();
  await expect(page).toHaveURL(`${url}/pricing?x=1`);
});
