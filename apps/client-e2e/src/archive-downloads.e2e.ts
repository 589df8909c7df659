import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page, test, type TestInfo } from '@playwright/test';
import { unzipSync } from 'fflate';
import { addSession, expectAccessibleLayout, UNAVAILABLE } from './app-steps';
import { putFiles, uniqueDirectory } from './file-steps';
import { url } from './pages';
import { SUITE_TAG } from './suites';

const UPLOADS_AT_ONCE = 20;

/** A separate user for each screen size, because both may run in parallel. */
const personOf = ({ project }: TestInfo) => (project.name === 'phone' ? 'fay' : 'dora');

const link = (page: Page, name: string): Locator => page.getByRole('link', { name, exact: true });

/** Stores files in a new folder and opens it. @returns the folder. */
async function openFolder(
  page: Page,
  info: TestInfo,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<string> {
  await addSession(page, personOf(info));
  const folder = uniqueDirectory('archive');
  const all = Object.entries(files).map(([name, bytes]) => [`${folder}/${name}`, bytes] as const);
  for (let at = 0; at < all.length; at += UPLOADS_AT_ONCE) {
    await putFiles(page, Object.fromEntries(all.slice(at, at + UPLOADS_AT_ONCE)));
  }
  await page.goto(`${url}/files/${folder}`);
  await expect(page.getByRole('grid')).toBeVisible();
  return folder;
}

/** @returns the file name of the archive, and its files. */
async function downloadBy(page: Page, start: () => Promise<void>): Promise<[string, Record<string, Uint8Array>]> {
  const started = page.waitForEvent('download');
  await start();
  const download = await started;
  return [download.suggestedFilename(), unzipSync(new Uint8Array(await readFile(await download.path())))];
}

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

test('a folder is downloaded from its menu, with all its files', async ({ page }, info) => {
  const large = Uint8Array.from({ length: 300_000 }, (_, at) => at % 251);
  const names = Array.from({ length: 12 }, (_, at) => `sub/note ${at}.md`);
  await openFolder(page, info, {
    ...Object.fromEntries(names.map((name) => [name, `# ${name}`])),
    'sub/Größe/🎉.bin': large,
    'other.md': '# Other',
  });
  await page.getByRole('button', { name: 'Actions for sub' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Download' })).toBeVisible();
  await expectAccessibleLayout(page);
  const [name, files] = await downloadBy(page, async () => {
    await page.getByRole('menuitem', { name: 'Download' }).focus();
    await page.keyboard.press('Enter');
  });
  expect(name).toBe('sub.zip');
  expect(files).toEqual({
    ...Object.fromEntries(names.map((each) => [each, bytesOf(`# ${each}`)])),
    'sub/Größe/🎉.bin': large,
  });
  await expect(page).toHaveURL(/\/files\/archive-/);
});

test('a selection of files and folders is downloaded as one archive', async ({ page }, info) => {
  const notes = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`${at}.md`, `# ${at}`]));
  await openFolder(page, info, { ...notes, 'sub/x.md': '# X' });
  await link(page, '0.md').focus();
  await page.keyboard.press('Control+a');
  const [name, files] = await downloadBy(page, () =>
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  );
  expect(name).toBe('files.zip');
  expect(Object.keys(files).toSorted()).toEqual([...Object.keys(notes), 'sub/x.md'].toSorted());
});

test('the open folder is downloaded', async ({ page }, info) => {
  const folder = await openFolder(page, info, { 'a.md': '# A', 'sub/b.md': '# B' });
  await expectAccessibleLayout(page);
  const [name, files] = await downloadBy(page, () =>
    page.getByRole('button', { name: 'Download this folder' }).click(),
  );
  expect(name).toBe(`${folder}.zip`);
  expect(files).toEqual({ [`${folder}/a.md`]: bytesOf('# A'), [`${folder}/sub/b.md`]: bytesOf('# B') });
});

test('one selected file is downloaded as it is', async ({ page }, info) => {
  await openFolder(page, info, { 'a.md': '# A', 'b.md': '# B' });
  await page.getByRole('button', { name: 'Actions for a.md' }).click();
  const started = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Download' }).click();
  expect((await started).suggestedFilename()).toBe('a.md');
});

test(
  'more rows than an archive may name are downloaded as their folder',
  { tag: SUITE_TAG },
  async ({ page }, info) => {
    test.slow();
    const notes = Object.fromEntries(
      Array.from({ length: 201 }, (_, at) => [`${String(at).padStart(3, '0')}.md`, '#']),
    );
    const folder = await openFolder(page, info, { ...notes, 'zz/x.txt': 'X' });
    await link(page, 'zz').focus();
    await page.keyboard.press('Control+a');
    const button = page.getByRole('button', { name: 'Download', exact: true });
    const [name, files] = await downloadBy(page, () => button.click());
    expect([name, Object.keys(files).length]).toEqual([`${folder}.zip`, 202]);

    // A part of the folder cannot be named by the path of the folder.
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await page.getByRole('searchbox', { name: 'Filter this folder' }).fill('.md');
    await expect(link(page, 'zz')).toHaveCount(0);
    await link(page, '000.md').focus();
    await page.keyboard.press('Control+a');
    await button.click();
    await expect(page.getByText('You selected 201 items. Up to 200 can be downloaded at once.')).toBeVisible();
    await expectAccessibleLayout(page);
  },
);

test.describe('a download that cannot start', () => {
  test('says why', async ({ page }, info) => {
    await openFolder(page, info, { 'a.md': '# A', 'sub/b.md': '# B' });
    await page.route('**/api/archives', (route) => route.fulfill(UNAVAILABLE));
    await page.getByRole('button', { name: 'Actions for sub' }).click();
    await page.getByRole('menuitem', { name: 'Download' }).click();
    await expect(page.getByText(/^The download could not be started\./)).toBeVisible();
    await page.unroute('**/api/archives');
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Actions for sub' }).click();
    await page.getByRole('menuitem', { name: 'Download' }).click();
    await expect(page.getByText(/^The download could not be started\..*(offline|connection)/i)).toBeVisible();
  });
});
