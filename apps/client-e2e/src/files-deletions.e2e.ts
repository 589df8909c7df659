import { type Browser, expect, type Locator, type Page, test, type TestInfo } from '@playwright/test';
import { addSession, expectAccessibleLayout } from './app-steps';
import { readBytes, uniqueDirectory, putFile, readText } from './file-steps';
import { url } from './pages';
import { waitForServiceWorker } from './service-worker-steps';
import { SUITE_TAG } from './suites';

/** A separate user for each screen size, because both may run in parallel. */
const personOf = ({ project }: TestInfo) => (project.name === 'phone' ? 'fay' : 'dora');

const link = (page: Page, name: string): Locator => page.getByRole('link', { name, exact: true });

/** Opens a page that may send only a few keepalive requests on unload, fewer than browsers allow. */
async function pageWithKeepaliveLimit(browser: Browser, { project }: TestInfo): Promise<Page> {
  const { viewport = null } = project.use;
  const page = await (await browser.newContext({ viewport })).newPage();
  await page.addInitScript(() => {
    const send = globalThis.fetch;
    let left = 5;
    globalThis.fetch = (input, init) =>
      !init?.keepalive || left-- > 0 ? send(input, init) : Promise.reject(new TypeError('Failed to fetch'));
  });
  return page;
}

async function openWith(page: Page, info: TestInfo, names: readonly string[], below = ''): Promise<string> {
  await addSession(page, personOf(info));
  const directory = uniqueDirectory('gone');
  await Promise.all(names.map((name) => putFile(page, `${directory}/${below}${name}`, `# ${name}`)));
  await page.goto(`${url}/files/${directory}`);
  await expect(link(page, below ? below.slice(0, -1) : (names[0] as string))).toBeVisible();
  return directory;
}

async function deleteByMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
}

/** Number of deletions stored for a later page. */
function pendingDeletions(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const named = (await indexedDB.databases()).find(({ name }) => name?.startsWith('homeport.person.deletions.'));
    if (!named?.name) return 0;
    const opening = indexedDB.open(named.name);
    await new Promise((resolve) => (opening.onsuccess = resolve));
    const counting = opening.result.transaction('deletions').objectStore('deletions').count();
    await new Promise((resolve) => (counting.onsuccess = resolve));
    opening.result.close();
    return counting.result;
  });
}

test.use({ serviceWorkers: 'allow' });

test('deletions that a closed page could not send are sent by the next page', async ({ browser }, info) => {
  const page = await pageWithKeepaliveLimit(browser, info);
  const names = Array.from({ length: 30 }, (_, at) => `note ${at}.md`);
  const directory = await openWith(page, info, names, 'old/');
  await deleteByMenu(page, 'old');
  await page.getByRole('button', { name: 'Delete 30 files' }).click();
  await expect(page.getByText('Nothing is here yet')).toBeVisible();
  await expect.poll(() => pendingDeletions(page)).toBe(1);
  await putFile(page, `${directory}/old/note 7.md`, '# Newer');
  await page.goto('about:blank');
  await page.goto(`${url}/`);
  await expect(page.getByText(/Finished deleting \d+ files\./)).toBeVisible();
  await expectAccessibleLayout(page);
  for (const name of names.filter((each) => each !== 'note 7.md')) {
    expect(await readBytes(page, `${directory}/old/${name}`)).toBeUndefined();
  }
  expect(await readText(page, `${directory}/old/note 7.md`)).toBe('# Newer');
  await expect.poll(() => pendingDeletions(page)).toBe(0);
  await page.context().close();
});

test('another tab does not send a deletion that can still be undone', async ({ page, context }, info) => {
  const directory = await openWith(page, info, ['a.md', 'b.md']);
  await deleteByMenu(page, 'b.md');
  await page.getByRole('button', { name: 'Undo' }).hover();
  await expect.poll(() => pendingDeletions(page)).toBe(1);
  const other = await context.newPage();
  await other.goto(`${url}/files/${directory}`);
  await expect(link(other, 'b.md')).toBeVisible();
  await page.bringToFront();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(link(page, 'b.md')).toBeVisible();
  await expect.poll(() => pendingDeletions(page)).toBe(0);
  expect(await readText(page, `${directory}/b.md`)).toBe('# b.md');
});

