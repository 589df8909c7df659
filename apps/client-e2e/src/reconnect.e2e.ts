import { expect, type Locator, type Page, test } from '@playwright/test';
import { addSession, signedInAt } from './app-steps';
import { OFFLINE_COPY, uniqueDirectory, personalDatabases, personOf, deleteFile, putFile } from './file-steps';
import { url } from './pages';
import { SUITE_TAG } from './suites';

/** Stores and views a file, then opens its directory. @returns the link that opens it again without a page load. */
async function viewedOnce(page: Page, key: string): Promise<Locator> {
  const [directory = '', name = ''] = key.split('/');
  await addSession(page, personOf(test.info()));
  await putFile(page, key, '# Nightjar viewed');
  await page.goto(`${url}/view/${key}`);
  await expect(page.getByRole('heading', { name: 'Nightjar viewed' })).toBeVisible();
  await page.getByRole('navigation', { name: 'You are here' }).getByRole('link', { name: directory }).click();
  const file = page.getByRole('link', { name });
  await expect(file).toBeVisible();
  return file;
}

/** Blocks reads of cached contents, but not of their metadata. @returns a function that unblocks them. */
async function blockCachedContents(page: Page): Promise<() => Promise<void>> {
  const [name = ''] = (await personalDatabases(page)).filter((each) => each.includes('copies'));
  const lock = await page.evaluateHandle(async (of) => {
    const opened = indexedDB.open(of);
    await new Promise((resolve) => opened.addEventListener('success', resolve));
    const writing = opened.result.transaction('bytes', 'readwrite');
    const state = { isOver: false };
    const keepOpen = (): void => {
      if (state.isOver) opened.result.close();
      else writing.objectStore('bytes').count().addEventListener('success', keepOpen);
    };
    keepOpen();
    return state;
  }, name);
  return () => lock.evaluate((state) => void (state.isOver = true));
}

test(
  'a cached file is refreshed after a reconnect, also when the first attempt fails',
  { tag: SUITE_TAG },
  async ({ page, context }) => {
    const directory = uniqueDirectory('first-try');
    const file = await viewedOnce(page, `${directory}/viewed.md`);
    await context.setOffline(true);
    await file.click();
    await expect(page.getByText(OFFLINE_COPY)).toBeVisible();
    const refused = new Set<string>();
    await page.route('**/viewed.md', (route) => {
      const method = route.request().method();
      if (refused.has(method)) return route.continue();
      refused.add(method);
      return route.abort('connectionrefused');
    });
    await context.setOffline(false);
    await expect.poll(() => refused.has('GET')).toBe(true);
    await expect(page.getByText(OFFLINE_COPY)).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'Nightjar viewed' })).toBeVisible();
  },
);

test('a cached file that loads after the reconnect is refreshed too', async ({ page, context }) => {
  const directory = uniqueDirectory('late-copy');
  const file = await viewedOnce(page, `${directory}/viewed.md`);
  await context.setOffline(true);
  const unblock = await blockCachedContents(page);
  await file.click();
  await expect(page.getByText(OFFLINE_COPY)).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('Offline', { exact: true })).toHaveCount(0);
  await unblock();
  await expect(page.getByText(OFFLINE_COPY)).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Nightjar viewed' })).toBeVisible();
});

test('a cached file that was deleted on the server shows no offline banner and is not requested again', async ({
  page,
  context,
}) => {
  const file = await viewedOnce(page, `${uniqueDirectory('gone')}/viewed.md`);
  await context.setOffline(true);
  await file.click();
  await expect(page.getByText(OFFLINE_COPY)).toBeVisible();
  await page.route('**/viewed.md', (route) => route.fulfill({ status: 404 }));
  await context.setOffline(false);
  await expect(page.getByText('This information may be outdated.')).toBeVisible();
  await expect(page.getByText(OFFLINE_COPY)).toHaveCount(0);
});

/** Opens a file in the editor while offline. */
async function editOffline(page: Page, file: Locator): Promise<Locator> {
  const text = page.locator('.cm-content');
  // The editor is loaded on first use.
  await file.click();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await expect(text).toContainText('Nightjar viewed');
  await page.getByRole('link', { name: 'Done' }).click();
  await expect(page.getByRole('heading', { name: 'Nightjar viewed' })).toBeVisible();
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await expect(page.getByText(OFFLINE_COPY)).toBeVisible();
  await text.click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type('written ');
  return text;
}

test('typing in a cached file continues while the file is refreshed', async ({ page, context }) => {
  const text = await editOffline(page, await viewedOnce(page, `${uniqueDirectory('write')}/viewed.md`));
  const [requested, proceed] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  await page.route('**/viewed.md', async (route) => {
    requested.resolve(undefined);
    await proceed.promise;
    await route.continue();
  });
  await context.setOffline(false);
  await requested.promise;
  await page.keyboard.type('meanwhile ');
  proceed.resolve(undefined);
  await expect(page.getByText(OFFLINE_COPY)).toHaveCount(0);
  await expect(text).toBeFocused();
  await page.keyboard.type('after ');
  await expect(text).toHaveText('written meanwhile after # Nightjar viewed');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('status').getByText('Saved', { exact: true })).toBeVisible();
});

test('editing a cached file shows a conflict when the file has changed', async ({ page, context, browser }) => {
  const key = `${uniqueDirectory('changed')}/viewed.md`;
  const elsewhere = await browser.newPage();
  await signedInAt(elsewhere, '/settings', personOf(test.info()));
  const text = await editOffline(page, await viewedOnce(page, key));
  await putFile(elsewhere, key, '# Nightjar changed');
  await context.setOffline(false);
  await expect(page.getByText('This file was changed while you edited it.')).toBeVisible();
  await expect(page.getByText(OFFLINE_COPY)).toHaveCount(0);
  await expect(text.filter({ hasText: 'written # Nightjar viewed' })).toBeVisible();
  await expect(page.getByText('# Nightjar changed').first()).toBeVisible();
  await elsewhere.close();
});

test('an unedited cached file is replaced by the current version, and closed when the file is deleted', async ({
  page,
  context,
  browser,
}) => {
  const directory = uniqueDirectory('untouched');
  const elsewhere = await browser.newPage();
  await signedInAt(elsewhere, '/settings', personOf(test.info()));
  const text = await editOffline(page, await viewedOnce(page, `${directory}/viewed.md`));
  await page.keyboard.press('ControlOrMeta+z');
  await expect(text).toHaveText('# Nightjar viewed');
  await putFile(elsewhere, `${directory}/viewed.md`, '# Nightjar changed');
  await context.setOffline(false);
  await expect(text).toHaveText('# Nightjar changed');
  await expect(page.getByRole('status').getByText('Saved', { exact: true })).toBeVisible();

  await page.getByRole('link', { name: 'Done' }).click();
  await expect(page.getByRole('heading', { name: 'Nightjar changed' })).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await expect(text).toHaveText('# Nightjar changed');
  await deleteFile(elsewhere, `${directory}/viewed.md`);
  await context.setOffline(false);
  await expect(page.getByText('There is no file here yet.')).toBeVisible();
  await expect(page.getByText(OFFLINE_COPY)).toHaveCount(0);
  await elsewhere.close();
});
