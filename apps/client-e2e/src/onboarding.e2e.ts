import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAccessibleLayout, signedInAt } from './app-steps';
import { uniqueDirectory, readText } from './file-steps';
import { url } from './pages';

const picker = (page: Page): Locator => page.locator('hp-onboarding input[type=file]');

// Requests that a service worker answers cannot be answered by a test.
test.use({ serviceWorkers: 'block' });

/** Opens the first page of somebody who has no files until one is written, whatever was stored before. */
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

test('an empty workspace gets its first file from its first page', async ({ page }) => {
  await emptyHome(page);
  await expectAccessibleLayout(page);
  const name = `${uniqueDirectory('first')}.md`;
  await picker(page).setInputFiles({ name, mimeType: 'text/markdown', buffer: Buffer.from('# First') });
  await expect(page.locator('#recent').locator('..').getByRole('link', { name })).toBeVisible();
  expect(await readText(page, name)).toBe('# First');
});

test('where nothing was changed lately though there are files, that is asked once more and then believed', async ({
  page,
}) => {
  const entry = { key: 'reports/a.md', size: 1, etag: '"a"', content_type: 'text/markdown' };
  const items = [{ ...entry, modified_at: new Date().toISOString() }];
  await page.route(/\/api\/files(\?|$)/, (route) => route.fulfill({ json: { items, next_cursor: null } }));
  let asked = 0;
  await page.route(/\/api\/files\?sort=/, async (route) => {
    asked += 1;
    await route.fulfill({ json: { items: [], next_cursor: null } });
  });
  await signedInAt(page, '/');
  await expect(page.getByText('Your workspace has no files yet.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Reports' })).toContainText('1 file');
  await expect.poll(() => asked).toBeGreaterThan(1);
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
  expect(asked).toBe(2);
});

test('an empty workspace is written in from its first page', async ({ page }) => {
  await emptyHome(page);
  const name = `${uniqueDirectory('written')}.md`;
  await page.getByRole('button', { name: 'New file' }).click();
  await page.getByRole('dialog', { name: 'New file' }).getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Create file' }).click();
  await expect(page).toHaveURL(`${url}/edit/${name}`);
  expect(await readText(page, name)).toBe('');
});

test('what cannot be loaded for a first file says so', async ({ page }) => {
  await emptyHome(page);
  await page.route('**/*.js', (route) => route.abort());
  const said = page.getByText('This could not be loaded, so nothing was done.');
  await picker(page).setInputFiles({ name: 'lost.md', mimeType: 'text/markdown', buffer: Buffer.from('# Lost') });
  await expect(said).toHaveCount(1);
  await page.getByRole('button', { name: 'New file' }).click();
  await expect(said).toHaveCount(2);
});
