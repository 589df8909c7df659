import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { EXPECTED } from '@homeport/api-client/testing/transfer-scenario.mjs';
import { accessTokenOf, addSession } from './app-steps';
import { personOf, uniqueDirectory } from './file-steps';
import { collectPageErrors, url } from './pages';

const root = join(import.meta.dirname, '../../..');
const MODULES = {
  '/test/api-client.js': 'dist/packages/api-client/index.js',
  '/test/scenario.js': 'libs/api-client/src/testing/transfer-scenario.mjs',
};

/** Adds the built client library to the origin of the product. */
async function serveModules(page: Page): Promise<void> {
  for (const [path, file] of Object.entries(MODULES)) {
    const body = await readFile(join(root, file), 'utf8');
    await page.route(`${url}${path}`, (route) => route.fulfill({ body, contentType: 'text/javascript' }));
  }
}

test('the client library transfers files in a page of the product', async ({ page }, info) => {
  const errors = collectPageErrors(page);
  await serveModules(page);
  await addSession(page, personOf(info));
  await page.goto(`${url}/settings`);
  const target = JSON.stringify({
    baseUrl: url,
    token: await accessTokenOf(page),
    folder: uniqueDirectory('client-library'),
  });
  // A text, because the compiler of the tests would change an import in a function.
  const result = await page.evaluate(`
    Promise.all([import('/test/api-client.js'), import('/test/scenario.js')])
      .then(([api, { transferFiles }]) => transferFiles(api, ${target}))`);
  expect(result).toEqual(EXPECTED);
  const expected = /the server responded with a status of 4(04|12)/;
  expect(errors.filter((error) => !expected.test(error))).toEqual([]);
});
