import { expect, type Locator, type Page, test } from '@playwright/test';
import { lookAt, signedInAt } from './app-steps';
import { newDirectory, textOf } from './file-steps';
import { url } from './pages';

const picker = (page: Page): Locator => page.locator('hp-first-files input[type=file]');

// Requests that a service worker answers cannot be answered by a test.
test.use({ serviceWorkers: 'block' });

/** Opens the first page of somebody who has no files, whatever was stored before. */
async function emptyHome(page: Page): Promise<void> {
  await page.route(/\/api\/files(\?|$)/, (route) => route.fulfill({ json: { items: [] } }));
  await signedInAt(page, '/');
  await expect(page.getByText('Your workspace has no files yet.')).toBeVisible();
}

test('an empty workspace gets its first file from its first page', async ({ page }) => {
  await emptyHome(page);
  await lookAt(page);
  const name = `${newDirectory('first')}.md`;
  const stored = page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok());
  await picker(page).setInputFiles({ name, mimeType: 'text/markdown', buffer: Buffer.from('# First') });
  await stored;
  await page.unroute(/\/api\/files(\?|$)/);
  await expect(page.locator('#recent').locator('..').getByRole('link', { name })).toBeVisible();
  expect(await textOf(page, name)).toBe('# First');
});

test('an empty workspace is written in from its first page', async ({ page }) => {
  await emptyHome(page);
  const name = `${newDirectory('written')}.md`;
  await page.getByRole('button', { name: 'New file' }).click();
  await page.getByRole('dialog', { name: 'New file' }).getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Create file' }).click();
  await expect(page).toHaveURL(`${url}/edit/${name}`);
  expect(await textOf(page, name)).toBe('');
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
