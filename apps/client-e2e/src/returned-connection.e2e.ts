import { expect, type Locator, type Page, test } from '@playwright/test';
import { signedInAt } from './app-steps';
import { COPY, newDirectory, personalDatabases, personOf, stored } from './file-steps';
import { url } from './pages';

// The service worker asks by itself, past the routes of the page.
test.use({ serviceWorkers: 'block' });

/** Stores and views a file, and goes to its directory. @returns the link that opens it again without loading the page. */
async function viewedOnce(page: Page, key: string): Promise<Locator> {
  const [directory = '', name = ''] = key.split('/');
  await signedInAt(page, '/settings', personOf(test.info()));
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
  await stored(page, key, '# Nightjar viewed');
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
  const directory = newDirectory('first-try');
  const file = await viewedOnce(page, `${directory}/viewed.md`);
  await context.setOffline(true);
  await file.click();
  await expect(page.getByText(COPY)).toBeVisible();
  const refused = new Set<string>();
  await page.route('**/viewed.md', (route) => {
    const method = route.request().method();
    if (refused.has(method)) return route.continue();
    refused.add(method);
    return route.abort('connectionrefused');
  });
  await context.setOffline(false);
  await expect.poll(() => refused.has('GET')).toBe(true);
  await expect(page.getByText(COPY)).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Nightjar viewed' })).toBeVisible();
});

test('a copy that is found late is replaced as well, though the connection was back before it', async ({
  page,
  context,
}) => {
  const directory = newDirectory('late-copy');
  const file = await viewedOnce(page, `${directory}/viewed.md`);
  await context.setOffline(true);
  const letGo = await withSlowCopies(page);
  await file.click();
  await expect(page.getByText(COPY)).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('Offline', { exact: true })).toHaveCount(0);
  await letGo();
  await expect(page.getByText(COPY)).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Nightjar viewed' })).toBeVisible();
});

test('a copy of what turns out to be gone is not said to be shown for want of a connection, nor asked for again', async ({
  page,
  context,
}) => {
  const file = await viewedOnce(page, `${newDirectory('gone')}/viewed.md`);
  await context.setOffline(true);
  await file.click();
  await expect(page.getByText(COPY)).toBeVisible();
  await page.route('**/viewed.md', (route) => route.fulfill({ status: 404 }));
  await context.setOffline(false);
  await expect(page.getByText('What you see may be old.')).toBeVisible();
  await expect(page.getByText(COPY)).toHaveCount(0);
});
