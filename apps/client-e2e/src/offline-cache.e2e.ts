import { type BrowserContext, expect, type Page, test, type TestInfo } from '@playwright/test';
import { addSession, expectAccessibleLayout, UNAVAILABLE } from './app-steps';
import { cachedListLength, downgradeCache, EARLIER_TIME, entryOf } from './cache-database';
import { uniqueDirectory, personOf, putFile } from './file-steps';
import { url } from './pages';
import { listingOf } from './states/file-listing';
import { PNG } from './viewer-steps';
import { SUITE_TAG } from './suites';

const FAULT = /Server error\. Showing the copy from \d\d:\d\d\./;
/** A copy that was not stored today has a date. */
const EARLIER_COPY = /Server error\. Showing the copy from [\w ]+, \d\d:\d\d\./;

async function createViewedFile(page: Page, info: TestInfo, words: string): Promise<string> {
  await addSession(page, personOf(info));
  return uniqueDirectory(words);
}

/** Opens a folder and waits until the list of all files is cached, which arrives after the level of the folder. */
async function openFolder(page: Page, directory: string, shown: string): Promise<void> {
  await page.goto(`${url}/files/${directory}`);
  await expect(page.getByRole('link', { name: shown })).toBeVisible();
  await expect.poll(() => cachedListLength(page)).toBeGreaterThan(0);
}

async function pinned(page: Page, key: string): Promise<void> {
  await page.goto(`${url}/view/${key}`);
  await page.getByRole('button', { name: 'Keep offline' }).click();
  await expect(page.getByRole('button', { name: 'Kept offline' })).toBeVisible();
}

async function withFault(context: BrowserContext, addresses: readonly string[]): Promise<void> {
  for (const address of addresses) await context.route(address, (route) => route.fulfill(UNAVAILABLE));
}

test('a failing server does not hide cached files', { tag: SUITE_TAG }, async ({ page, context }, info) => {
  const directory = await createViewedFile(page, info, 'fault');
  await putFile(page, `${directory}/dot.png`, [...PNG]);
  await putFile(page, `${directory}/a.md`, '# Nightjar\n\n![A dot](dot.png)');
  await openFolder(page, directory, 'a.md');
  await pinned(page, `${directory}/dot.png`);
  await pinned(page, `${directory}/a.md`);
  const words = page.getByRole('heading', { name: 'Nightjar' });
  const picture = page.getByRole('img', { name: 'A dot' });

  for (const addresses of [['**/auth/session'], ['**/api/files', '**/api/files?*', '**/api/files/**']]) {
    await withFault(context, addresses);
    await page.goto(`${url}/view/${directory}/a.md`);
    await expect(words).toBeVisible();
    await expect(picture).toHaveJSProperty('naturalWidth', 16);
    await expect(page.getByText(FAULT).filter({ visible: true })).toHaveCount(1);
    await expectAccessibleLayout(page);
    await page.goto(`${url}/files/${directory}`);
    await expect(page.getByRole('link', { name: 'a.md' })).toBeVisible();
    await expect(page.getByText(FAULT)).toBeVisible();
    await page.getByRole('button', { name: 'Actions for a.md' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('a.md');
    await context.unrouteAll();
    // When the session is known again, failed loads are repeated automatically.
    if (addresses.includes('**/auth/session')) await page.evaluate(() => dispatchEvent(new Event('online')));
    else await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByText(FAULT)).toHaveCount(0);
  }
});

test(
  'a pinned text that loads in parts can be read to its end offline',
  { tag: SUITE_TAG },
  async ({ page, context }, info) => {
    const directory = await createViewedFile(page, info, 'parts');
    await putFile(page, `${directory}/large.log`, 'a line of a long text\n'.repeat(400_000));
    await pinned(page, `${directory}/large.log`);
    await expect(page.getByText('Part 1 of 5')).toBeVisible();
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Last' }).click();
    await expect(page.getByText('Part 5 of 5')).toBeVisible();
    await expect(page.locator('hp-text-lines .line').first()).toBeVisible();
    await expect(page.getByText(/Offline\. Showing the copy from/)).toBeVisible();
  },
);

test('without browser storage a file is not reported as available offline', async ({ page }, info) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('closed', 'SecurityError');
    };
  });
  const directory = await createViewedFile(page, info, 'closed');
  await putFile(page, `${directory}/a.md`, '# Nightjar');
  await page.goto(`${url}/view/${directory}/a.md`);
  const keep = page.getByRole('button', { name: 'Keep offline' });
  await keep.click();
  await expect(
    page.getByText('a.md could not be kept offline. The browser blocks storage for this site.'),
  ).toBeVisible();
  await expect(keep).toBeEnabled();
  await expect(keep).toHaveAttribute('aria-pressed', 'false');
});

