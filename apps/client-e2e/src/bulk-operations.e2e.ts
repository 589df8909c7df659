import { type Browser, expect, type Locator, type Page, test, type TestInfo } from '@playwright/test';
import { addSession, expectAccessibleLayout, problemResponse, signedInAt } from './app-steps';
import { readBytes, uniqueDirectory, putFile, readText } from './file-steps';
import { url } from './pages';
import { SUITE_TAG } from './suites';

/** A separate user for each screen size, because both may run in parallel. */
const personOf = ({ project }: TestInfo) => (project.name === 'phone' ? 'fay' : 'dora');

const link = (page: Page, name: string): Locator => page.getByRole('link', { name, exact: true });
const picker = (page: Page): Locator => page.locator('input[type=file]').first();

async function openWith(page: Page, info: TestInfo, names: readonly string[]): Promise<string> {
  await addSession(page, personOf(info));
  const directory = uniqueDirectory('care');
  await Promise.all(names.map((name) => putFile(page, `${directory}/${name}`, `# ${name}`)));
  await page.goto(`${url}/files/${directory}`);
  await expect(link(page, names[0] as string)).toBeVisible();
  return directory;
}

/** Opens a page without the service worker that never gets a response to uploads with "slow" in the name. */
async function pageWithSlowUploads(
  browser: Browser,
  { project }: TestInfo,
): Promise<{ page: Page; started: string[] }> {
  const { viewport = null } = project.use;
  const page = await (await browser.newContext({ viewport, serviceWorkers: 'block' })).newPage();
  const started: string[] = [];
  await page.route(/\/api\/files\/.*slow/, (route) => void started.push(route.request().url()));
  return { page, started };
}

function slowFiles(count: number): { name: string; mimeType: string; buffer: Buffer }[] {
  return Array.from({ length: count }, (_, at) => ({
    name: `slow ${at}.md`,
    mimeType: 'text/markdown',
    buffer: Buffer.from('# Slow'),
  }));
}

async function deleteByMenu(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(link(page, name)).toHaveCount(0);
}

test('a cancelled upload starts no more files', async ({ browser }, info) => {
  const { page, started } = await pageWithSlowUploads(browser, info);
  await openWith(page, info, ['a.md']);
  await picker(page).setInputFiles(slowFiles(30));
  await expect.poll(() => started.length).toBe(6);
  await page.getByRole('button', { name: 'Activity: 1 in progress' }).click();
  const panel = page.getByRole('dialog', { name: 'Activity' });
  await expect(panel.getByText('Uploading 30 files').first()).toBeVisible();
  await expectAccessibleLayout(page);
  await panel.getByRole('button', { name: /^Cancel/ }).click();
  await expect(panel.getByText('Cancelled after 0 of 30')).toBeVisible();
  await expectAccessibleLayout(page);
  await page.keyboard.press('Escape');
  expect(started).toHaveLength(6);
  await expect(link(page, 'slow 0.md')).toHaveCount(0);
  await page.context().close();
});

test('signing out warns about running uploads and cancels them', async ({ browser }, info) => {
  const { page, started } = await pageWithSlowUploads(browser, info);
  await openWith(page, info, ['a.md']);
  await picker(page).setInputFiles(slowFiles(8));
  await expect.poll(() => started.length).toBe(6);
  const aborted = page.waitForEvent('requestfailed', (request) => request.method() === 'PUT');
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('8 files are still being uploaded.');
  await question.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page).toHaveURL(`${url}/login`);
  await aborted;
  expect(started).toHaveLength(6);
  await page.context().close();
});

test('a file that changed since it was listed is not deleted', { tag: SUITE_TAG }, async ({ page }, info) => {
  const directory = await openWith(page, info, ['a.md', 'b.md']);
  await putFile(page, `${directory}/b.md`, '# Newer');
  await deleteByMenu(page, 'b.md');
  await expect(page.getByText('b.md has changed in the meantime, so it was not deleted.')).toBeVisible();
  await expect(link(page, 'b.md')).toBeVisible();
  expect(await readText(page, `${directory}/b.md`)).toBe('# Newer');
});

test('a deletion is completed when the page is closed immediately', async ({ page }, info) => {
  const directory = await openWith(page, info, ['a.md', 'b.md']);
  await deleteByMenu(page, 'b.md');
  await page.goto('about:blank');
  await page.goto(`${url}/settings`);
  await expect.poll(() => readBytes(page, `${directory}/b.md`)).toBeUndefined();
});

