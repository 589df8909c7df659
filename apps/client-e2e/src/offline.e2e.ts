import { expect, type Page, test } from '@playwright/test';
import { expectAccessibleLayout, signedInAt } from './app-steps';
import { OFFLINE_COPY, uniqueDirectory, personalDatabases, personOf, putFile } from './file-steps';
import { url } from './pages';

/** The parts of the application that a start without connection needs. */
const PARTS = ['/main-', '/dashboard-', '/file-browser-', '/file-viewer-', '/settings-', '/storage-card-'];

/** Waits until the service worker answers for the page and holds what a start without connection needs. */
async function waitForServiceWorker(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.waitForFunction(async (parts) => {
    const held: string[] = [];
    for (const name of await caches.keys()) {
      for (const { url: address } of await (await caches.open(name)).keys()) held.push(new URL(address).pathname);
    }
    return parts.every((part) => held.some((path) => path.startsWith(part)));
  }, PARTS);
}

/** Signs in with the service worker in charge, and stores three files: one is viewed, one pinned, one never opened. */
async function openAndCacheFiles(page: Page, directory: string): Promise<void> {
  await signedInAt(page, '/settings', personOf(test.info()));
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
  for (const name of ['viewed', 'pinned', 'never'])
    await putFile(page, `${directory}/${name}.md`, `# Nightjar ${name}`);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.goto(`${url}/`);
  await waitForServiceWorker(page);
  await expect(page.getByRole('link', { name: /never\.md/ }).first()).toBeVisible();
  await page.goto(`${url}/view/${directory}/viewed.md`);
  await expect(page.getByRole('heading', { name: 'Nightjar viewed' })).toBeVisible();
  await page.goto(`${url}/view/${directory}/pinned.md`);
  await page.getByRole('button', { name: 'Keep offline' }).click();
  await expect(page.getByRole('button', { name: 'Kept offline' })).toHaveAttribute('aria-pressed', 'true');
  await page.goto(`${url}/settings`);
  const card = page.getByRole('region', { name: 'Offline files and storage' });
  await expect(card).toContainText(/On this device\s*\d+ files, /);
}

/** The names of the lists that are kept of the person of the page. */
async function cachedLists(page: Page): Promise<readonly string[]> {
  const name = (await personalDatabases(page)).find((each) => each.includes('copies'));
  if (name === undefined) return [];
  return page.evaluate(async (of) => {
    const settled = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('refused'));
      });
    const database = await settled(indexedDB.open(of));
    const keys = await settled(database.transaction('lists').objectStore('lists').getAllKeys());
    database.close();
    return keys.map(String);
  }, name);
}

/** Everything a later visitor of this browser could read. */
async function storedDataOf(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const cached = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) cached.push(request.url, await (await cache.match(request))?.text());
    }
    return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, cached]);
  });
}

test('without a connection it starts, and opens what was viewed or pinned', async ({ page, context }) => {
  const directory = uniqueDirectory('offline');
  await openAndCacheFiles(page, directory);
  await context.setOffline(true);

  await page.goto(`${url}/`);
  await expect(page.getByText(OFFLINE_COPY)).toBeVisible();
  await expect(page.locator('main .notice').filter({ visible: true })).toHaveCount(1);
  await expect(page.getByRole('link', { name: /never\.md/ }).first()).toBeVisible();
  await expectAccessibleLayout(page);
  await page.goto(`${url}/files/${directory}`);
  await expect(page.getByText(OFFLINE_COPY)).toBeVisible();
  await expect(page.getByRole('link', { name: 'viewed.md' })).toBeVisible();
  await page.goto(`${url}/view/${directory}/viewed.md`);
  await expect(page.getByRole('heading', { name: 'Nightjar viewed' })).toBeVisible();
  await expect(page.getByText(OFFLINE_COPY)).toBeVisible();
  await page.goto(`${url}/view/${directory}/pinned.md`);
  await expect(page.getByRole('heading', { name: 'Nightjar pinned' })).toBeVisible();
  await page.goto(`${url}/view/${directory}/never.md`);
  await expect(page.getByText('this file is not kept on this device')).toBeVisible();
  await expectAccessibleLayout(page);
  await page.goto(`${url}/settings`);
  await expect(page.getByRole('region', { name: 'Offline files and storage' })).toContainText('files, ');

  await page.goto(`${url}/view/${directory}/viewed.md`);
  await expect(page.getByText(OFFLINE_COPY)).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(OFFLINE_COPY)).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Nightjar viewed' })).toBeVisible();

  // What could not be read is read as soon as it can be.
  await context.setOffline(true);
  await page.goto(`${url}/view/${directory}/never.md`);
  await expect(page.getByText('this file is not kept on this device')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'Nightjar never' })).toBeVisible();
});

