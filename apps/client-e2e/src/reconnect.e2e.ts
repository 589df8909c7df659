import { expect, type Locator, type Page, test } from '@playwright/test';
import { signedInAt } from './app-steps';
import { OFFLINE_COPY, uniqueDirectory, personalDatabases, personOf, deleteFile, putFile } from './file-steps';
import { url } from './pages';

// The service worker asks by itself, past the routes of the page.
test.use({ serviceWorkers: 'block' });

/** Stores and views a file, and goes to its directory. @returns the link that opens it again without loading the page. */
async function viewedOnce(page: Page, key: string): Promise<Locator> {
  const [directory = '', name = ''] = key.split('/');
  await signedInAt(page, '/settings', personOf(test.info()));
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
  await putFile(page, key, '# Nightjar viewed');
  await page.goto(`${url}/view/${key}`);
  await expect(page.getByRole('heading', { name: 'Nightjar viewed' })).toBeVisible();
  await page.getByRole('navigation', { name: 'You are here' }).getByRole('link', { name: directory }).click();
  const file = page.getByRole('link', { name });
  await expect(file).toBeVisible();
  return file;
}

/** Lets nobody read the contents of copies, though what is known of them. @returns what lets them again. */
async function withSlowCopies(page: Page): Promise<() => Promise<void>> {
  const [name = ''] = (await personalDatabases(page)).filter((each) => each.includes('copies'));
  const lock = await page.evaluateHandle(async (of) => {
    const opened = indexedDB.open(of);
    await new Promise((resolve) => opened.addEventListener('success', resolve));
    const writing = opened.result.transaction('bytes', 'readwrite');
    const held = { isOver: false };
    const hold = (): void => {
      if (held.isOver) opened.result.close();
      else writing.objectStore('bytes').count().addEventListener('success', hold);
    };
    hold();
    return held;
  }, name);
  return () => lock.evaluate((held) => void (held.isOver = true));
}

test('a copy is replaced once there is a connection, also when the first try over that fails', async ({
  page,
  context,
}) => {
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
});

test('a copy that is found late is replaced as well, though the connection was back before it', async ({
  page,
  context,
}) => {
  const directory = uniqueDirectory('late-copy');
  const file = await viewedOnce(page, `${directory}/viewed.md`);
  await context.setOffline(true);
  const letGo = await withSlowCopies(page);
  await file.click();
  await expect(page.getByText(OFFLINE_COPY)).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('Offline', { exact: true })).toHaveCount(0);
  await letGo();
  await expect(page.getByText(OFFLINE_COPY)).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Nightjar viewed' })).toBeVisible();
});

test('a copy of what turns out to be gone is not said to be shown for want of a connection, nor asked for again', async ({
  page,
  context,
}) => {
  const file = await viewedOnce(page, `${uniqueDirectory('gone')}/viewed.md`);
  await context.setOffline(true);
  await file.click();
  await expect(page.getByText(OFFLINE_COPY)).toBeVisible();
  await page.route('**/viewed.md', (route) => route.fulfill({ status: 404 }));
  await context.setOffline(false);
  await expect(page.getByText('What you see may be old.')).toBeVisible();
  await expect(page.getByText(OFFLINE_COPY)).toHaveCount(0);
});

/** Opens a file to write in it, without a connection. */
async function writingInCopy(page: Page, file: Locator): Promise<Locator> {
  const text = page.locator('.cm-content');
  // The editor is loaded when it is first used.
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

test('who writes in a copy goes on writing while the file is read again', async ({ page, context }) => {
  const text = await writingInCopy(page, await viewedOnce(page, `${uniqueDirectory('write')}/viewed.md`));
  const [asked, goOn] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  await page.route('**/viewed.md', async (route) => {
    asked.resolve(undefined);
    await goOn.promise;
    await route.continue();
  });
  await context.setOffline(false);
  await asked.promise;
  await page.keyboard.type('meanwhile ');
  goOn.resolve(undefined);
  await expect(page.getByText(OFFLINE_COPY)).toHaveCount(0);
  await expect(text).toBeFocused();
  await page.keyboard.type('after ');
  await expect(text).toHaveText('written meanwhile after # Nightjar viewed');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('status').getByText('Saved', { exact: true })).toBeVisible();
});

test('who writes in a copy is told that the file has changed, and shown both', async ({ page, context, browser }) => {
  const key = `${uniqueDirectory('changed')}/viewed.md`;
  const elsewhere = await browser.newPage();
  await signedInAt(elsewhere, '/settings', personOf(test.info()));
  const text = await writingInCopy(page, await viewedOnce(page, key));
  await putFile(elsewhere, key, '# Nightjar changed');
  await context.setOffline(false);
  await expect(page.getByText('This file was changed while you wrote.')).toBeVisible();
  await expect(page.getByText(OFFLINE_COPY)).toHaveCount(0);
  await expect(text.filter({ hasText: 'written # Nightjar viewed' })).toBeVisible();
  await expect(page.getByText('# Nightjar changed').first()).toBeVisible();
  await elsewhere.close();
});

test('a copy that nothing was written in becomes what the file is by now, and goes when it is gone', async ({
  page,
  context,
  browser,
}) => {
  const directory = uniqueDirectory('untouched');
  const elsewhere = await browser.newPage();
  await signedInAt(elsewhere, '/settings', personOf(test.info()));
  const text = await writingInCopy(page, await viewedOnce(page, `${directory}/viewed.md`));
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