test('a file unpinned during a refresh stays unpinned', async ({ page }, info) => {
  const directory = await createViewedFile(page, info, 'unpinned');
  const key = `${directory}/a.md`;
  await putFile(page, key, '# Old');
  await pinned(page, key);
  await putFile(page, key, '# Longer than before');
  const reading = Promise.withResolvers<undefined>();
  await page.route(`**/api/files/${key}`, async (route) => {
    await reading.promise;
    await route.continue();
  });
  const refreshRequest = page.waitForRequest(`**/api/files/${key}`);
  await page.goto(`${url}/files/${directory}`);
  await refreshRequest;
  await page.getByRole('button', { name: 'Actions for a.md' }).click();
  await page
    .getByRole('menuitem')
    .filter({ hasText: /offline/i })
    .click();
  await expect(page.getByText('a.md is no longer kept offline.')).toBeVisible();
  reading.resolve(undefined);
  await expect.poll(() => entryOf(page, key)).toMatchObject({ size: 20, pinned: false });
});

test('a list that is too long for the cache says so where it is shown', async ({ page, context }, info) => {
  await createViewedFile(page, info, 'long');
  const cut = 'Only the first 20,000 files of your workspace are listed on this device.';
  const files = Array.from({ length: 20_001 }, (_, at) => ({
    ...{ key: `reports/${String(at).padStart(5, '0')}.md`, size: 1, etag: `"${at}"` },
    modified_at: '2026-11-01T00:00:00Z',
  }));
  const listing = /\/api\/files(\?.*)?$/;
  await page.route(listing, (route) => route.fulfill({ json: listingOf(files, new URL(route.request().url())) }));
  await page.goto(`${url}/`);
  await expect(page.getByRole('link', { name: /Reports/ })).toContainText('20,001 files');
  await expect.poll(() => cachedListLength(page)).toBe(20_000);
  await expect(page.getByText(cut)).toHaveCount(0);

  await page.unroute(listing);
  await withFault(context, ['**/api/files', '**/api/files?*']);
  for (const path of ['/', '/files', '/settings/storage']) {
    await page.goto(url + path);
    await expect(page.getByText(cut)).toBeVisible();
    await expectAccessibleLayout(page);
  }
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog').getByText(cut)).toBeVisible();
});

test('the cache of an earlier release is converted', async ({ page, context }, info) => {
  const directory = await createViewedFile(page, info, 'earlier');
  const key = `${directory}/a.md`;
  await putFile(page, key, '# Nightjar');
  await openFolder(page, directory, 'a.md');
  await pinned(page, key);
  // No page of the client has the database open.
  await page.goto(`${url}/health/live`);
  await downgradeCache(page);

  await withFault(context, ['**/api/files', '**/api/files?*', '**/api/files/**']);
  await page.goto(`${url}/view/${key}`);
  await expect(page.getByRole('heading', { name: 'Nightjar' })).toBeVisible();
  await expect(page.getByText(EARLIER_COPY)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Kept offline' })).toBeVisible();
  await page.goto(`${url}/files/${directory}`);
  await expect(page.getByRole('link', { name: 'a.md' })).toBeVisible();
  await expect(page.getByText(EARLIER_COPY)).toBeVisible();
  expect(await entryOf(page, key)).toMatchObject({ pinned: true, cachedAt: EARLIER_TIME });
});
