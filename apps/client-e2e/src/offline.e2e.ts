import { expect, type Page, test } from '@playwright/test';
import { addSession, expectAccessibleLayout, signedInAt } from './app-steps';
import { OFFLINE_COPY, uniqueDirectory, personalDatabases, personOf, putFile } from './file-steps';
import { url } from './pages';
import { waitForServiceWorker } from './service-worker-steps';
import { SUITE_TAG } from './suites';

/** Signs in with an active service worker and stores three files: one viewed, one pinned, one never opened. */
async function openAndCacheFiles(page: Page, directory: string): Promise<void> {
  await signedInAt(page, '/settings', personOf(test.info()));
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
  await page.goto(`${url}/settings/storage`);
  const card = page.getByRole('region', { name: 'Offline files and storage' });
  await expect(card).toContainText(/On this device\s*[\d.]+ \S+\s*\d+ files/);
}

/** Names of the cached lists of the signed-in user. */
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

/** Everything a later user of this browser could read. */
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

test.use({ serviceWorkers: 'allow' });

test('starts offline and opens viewed and pinned files', async ({ page, context }) => {
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
  await expect(page.getByText('this file is not stored on this device')).toBeVisible();
  await expectAccessibleLayout(page);
  await page.goto(`${url}/settings/storage`);
  await expect(page.getByRole('region', { name: 'Offline files and storage' })).toContainText(/\d+ files/);

  await page.goto(`${url}/view/${directory}/viewed.md`);
  await expect(page.getByText(OFFLINE_COPY)).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(OFFLINE_COPY)).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Nightjar viewed' })).toBeVisible();

  // Failed loads are repeated when the connection is back.
  await context.setOffline(true);
  await page.goto(`${url}/view/${directory}/never.md`);
  await expect(page.getByText('this file is not stored on this device')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'Nightjar never' })).toBeVisible();
});

test(
  'a file that could not be opened in the editor opens when the connection is back',
  { tag: SUITE_TAG },
  async ({ page, context }) => {
    const directory = uniqueDirectory('offline-edit');
    await openAndCacheFiles(page, directory);
    // The editor is loaded on first use.
    await page.goto(`${url}/edit/${directory}/viewed.md`);
    await expect(page.locator('.cm-content')).toBeVisible();
    await context.setOffline(true);
    await page.goto(`${url}/edit/${directory}/never.md`);
    await expect(page.getByText('this file is not stored on this device')).toBeVisible();
    await context.setOffline(false);
    await expect(page.locator('.cm-content')).toContainText('Nightjar never');
  },
);

test('signing out warns about unsaved text and leaves no data behind', async ({ page, context }) => {
  const directory = uniqueDirectory('wiped');
  await openAndCacheFiles(page, directory);
  const other = await context.newPage();
  await other.goto(`${url}/edit/${directory}/viewed.md`);
  await other.locator('.cm-content').click();
  await other.keyboard.type('Nightjar draft');
  await expect(other.getByText('Unsaved changes, kept on this device')).toBeVisible();

  const card = page.getByRole('region', { name: 'Offline files and storage' });
  // A draft is stored shortly after the last keystroke, and the card reads the drafts when it opens.
  await expect(async () => {
    await page.reload();
    await expect(card).toContainText(/\d+ files/);
    await expect(card.getByRole('link', { name: 'viewed.md' }).first()).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expectAccessibleLayout(page);
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText(/\d+ files? ha(s|ve) unsaved changes/);
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(await personalDatabases(page)).toHaveLength(3);
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await question.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page).toHaveURL(/\/login/);
  await expect(other).toHaveURL(/\/login/);
  // Pending writes of the other tab must not restore data either.
  for (const each of [page, other]) {
    await expect.poll(() => personalDatabases(each)).toEqual([]);
    expect(await storedDataOf(each)).not.toContain('Nightjar');
  }
  await page.reload();
  expect(await personalDatabases(page)).toEqual([]);

  // Sign-out deletes the cached app too; the sign-in page caches it again.
  await waitForServiceWorker(page);
  await context.setOffline(true);
  await page.goto(`${url}/view/${directory}/viewed.md`);
  // In some versions of Chromium a page that the service worker opens offline still counts as online.
  await expect(page.getByText(/no connection|offline|did not respond/i).first()).toBeVisible();
  await expect(page.getByText('Nightjar')).toHaveCount(0);
});

test('another user sees none of the data, online and offline', async ({ page, context }) => {
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
    await expect(page.getByText('this file is not stored on this device')).toBeVisible();
    await expect(page.getByText('Nightjar')).toHaveCount(0);
  }
  await page.goto(`${url}/`);
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  await expect(page.getByText(directory)).toHaveCount(0);
});