test('deleting very many files needs a confirmation', { tag: SUITE_TAG }, async ({ page }, info) => {
  const names = Array.from({ length: 51 }, (_, at) => `note ${at}.md`);
  await openWith(page, info, names);
  await link(page, 'note 0.md').focus();
  await page.keyboard.press('Control+a');
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
  await expect(dialog.getByRole('heading', { name: 'Delete 51 files?' })).toBeVisible();
  await expectAccessibleLayout(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(link(page, 'note 0.md')).toBeVisible();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog.getByRole('button', { name: 'Delete 51 files' }).click();
  await expect(link(page, 'note 0.md')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(link(page, 'note 0.md')).toBeVisible();
});

test('files dropped on a folder are uploaded to it', async ({ page }, info) => {
  const directory = await openWith(page, info, ['a.md']);
  const dataTransfer = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['# Dropped'], 'dropped.md', { type: 'text/markdown' }));
    return transfer;
  });
  const target = page.getByText(`Drop to upload to ${directory}`);
  await page.getByRole('grid').dispatchEvent('dragenter', { dataTransfer });
  await expect(target).toBeVisible();
  await page.getByRole('grid').dispatchEvent('drop', { dataTransfer });
  await expect(target).toHaveCount(0);
  await expect(link(page, 'dropped.md')).toBeVisible();
  await expect(
    page.getByText(`Uploaded 1 file to ${directory}`, { exact: true }).filter({ visible: true }),
  ).toBeVisible();
  expect(await readText(page, `${directory}/dropped.md`)).toBe('# Dropped');
});

test('an action in the URL is started once', async ({ page }, info) => {
  const directory = await openWith(page, info, ['a.md']);
  await page.goto(`${url}/files/${directory}?sort=-size&do=new-file`);
  await expect(page.getByRole('dialog', { name: 'New file' })).toBeVisible();
  await expect(page).toHaveURL(`${url}/files/${directory}?sort=-size`);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.goto(`${url}/files/${directory}?do=upload`);
  await expect(page.getByRole('menuitem', { name: 'Upload files' })).toBeFocused();
  await expect(page).toHaveURL(`${url}/files/${directory}`);
  await expectAccessibleLayout(page);
  await page.reload();
  await expect(link(page, 'a.md')).toBeVisible();
  await expect(page.getByRole('menu')).toHaveCount(0);
});

test('a file is pinned and unpinned from its menu', async ({ page }, info) => {
  await openWith(page, info, ['a.md']);
  for (const [action, message] of [
    ['Keep offline', 'a.md is kept on this device'],
    ['Stop keeping offline', 'a.md is no longer kept offline'],
  ] as const) {
    await page.getByRole('button', { name: 'Actions for a.md' }).click();
    await page.getByRole('menuitem', { name: action }).click();
    await expect(page.getByText(message)).toBeVisible();
  }
});

test('a partly failed folder rename is not announced as done', async ({ browser }, info) => {
  const { viewport = null } = info.project.use;
  const page = await (await browser.newContext({ viewport, serviceWorkers: 'block' })).newPage();
  await addSession(page, personOf(info));
  const directory = uniqueDirectory('care');
  for (const name of ['1', '2', '3', '4']) await putFile(page, `${directory}/mv/${name}.md`, `# ${name}`);
  await page.goto(`${url}/files/${directory}`);
  const refused = problemResponse(503, 'files.storage-unavailable', 'Storage does not answer.');
  await page.route(/mv2\/[34]\.md$/, (route) => route.fulfill(refused));
  await page.getByRole('button', { name: 'Actions for mv' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('textbox').fill('mv2');
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await expect(page.getByText('Moved 2 of 4 files. The others were not moved.')).toBeVisible();
  await expect(page.getByText('Renamed mv to mv2')).toHaveCount(0);
  await expect(link(page, 'mv')).toBeVisible();
  await expect(link(page, 'mv2')).toBeVisible();
  await page.context().close();
});

test('an invisible name is rejected, and a folder of the same name is mentioned', async ({ page }, info) => {
  const directory = await openWith(page, info, ['plain', 'other/x.md']);
  await page.getByRole('button', { name: 'Actions for plain' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const rename = page.getByRole('button', { name: 'Rename', exact: true });
  for (const unseen of [' ', '\u200b\u00ad', '\u00a0\u2800']) {
    await page.getByRole('textbox').fill(unseen);
    await expect(page.getByText('A name needs at least one visible character.')).toBeVisible();
    await expect(rename).toBeDisabled();
  }
  await page.getByRole('textbox').fill('other');
  await expect(page.getByText('A folder with this name exists. A file and a folder can share a name.')).toBeVisible();
  await expectAccessibleLayout(page);
  await rename.click();
  await expect.poll(() => readText(page, `${directory}/other`)).toBe('# plain');
  expect(await readText(page, `${directory}/other/x.md`)).toBe('# other/x.md');
});

test('the name dialog opens with a selected default name', async ({ page }, info) => {
  await signedInAt(page, '/files', personOf(info));
  const button = page.getByRole('button', { name: 'New file' }).first();
  await expect(button).toBeVisible();
  const firstSeen = await page.evaluateHandle(() => {
    const seen = Promise.withResolvers<readonly [string, number | null, number | null]>();
    new MutationObserver(() => {
      const field = document.querySelector<HTMLInputElement>('hp-name-dialog input');
      if (field) seen.resolve([field.value, field.selectionStart, field.selectionEnd]);
    }).observe(document.body, { childList: true, subtree: true });
    return { seen: seen.promise };
  });
  await button.click();
  expect(await firstSeen.evaluate(({ seen }) => seen)).toEqual(['untitled.md', 0, 'untitled'.length]);
});