test('without a connection a save says so, and what was written is kept', async ({ page, context }) => {
  const directory = uniqueDirectory('offline-edit');
  await openAndCacheFiles(page, directory);
  // The editor is loaded when it is first used.
  await page.goto(`${url}/edit/${directory}/viewed.md`);
  await expect(page.locator('.cm-content')).toBeVisible();
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByText(OFFLINE_COPY)).toBeVisible();
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type('offline ');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText(/Could not save: This device has no connection/)).toBeVisible();
  await expectAccessibleLayout(page);
  await page.reload();
  await expect(page.locator('.cm-content')).toContainText('offline # Nightjar viewed');
  await context.setOffline(false);
  await expect(page.getByText(OFFLINE_COPY)).toHaveCount(0);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('status').getByText('Saved', { exact: true })).toBeVisible();

  // What could not be opened is opened as soon as it can be.
  await context.setOffline(true);
  await page.goto(`${url}/edit/${directory}/never.md`);
  await expect(page.getByText('this file is not kept on this device')).toBeVisible();
  await context.setOffline(false);
  await expect(page.locator('.cm-content')).toContainText('Nightjar never');
});

test('signing out asks for what was never saved, and leaves nothing behind', async ({ page, context }) => {
  const directory = uniqueDirectory('wiped');
  await openAndCacheFiles(page, directory);
  const other = await context.newPage();
  await other.goto(`${url}/edit/${directory}/viewed.md`);
  await other.locator('.cm-content').click();
  await other.keyboard.type('Nightjar draft');
  await expect(other.getByText('Unsaved changes, kept on this device')).toBeVisible();

  const card = page.getByRole('region', { name: 'Offline files and storage' });
  // A draft is written shortly after the last stroke, and the card reads them when it comes.
  await expect(async () => {
    await page.reload();
    await expect(card).toContainText('files, ');
    await expect(card.getByRole('link', { name: 'viewed.md' }).first()).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expectAccessibleLayout(page);
  await page.getByRole('button', { name: 'Sign out' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText(/\d+ files? ha(s|ve) changes that were never saved/);
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await personalDatabases(page)).toHaveLength(3);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await question.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login/);
  await expect(other).toHaveURL(/\/login/);
  // What the other tab was about to write must not come back either.
  for (const each of [page, other]) {
    await expect.poll(() => personalDatabases(each)).toEqual([]);
    expect(await storedDataOf(each)).not.toContain('Nightjar');
  }
  await page.reload();
  expect(await personalDatabases(page)).toEqual([]);

  await context.setOffline(true);
  await page.goto(`${url}/view/${directory}/viewed.md`);
  await expect(page.getByText(/no connection|offline/i).first()).toBeVisible();
  await expect(page.getByText('Nightjar')).toHaveCount(0);
});

test('another person sees nothing of it, with and without a connection', async ({ page, context }) => {
  const directory = uniqueDirectory('foreign');
  await openAndCacheFiles(page, directory);
  const before = await personalDatabases(page);
  await signedInAt(page, '/', 'hank');
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  await expect.poll(async () => (await personalDatabases(page)).filter((name) => before.includes(name))).toEqual([]);
  await page.goto(`${url}/view/${directory}/viewed.md`);
  await expect(page.getByText('File not found')).toBeVisible();
  await context.setOffline(true);
  for (const path of [`/view/${directory}/viewed.md`, `/view/${directory}/pinned.md`]) {
    await page.goto(url + path);
    await expect(page.getByText('this file is not kept on this device')).toBeVisible();
    await expect(page.getByText('Nightjar')).toHaveCount(0);
  }
  await page.goto(`${url}/`);
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  await expect(page.getByText(directory)).toHaveCount(0);
});

test('a session that was over all along leads to sign-in once there is a connection', async ({ page, context }) => {
  const directory = uniqueDirectory('over');
  await openAndCacheFiles(page, directory);
  await context.setOffline(true);
  await page.goto(`${url}/view/${directory}/viewed.md`);
  await expect(page.getByRole('heading', { name: 'Nightjar viewed' })).toBeVisible();
  await context.clearCookies();
  await context.setOffline(false);
  await expect(page).toHaveURL(/\/login\?reason=expired&return_to=%2Fview%2F/);
  await expect(page.getByText('Nightjar')).toHaveCount(0);
  await expect.poll(async () => (await personalDatabases(page)).filter((name) => name.includes('copies'))).toEqual([]);
});

test('who was here last does not wait for an answer that does not come', async ({ browser }, testInfo) => {
  const { viewport } = testInfo.project.use;
  const context = await browser.newContext({ viewport, serviceWorkers: 'block' });
  const page = await context.newPage();
  const key = `${uniqueDirectory('waiting')}/viewed.md`;
  await signedInAt(page, '/settings', personOf(testInfo));
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
  await putFile(page, key, '# Nightjar');
  await page.goto(`${url}/view/${key}`);
  const words = page.getByRole('heading', { name: 'Nightjar' });
  await expect(words).toBeVisible();

  let answer = Promise.withResolvers<undefined>();
  await page.route('**/auth/session', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await page.reload();
  await expect(words).toBeVisible({ timeout: 7_000 });
  await expect(page.getByText(/Connecting\. Showing the copy from/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Trying…' })).toHaveCount(1);
  answer.resolve(undefined);
  await expect(page.getByText(/Showing the copy from/)).toHaveCount(0);
  await expect(words).toBeVisible();

  // Nobody answers in time; then somebody does, and the session is over.
  answer = Promise.withResolvers();
  await page.reload();
  await expect(page.getByText(OFFLINE_COPY)).toBeVisible();
  await expect(page.locator('main .notice').filter({ visible: true })).toHaveCount(1);
  await context.clearCookies();
  await page.unroute('**/auth/session');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page).toHaveURL(/\/login\?reason=expired&return_to=%2Fview%2F/);
  await expect(page.getByText('Nightjar')).toHaveCount(0);
  await context.close();
});

test('who was let in before the answer goes to sign-in when it is no', async ({ browser }, testInfo) => {
  const { viewport } = testInfo.project.use;
  const context = await browser.newContext({ viewport, serviceWorkers: 'block' });
  const page = await context.newPage();
  await signedInAt(page, '/settings', personOf(testInfo));
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
  const directory = uniqueDirectory('let-in');
  await putFile(page, `${directory}/recent.md`, '# Recent');
  await page.goto(`${url}/`);
  await expect(page.getByRole('link', { name: directory }).first()).toBeVisible();
  await expect.poll(() => cachedLists(page)).toContain('recent');
  const answer = Promise.withResolvers<undefined>();
  // A session that has ended: without its cookie the page would come with the answer.
  await context.addCookies([{ name: 'homeport_session', value: 'over', url }]);
  await page.route('**/auth/session', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await page.goto(`${url}/`);
  await expect(page.getByText(/Connecting\. Showing the copy from/)).toBeVisible({ timeout: 7_000 });
  answer.resolve(undefined);
  await expect(page).toHaveURL(/\/login\?reason=expired/);
  await expect.poll(() => personalDatabases(page)).not.toContainEqual(expect.stringContaining('copies'));
  await context.close();
});
