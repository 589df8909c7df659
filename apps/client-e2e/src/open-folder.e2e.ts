import { expect, type Locator, type Page, type Request, test, type TestInfo } from '@playwright/test';
import { expectAccessibleLayout, signedInAt, UNAVAILABLE } from './app-steps';
import { deleteFile, putFile, uniqueDirectory } from './file-steps';
import { url } from './pages';

/** A separate user for each screen size, because both may run in parallel. */
const personOf = ({ project }: TestInfo) => (project.name === 'phone' ? 'ivy' : 'erik');

const link = (page: Page, name: string): Locator => page.getByRole('link', { name, exact: true });
const row = (page: Page, name: string): Locator => page.getByRole('row').filter({ has: link(page, name) });

/** Requests for one level of a directory, and requests for all files. */
const isLevel = (address: URL): boolean => isListing(address) && address.searchParams.has('delimiter');
const isIndex = (address: URL): boolean =>
  isListing(address) && !address.searchParams.has('delimiter') && !address.searchParams.has('sort');
const isListing = ({ pathname }: URL): boolean => pathname === '/api/files';

/** Signs in and stores files in a new folder. @returns the folder. */
async function storedFolder(page: Page, info: TestInfo, names: readonly string[]): Promise<string> {
  // A page that lists no files, so that no list is cached yet.
  await signedInAt(page, '/apps', personOf(info));
  await expect(page.getByRole('button', { name: /^Account of/ })).toBeVisible();
  const folder = uniqueDirectory('levels');
  await Promise.all(names.map((name) => putFile(page, `${folder}/${name}`, `# ${name}`)));
  return folder;
}

function collectListings(page: Page): Request[] {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (isListing(new URL(request.url()))) requests.push(request);
  });
  return requests;
}

const prefixOf = (request: Request): string | null => new URL(request.url()).searchParams.get('prefix');

test('entering a folder lists its level, and not the whole workspace', async ({ page }, info) => {
  const folder = await storedFolder(page, info, ['a.md', 'sub/x.md']);
  await page.goto(`${url}/files/${folder}`);
  await expect(row(page, 'sub')).toContainText('1 file');
  await page.waitForLoadState('networkidle');
  const requests = collectListings(page);
  const listed = [`${folder}/sub/`, `workspace/${folder}/sub/`];
  await page.getByRole('link', { name: 'sub', exact: true }).click();
  await expect(link(page, 'x.md')).toBeVisible();
  await expect.poll(() => requests.map(prefixOf)).toEqual(listed);
  listed.push(`${folder}/`, `workspace/${folder}/`);
  await page.getByRole('link', { name: 'Back to parent folder', exact: true }).click();
  await expect(link(page, 'a.md')).toBeVisible();
  await expect.poll(() => requests.map(prefixOf)).toEqual(listed);
  expect(requests.every((request) => isLevel(new URL(request.url())))).toBe(true);

  // The browser opens again: the index is revalidated in the background.
  await link(page, 'a.md').click();
  await expect(page.getByRole('heading', { name: 'a.md' }).first()).toBeVisible();
  const revalidated = page.waitForRequest((request) => isIndex(new URL(request.url())));
  await page.goBack();
  await expect(link(page, 'a.md')).toBeVisible();
  expect((await revalidated).headers()['if-none-match']).toBeTruthy();
});

test('a folder is shown before the index is loaded, and counted afterwards', async ({ page }, info) => {
  const folder = await storedFolder(page, info, ['a.md', 'sub/x.md']);
  const held = Promise.withResolvers<undefined>();
  await page.route(isIndex, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(`${url}/files/${folder}`);
  await expect(link(page, 'a.md')).toBeVisible();
  await expect(row(page, 'sub')).toBeVisible();
  await expect(row(page, 'sub')).not.toContainText('file');
  await expectAccessibleLayout(page);

  // An action on all files of a folder waits until they are known.
  await page.getByRole('button', { name: 'Actions for sub' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  held.resolve(undefined);
  await expect(page.getByRole('alertdialog')).toContainText('This deletes 1 file.');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(row(page, 'sub')).toContainText('1 file');
});

test('changes made elsewhere appear when a folder is entered', async ({ page }, info) => {
  const folder = await storedFolder(page, info, ['a.md', 'sub/x.md', 'sub/old/y.md']);
  await page.goto(`${url}/files/${folder}`);
  await expect(row(page, 'sub')).toContainText('2 files');
  await putFile(page, `${folder}/sub/added.md`, '# Added');
  await putFile(page, `${folder}/sub/new/z.md`, '# New');
  await deleteFile(page, `${folder}/sub/x.md`);
  await deleteFile(page, `${folder}/sub/old/y.md`);
  await link(page, 'sub').click();
  await expect(link(page, 'added.md')).toBeVisible();
  await expect(link(page, 'x.md')).toHaveCount(0);
  await expect(link(page, 'old')).toHaveCount(0);
  await expect(row(page, 'new')).toContainText('1 file');
  await page.getByRole('link', { name: 'Back to parent folder' }).click();
  await expect(row(page, 'sub')).toContainText('2 files');

  // A folder whose files were all deleted on this page disappears at once.
  await link(page, 'sub').click();
  await page.getByRole('button', { name: 'Actions for new' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete 1 file' }).click();
  await expect(link(page, 'new')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(link(page, 'new')).toBeVisible();
});

test('a level that fails to load shows the index and an error with a retry', async ({ page }, info) => {
  const folder = await storedFolder(page, info, ['a.md', 'sub/x.md']);
  await page.goto(`${url}/files/${folder}`);
  await expect(row(page, 'sub')).toContainText('1 file');
  await page.route(isLevel, (route) => route.fulfill(UNAVAILABLE));
  await link(page, 'sub').click();
  await expect(link(page, 'x.md')).toBeVisible();
  const notice = page.getByText('This information may be outdated.');
  await expect(notice).toBeVisible();
  await expectAccessibleLayout(page);
  await page.unroute(isLevel);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(notice).toHaveCount(0);
  await expect(link(page, 'x.md')).toBeVisible();
});

test('without level and index, an error with a retry is shown', async ({ page }, info) => {
  const folder = await storedFolder(page, info, ['a.md']);
  await page.route(isListing, (route) => route.fulfill(UNAVAILABLE));
  await page.goto(`${url}/files/${folder}`);
  await expect(page.getByText('Your files could not be loaded')).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(0);
  await page.unroute(isListing);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(link(page, 'a.md')).toBeVisible();
  await expect(page.getByText('Your files could not be loaded')).toHaveCount(0);
});