test('signing out completes pending deletions', async ({ page }, info) => {
  const directory = await openWith(page, info, ['a.md', 'b.md']);
  await deleteByMenu(page, 'b.md');
  const deleted = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  expect((await deleted).status()).toBe(204);
  await expect(page).toHaveURL(`${url}/login`);
  await addSession(page, personOf(info));
  expect(await readBytes(page, `${directory}/b.md`)).toBeUndefined();
  expect(await readText(page, `${directory}/a.md`)).toBe('# a.md');
});

test('the name of a deleted file can be used immediately', { tag: SUITE_TAG }, async ({ page }, info) => {
  const directory = await openWith(page, info, ['a.md', 'b.md', 'c.md']);
  await deleteByMenu(page, 'a.md');
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({
      name: 'a.md',
      mimeType: 'text/markdown',
      buffer: Buffer.from('# Uploaded'),
    });
  await expect(link(page, 'a.md')).toBeVisible();
  await expect.poll(() => readText(page, `${directory}/a.md`)).toBe('# Uploaded');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await deleteByMenu(page, 'a.md');
  await page.getByRole('button', { name: 'Actions for c.md' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox').fill('a.md');
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await expect(link(page, 'c.md')).toHaveCount(0);
  await expect.poll(() => readText(page, `${directory}/a.md`)).toBe('# c.md');

  await deleteByMenu(page, 'b.md');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(`${directory} md`);
  await expect(page.getByRole('option', { name: /a\.md/ })).toBeVisible();
  await expect(page.getByRole('option', { name: /b\.md/ })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'New file' }).first().click();
  await page.getByRole('textbox').fill('b.md');
  await page.getByRole('button', { name: 'Create file' }).click();
  await expect(page).toHaveURL(/\/edit\//);
  expect(await readText(page, `${directory}/b.md`)).toBe('');
});

test('the focus stays in the list when the last file is deleted and restored', async ({ page }, info) => {
  await openWith(page, info, ['a.md']);
  await link(page, 'a.md').focus();
  await page.keyboard.press('Delete');
  await expect(page.getByText('Nothing is here yet')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await page.getByRole('button', { name: 'Undo' }).focus();
  await page.keyboard.press('Enter');
  await expect(link(page, 'a.md')).toBeFocused();
});

test('without a connection nothing is deleted, and the message says so', async ({ page, context }, info) => {
  await openWith(page, info, ['a.md', 'b.md']);
  await context.setOffline(true);
  await deleteByMenu(page, 'b.md');
  await expect(page.getByText('Not deleted: b.md. There is no connection.')).toBeVisible();
  await expect(page.getByText(/^Delet(ed|ing)/)).toHaveCount(0);
  await expect(link(page, 'b.md')).toBeVisible();
  await expectAccessibleLayout(page);
});

test(
  'a page without a connection says which deletions wait for it',
  { tag: SUITE_TAG },
  async ({ page, context }, info) => {
    await page.clock.install();
    const directory = await openWith(page, info, ['a.md', 'b.md', 'c.md']);
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await page.goto(`${url}/`);
    await waitForServiceWorker(page);
    await page.goto(`${url}/files/${directory}`);
    await page.getByRole('button', { name: 'Actions for b.md' }).click();
    await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible();
    // Stops the time in which the deletion can be undone, until the page has no connection.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.clock.runFor(1_000);
    await expect(page.getByText('Deleting b.md…')).toBeVisible();
    await expect.poll(() => pendingDeletions(page)).toBe(1);
    await context.setOffline(true);
    await page.reload();
    await page.clock.resume();
    await expect(page.getByText('1 file will be deleted when the connection is back.')).toBeVisible();
    await expect(link(page, 'a.md')).toBeVisible();
    await expect(link(page, 'b.md')).toHaveCount(0);
    await context.setOffline(false);
    await expect(page.getByText('Finished deleting 1 file.')).toBeVisible();
    expect(await readBytes(page, `${directory}/b.md`)).toBeUndefined();
  },
);
