import { expect, type Locator, type Page, test, type TestInfo } from '@playwright/test';
import { addSession, expectAccessibleLayout, problemResponse, signedInAt } from './app-steps';
import { putFiles, readText, uniqueDirectory } from './file-steps';
import { url } from './pages';
import { SUITE_TAG } from './suites';

/** A separate user for each screen size, because both may run in parallel. */
const personOf = ({ project }: TestInfo) => (project.name === 'phone' ? 'fay' : 'dora');

const link = (page: Page, name: string): Locator => page.getByRole('link', { name, exact: true });

async function openWith(page: Page, names: readonly string[]): Promise<string> {
  await addSession(page, personOf(test.info()));
  const directory = uniqueDirectory('browser');
  await putFiles(page, Object.fromEntries(names.map((name) => [`${directory}/${name}`, `# ${name}`])));
  await page.goto(`${url}/files/${directory}`);
  await expect(link(page, names[0] as string)).toBeVisible();
  return directory;
}

/** Drops a file on an element. @returns whether the browser would leave the app to open the file. */
function dropOn(target: Locator, name: string): Promise<boolean> {
  return target.evaluate((element, fileName) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['# Dropped'], fileName, { type: 'text/markdown' }));
    const dispatch = (type: string) =>
      element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    dispatch('dragenter');
    const acceptsNoDrag = dispatch('dragover');
    return dispatch('drop') || acceptsNoDrag;
  }, name);
}

test('files dropped anywhere on Files are uploaded to the open folder', async ({ page }) => {
  const directory = await openWith(page, ['a.md']);
  expect(await dropOn(page.getByRole('navigation', { name: 'Main' }), 'first.md')).toBe(false);
  await expect(link(page, 'first.md')).toBeVisible();
  expect(await dropOn(page.locator('body'), 'second.md')).toBe(false);
  await expect(link(page, 'second.md')).toBeVisible();
  expect(await readText(page, `${directory}/second.md`)).toBe('# Dropped');

  await page.getByRole('button', { name: 'New file' }).click();
  expect(await dropOn(page.getByRole('dialog'), 'third.md')).toBe(false);
  await expect(page.getByText('Nothing was uploaded.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(link(page, 'third.md')).toHaveCount(0);
});

test('files dropped on another page do not make the browser leave the app', async ({ page }, info) => {
  await signedInAt(page, '/settings', personOf(info));
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
  expect(await dropOn(page.locator('main'), 'a.md')).toBe(false);
  await expect(page.getByText('Nothing was uploaded. To upload files, open Files and drop them there.')).toBeVisible();
});

test('the text of a new or opened file has the focus', { tag: SUITE_TAG }, async ({ page }) => {
  const directory = await openWith(page, ['a.md']);
  await page.getByRole('button', { name: 'New file' }).click();
  await page.getByRole('textbox').fill('new.md');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Text of new.md' })).toBeFocused();
  await page.keyboard.type('# Typed');
  await page.keyboard.press('Control+s');
  await expect.poll(() => readText(page, `${directory}/new.md`)).toBe('# Typed');

  await page.goto(`${url}/view/${directory}/a.md`);
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Text of a.md' })).toBeFocused();
});

test('a folder that does not exist differs from an empty folder', { tag: SUITE_TAG }, async ({ page }) => {
  const directory = await openWith(page, ['a.md']);
  await page.getByRole('button', { name: 'Actions for a.md' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByText('Nothing is here yet')).toBeVisible();

  await page.goto(`${url}/files/${directory}/none-such`);
  await expect(page.getByText('There is no folder none-such here.')).toBeVisible();
  await expect(page.getByText('Nothing is here yet')).toHaveCount(0);
  await expectAccessibleLayout(page);
  await page.getByRole('main').getByRole('link', { name: 'Back to Files' }).click();
  await expect(page).toHaveURL(`${url}/files`);
});

test('a partly failed upload is shown and announced with its counts', async ({ browser }, info) => {
  const { viewport = null } = info.project.use;
  const page = await (await browser.newContext({ viewport, serviceWorkers: 'block' })).newPage();
  const directory = await openWith(page, ['a.md']);
  await page.route(/\/api\/files\/.*large/, (route) =>
    route.fulfill(problemResponse(413, 'files.too-large', 'The file is too large.')),
  );
  const files = ['one.md', 'large.md', 'two.md'].map((name) => ({
    name,
    mimeType: 'text/markdown',
    buffer: Buffer.from('x'),
  }));
  await page.locator('input[type=file]').first().setInputFiles(files);
  const message = page.getByRole('status').filter({ hasText: `1 of 3 files was not uploaded to ${directory}.` });
  await expect(message).toBeVisible();
  await expect(page.getByText(`Uploaded 2 of 3 files to ${directory}: `)).toHaveCount(0);
  await message.getByRole('button', { name: 'Show errors' }).click();
  const panel = page.getByRole('dialog', { name: 'Activity' });
  await expect(panel).toContainText(`Uploaded 2 of 3 files to ${directory}`);
  await expect(panel.getByRole('list', { name: 'Errors' })).toContainText('large.md');
  await expectAccessibleLayout(page);
  await page.context().close();
});

test('the search finds folders and shows more than eight results', { tag: SUITE_TAG }, async ({ page }) => {
  const names = Array.from({ length: 20 }, (_, at) => `plan ${String(at).padStart(2, '0')}.md`);
  const directory = await openWith(page, [...names, 'archive/plan.md']);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(`${directory} archive`);
  await expect(page.getByRole('option', { name: `archive Folder in ${directory}` })).toBeVisible();

  await page.getByRole('combobox').fill(`${directory} plan`);
  const plans = page.getByRole('option', { name: /^plan/ });
  const more = page.getByRole('group', { name: 'Files and folders' }).getByRole('option', { name: 'Show more' });
  await expect(plans).toHaveCount(8);
  await page.keyboard.press('ArrowUp');
  await expect(more).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(plans).toHaveCount(21);
  await expect(more).toHaveCount(0);
  await expectAccessibleLayout(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill(`${directory} archive`);
  await page.getByRole('option', { name: `archive Folder in ${directory}` }).click();
  await expect(page.getByRole('heading', { name: 'archive', level: 1 })).toBeVisible();
});

test('the viewer renames, moves and deletes its file', { tag: SUITE_TAG }, async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const directory = await openWith(page, ['a.md', 'sub/b.md']);
  const choose = async (action: string): Promise<void> => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  await link(page, 'a.md').click();
  await choose('Rename');
  await page.getByRole('textbox', { name: 'New name' }).fill('new.md');
  await page.getByRole('button', { name: 'Rename' }).click();
  await expect(page).toHaveURL(`${url}/view/${directory}/new.md`);
  await expect(page.getByRole('heading', { name: 'new.md', level: 1 })).toBeVisible();
  await expectAccessibleLayout(page);

  await choose('Move to…');
  await page.getByRole('textbox').fill(`${directory}/sub`);
  await page.getByRole('button', { name: 'Move here' }).click();
  await expect(page).toHaveURL(`${url}/view/${directory}/sub/new.md`);

  if (test.info().project.name === 'phone') await choose('Copy link');
  else await page.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText('Link copied. Only you can open it, after signing in.')).toBeVisible();
  await choose('Delete');
  await expect(page).toHaveURL(`${url}/files/${directory}/sub`);
  await expect(link(page, 'b.md')).toBeVisible();
  await expect(link(page, 'new.md')).toHaveCount(0);
});
