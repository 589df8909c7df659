import { expect, type Locator, type Page, test } from '@playwright/test';
import { addSession, expectAccessibleLayout, signedInAt } from './app-steps';
import { entryOf } from './cache-database';
import { putFile, putFiles, readText, uniqueDirectory } from './file-steps';
import { url } from './pages';

/** A person whose newest files are not written by other test files. */
const PERSON = 'gina';

const picker = (page: Page): Locator => page.locator('hp-onboarding input[type=file]');

/** Opens the home page of a user who appears to have no files until one is written. */
async function emptyHome(page: Page): Promise<void> {
  let isEmpty = true;
  page.on('request', (request) => (isEmpty &&= request.method() !== 'PUT'));
  await page.route(/\/api\/files(\?|$)/, (route) =>
    isEmpty ? route.fulfill({ json: { items: [], next_cursor: null } }) : route.fallback(),
  );
  await signedInAt(page, '/');
  await expect(page.getByText('Your workspace has no files yet.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Reports' })).toContainText('No files');
}

test('the home page of an empty workspace uploads the first file', async ({ page }) => {
  await emptyHome(page);
  await expectAccessibleLayout(page);
  const name = `${uniqueDirectory('first')}.md`;
  await picker(page).setInputFiles({ name, mimeType: 'text/markdown', buffer: Buffer.from('# First') });
  await expect(page.locator('#recent').locator('..').getByRole('link', { name })).toBeVisible();
  expect(await readText(page, name)).toBe('# First');
});

test('an empty list of recent files is checked once more', async ({ page }) => {
  const entry = { key: 'reports/a.md', size: 1, etag: '"a"', content_type: 'text/markdown' };
  const items = [{ ...entry, modified_at: new Date().toISOString() }];
  await page.route(/\/api\/files(\?|$)/, (route) => route.fulfill({ json: { items, next_cursor: null } }));
  let requestCount = 0;
  await page.route(/\/api\/files\?sort=/, async (route) => {
    requestCount += 1;
    await route.fulfill({ json: { items: [], next_cursor: null } });
  });
  await signedInAt(page, '/');
  await expect(page.getByText('Your workspace has no files yet.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Reports' })).toContainText('1 file');
  await expect.poll(() => requestCount).toBeGreaterThan(1);
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await expect(page.getByRole('button', { name: 'Sign out', exact: true })).toBeVisible();
  expect(requestCount).toBe(2);
});

test('the home page of an empty workspace creates a first file', async ({ page }) => {
  await emptyHome(page);
  const name = `${uniqueDirectory('written')}.md`;
  await page.getByRole('button', { name: 'New file' }).click();
  await page.getByRole('dialog', { name: 'New file' }).getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Create file' }).click();
  await expect(page).toHaveURL(`${url}/edit/${name}`);
  expect(await readText(page, name)).toBe('');
});

test('a load error during the first upload is shown', async ({ page }) => {
  await emptyHome(page);
  await page.route('**/*.js', (route) => route.abort());
  const message = page.getByText('This could not be loaded, so nothing was done.');
  await picker(page).setInputFiles({ name: 'lost.md', mimeType: 'text/markdown', buffer: Buffer.from('# Lost') });
  await expect(message).toHaveCount(1);
  await page.getByRole('button', { name: 'New file' }).click();
  await expect(message).toHaveCount(2);
});

test('the home page shows drafts, opened files and apps to continue with', { tag: '@phone' }, async ({ page }) => {
  const directory = uniqueDirectory('continue');
  await addSession(page, PERSON);
  await putFiles(page, { [`${directory}/opened.md`]: '# Opened', [`${directory}/draft.md`]: '# Draft' });
  await putFile(page, `${directory}/modified.md`, '# Modified');
  await page.goto(`${url}/view/${directory}/opened.md`);
  await expect(page.getByRole('heading', { name: 'opened.md' })).toBeVisible();
  const opened = () => entryOf(page, `${directory}/opened.md`).catch(() => undefined);
  await expect.poll(opened).toMatchObject({ pinned: false });
  await page.goto(`${url}/edit/${directory}/draft.md`);
  await page.locator('.cm-content').click();
  await page.keyboard.type('Unsaved. ');
  await page.getByRole('link', { name: 'Done' }).click();
  await expect(page.getByText('Unsaved changes to draft.md are kept on this device.')).toBeVisible();
  await page.goto(url);
  const rows = page.getByRole('region', { name: 'Continue' }).getByRole('link').filter({ hasText: directory });
  await expect(rows).toHaveText([/draft\.md.*Unsaved draft/s, /opened\.md.*Opened/s, /modified\.md.*Modified/s]);
  await expect(rows.first().getByRole('time')).toHaveText('just now');
  await expect(page.getByRole('region', { name: 'Apps' })).toBeVisible();
  await expectAccessibleLayout(page);

  // A moved file is not a modified one.
  await page.goto(`${url}/files/${directory}`);
  await page.getByRole('button', { name: 'Actions for modified.md' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'New name' }).fill('renamed.md');
  await page.getByRole('button', { name: 'Rename' }).click();
  await expect(page.getByRole('link', { name: 'renamed.md', exact: true })).toBeVisible();
  await page.goto(url);
  await expect(rows).toHaveText([/draft\.md.*Unsaved draft/s, /opened\.md.*Opened/s]);
  await rows.first().click();
  await expect(page).toHaveURL(`${url}/edit/${directory}/draft.md`);
});

test('files dropped anywhere on the home page are uploaded and listed', async ({ page }) => {
  await signedInAt(page, '/');
  const name = `${uniqueDirectory('dropped')}.md`;
  await expect(page.getByRole('region', { name: 'Folders' }).getByText('Knowledge')).toBeVisible();
  const dataTransfer = await page.evaluateHandle((dropped) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['# Dropped'], dropped, { type: 'text/markdown' }));
    return transfer;
  }, name);
  await page.locator('h1').dispatchEvent('dragenter', { dataTransfer });
  await expect(page.getByText('Drop to upload to Files')).toBeVisible();
  await page.locator('h1').dispatchEvent('drop', { dataTransfer });
  await expect(page.getByRole('region', { name: 'Continue' }).getByRole('link', { name })).toBeVisible();
  expect(await readText(page, name)).toBe('# Dropped');
});
