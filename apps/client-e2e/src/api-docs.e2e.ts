import { expect, test } from '@playwright/test';
import { addSession } from './app-steps';
import { personOf, readText, uniqueDirectory } from './file-steps';
import { url } from './pages';

test('a signed-in person tries calls in the API documentation, uploads included', async ({ page }, info) => {
  await addSession(page, personOf(info));
  await page.goto(`${url}/docs`);
  const directory = uniqueDirectory('api docs');
  const upload = page.locator('.opblock').filter({ hasText: /PUT\/api\/files\/\{path\}/ });
  await upload.locator('.opblock-summary-control').click();
  await upload.getByPlaceholder('path', { exact: true }).fill(`${directory}/tried.md`);
  const content = { name: 'tried.md', mimeType: 'text/markdown', buffer: Buffer.from('# Tried') };
  await upload.locator('input[type=file]').setInputFiles(content);
  await upload.getByRole('button', { name: 'Execute' }).click();
  await expect(upload.locator('.live-responses-table .response-col_status').nth(1)).toContainText('201');
  expect(await readText(page, `${directory}/tried.md`)).toBe('# Tried');
});