test(
  'a session that ended while offline leads to sign-in when the connection is back',
  { tag: SUITE_TAG },
  async ({ page, context }) => {
    const directory = uniqueDirectory('over');
    await openAndCacheFiles(page, directory);
    await context.setOffline(true);
    await page.goto(`${url}/view/${directory}/viewed.md`);
    await expect(page.getByRole('heading', { name: 'Nightjar viewed' })).toBeVisible();
    await context.clearCookies();
    await context.setOffline(false);
    await expect(page).toHaveURL(/\/login\?reason=expired&return_to=%2Fview%2F/);
    await expect(page.getByText('Nightjar')).toHaveCount(0);
    await expect
      .poll(async () => (await personalDatabases(page)).filter((name) => name.includes('copies')))
      .toEqual([]);
  },
);

test(
  'the last user does not wait for a session response that never arrives',
  { tag: SUITE_TAG },
  async ({ browser }, testInfo) => {
    const { viewport } = testInfo.project.use;
    const context = await browser.newContext({ viewport, serviceWorkers: 'block' });
    const page = await context.newPage();
    const key = `${uniqueDirectory('waiting')}/viewed.md`;
    await addSession(page, personOf(testInfo));
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
    await expect(words).toBeVisible();
    await expect(page.getByText(/Connecting\. Showing the copy from/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Retrying…' })).toHaveCount(1);
    answer.resolve(undefined);
    await expect(page.getByText(/Showing the copy from/)).toHaveCount(0);
    await expect(words).toBeVisible();

    // The first response times out; the second one says that the session has ended.
    answer = Promise.withResolvers();
    await page.reload();
    await expect(page.getByText(OFFLINE_COPY)).toBeVisible();
    await expect(page.locator('main .notice').filter({ visible: true })).toHaveCount(1);
    await context.clearCookies();
    await page.getByRole('button', { name: 'Retry' }).click();
    // Not before the click: the page repeats the request by itself, and would leave for the sign-in page.
    answer.resolve(undefined);
    await expect(page).toHaveURL(/\/login\?reason=expired&return_to=%2Fview%2F/);
    await expect(page.getByText('Nightjar')).toHaveCount(0);
    await context.close();
  },
);

test('a start before the session response leads to sign-in when there is no session', async ({ browser }, testInfo) => {
  const { viewport } = testInfo.project.use;
  const context = await browser.newContext({ viewport, serviceWorkers: 'block' });
  const page = await context.newPage();
  await addSession(page, personOf(testInfo));
  const directory = uniqueDirectory('let-in');
  await putFile(page, `${directory}/recent.md`, '# Recent');
  await page.goto(`${url}/`);
  await expect(page.getByRole('link', { name: directory }).first()).toBeVisible();
  await expect.poll(() => cachedLists(page)).toContain('recent');
  const answer = Promise.withResolvers<undefined>();
  // The cookie of an ended session: without a cookie, the page itself would say that there is no session.
  await context.addCookies([{ name: 'homeport_session', value: 'over', url }]);
  await page.route('**/auth/session', async (route) => {
    await answer.promise;
    await route.continue();
  });
  await page.goto(`${url}/`);
  await expect(page.getByText(/Connecting\. Showing the copy from/)).toBeVisible();
  answer.resolve(undefined);
  await expect(page).toHaveURL(/\/login\?reason=expired/);
  await expect.poll(() => personalDatabases(page)).not.toContainEqual(expect.stringContaining('copies'));
  await context.close();
});
