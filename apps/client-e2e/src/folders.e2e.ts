import { expect, type Locator, type Page, test, type TestInfo } from '@playwright/test';
import { addSession, expectAccessibleLayout } from './app-steps';
import { putFiles, readText, uniqueDirectory } from './file-steps';
import { url } from './pages';

/** A separate user for each screen size, because both may run in parallel. */
const personOf = ({ project }: TestInfo) => (project.name === 'phone' ? 'fay' : 'dora');

const link = (page: Page, name: string): Locator => page.getByRole('link', { name, exact: true });
const row = (page: Page, name: string): Locator => page.getByRole('row').filter({ has: link(page, name) });
const branch = (page: Page, name: string): Locator => page.getByRole('treeitem', { name, exact: true });

async function openWith(page: Page, names: readonly string[]): Promise<string> {
  await addSession(page, personOf(test.info()));
  const directory = uniqueDirectory('folders');
  await putFiles(page, Object.fromEntries(names.map((name) => [`${directory}/${name}`, `# ${name}`])));
  await page.goto(`${url}/files/${directory}`);
  await expect(page.getByRole('heading', { name: directory, level: 1 })).toBeVisible();
  return directory;
}

async function createFolder(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More options' }).click();
  await page.getByRole('menuitem', { name: 'New folder' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Create folder' }).click();
}

/** Drags an element onto another one and waits there until `isOver` is done. */
async function drag(from: Locator, to: Locator, isOver: () => Promise<void>): Promise<void> {
  const page = from.page();
  await from.hover();
  await page.mouse.down();
  await to.hover();
  // Browsers report the position once per move, and accept a drop after the second one.
  await to.hover({ position: { x: 8, y: 8 } });
  await isOver();
  await page.mouse.up();
}

test('a new folder stays until it has a file', { tag: '@phone' }, async ({ page }) => {
  const directory = await openWith(page, ['a.md', 'used/b.md']);
  await createFolder(page, 'plans/2027');
  await expect(row(page, 'plans')).toContainText('Empty');
  await expect(link(page, 'plans')).toBeFocused();
  await expectAccessibleLayout(page);
  await page.reload();
  await link(page, 'plans').click();
  await link(page, '2027').click();
  await expect(page.getByText('Nothing is here yet')).toBeVisible();

  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose files' }).click();
  await (await chooser).setFiles({ name: 'goals.md', mimeType: 'text/markdown', buffer: Buffer.from('# Goals') });
  await expect(link(page, 'goals.md')).toBeVisible();
  await page.goto(`${url}/files/${directory}`);
  await expect(row(page, 'plans')).toContainText('1 file');

  await page.keyboard.press('Alt+n');
  const name = page.getByRole('textbox', { name: 'Name' });
  await name.fill('used');
  await expect(page.getByText('A folder with this name already exists.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create folder' })).toBeDisabled();
  await expectAccessibleLayout(page);
  await name.fill('drafts');
  await expect(page.getByRole('button', { name: 'Create folder' })).toBeEnabled();
  await page.keyboard.press('Enter');
  await expect(link(page, 'drafts')).toBeFocused();
  await page.keyboard.press('Delete');
  await expect(link(page, 'drafts')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(link(page, 'drafts')).toBeVisible();
});

test('the folder tree follows the open folder, and works by keyboard', async ({ page }, info) => {
  test.skip(info.project.name === 'phone', 'the tree needs a wide screen');
  const directory = await openWith(page, ['a.md', 'alpha/one/x.md', 'alpha/two/y.md', 'beta/z.md']);
  const tree = page.getByRole('tree', { name: 'Folders' });
  await expect(branch(page, directory)).toHaveAttribute('aria-current', 'page');
  await expect(branch(page, directory)).toBeInViewport();
  // The index of the workspace knows the folders in it.
  await expect(branch(page, directory)).toHaveAttribute('aria-expanded', 'false');
  await branch(page, directory).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await expect(branch(page, 'alpha')).toBeFocused();
  await expect(branch(page, 'alpha')).toHaveAttribute('aria-level', '3');
  await page.keyboard.press('b');
  await expect(branch(page, 'beta')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(branch(page, 'alpha')).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(branch(page, 'one')).toBeVisible();
  await expectAccessibleLayout(page);
  await page.keyboard.press('ArrowDown');
  await expect(branch(page, 'one')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'one', level: 1 })).toBeVisible();
  await expect(branch(page, 'one')).toHaveAttribute('aria-selected', 'true');
  await branch(page, 'one').focus();
  await page.keyboard.press('ArrowLeft');
  await expect(branch(page, 'alpha')).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(branch(page, 'one')).toHaveCount(0);
  await branch(page, 'alpha').locator('.toggle').click();
  await expect(branch(page, 'two')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'one', level: 1 })).toBeVisible();

  await page.getByRole('button', { name: 'Hide folders' }).click();
  await expect(tree).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Show folders' })).toBeVisible();
  await expect(tree).toHaveCount(0);
});

test('rows are moved by dragging them to a folder', async ({ page }, info) => {
  test.skip(info.project.name === 'phone', 'rows are dragged with a mouse');
  const directory = await openWith(page, ['a.md', 'b.md', 'c.md', 'used/a.md', 'used/deep/x.md']);
  await page.getByRole('checkbox', { name: 'Select a.md' }).click();
  await page.getByRole('checkbox', { name: 'Select b.md' }).click();
  // Onto a row; one of the names is in use there.
  await drag(link(page, 'b.md'), row(page, 'used'), () => expect(page.getByText('Drop to move to used')).toBeVisible());
  const question = page.getByRole('dialog');
  await expect(question).toContainText('1 of 2 files exists already');
  await question.getByRole('button', { name: 'Keep both' }).click();
  await expect(page.getByText('Moved 2 files to').first()).toBeVisible();
  await expect(link(page, 'a.md')).toHaveCount(0);
  expect(await readText(page, `${directory}/used/a (2).md`)).toBe('# a.md');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(link(page, 'b.md')).toBeVisible();
  await drag(link(page, 'a.md'), row(page, 'used'), () => expect(page.getByText('Drop to move to used')).toBeVisible());
  await question.getByRole('button', { name: 'Replace' }).click();
  await expect.poll(() => readText(page, `${directory}/used/a.md`)).toBe('# a.md');
  await expect(link(page, 'a.md')).toHaveCount(0);

  // Onto the tree: the folder itself is refused, a collapsed folder expands.
  // The index of the workspace knows the folders in it.
  await expect(branch(page, directory)).toHaveAttribute('aria-expanded', 'false');
  await branch(page, directory).focus();
  await page.keyboard.press('ArrowRight');
  await drag(row(page, 'used').getByRole('link'), branch(page, 'used'), () =>
    expect(page.getByText('A folder cannot be moved into itself.')).toBeVisible(),
  );
  await branch(page, directory).focus();
  await page.keyboard.press('ArrowLeft');
  await drag(link(page, 'c.md'), branch(page, directory), async () => {
    await expect(branch(page, 'used')).toBeVisible();
    await expect(page.getByText('It is already in this folder.')).toBeVisible();
    await branch(page, 'used').hover();
    await branch(page, 'used').hover({ position: { x: 8, y: 8 } });
  });
  await expect.poll(() => readText(page, `${directory}/used/c.md`)).toBe('# c.md');

  // Onto the path.
  await link(page, 'used').click();
  await drag(
    row(page, 'deep').getByRole('link'),
    page.getByRole('navigation', { name: 'You are here' }).getByRole('link', { name: directory }),
    () => expect(page.getByText(`Drop to move to ${directory}`)).toBeVisible(),
  );
  await expect.poll(() => readText(page, `${directory}/deep/x.md`)).toBe('# used/deep/x.md');
});

test('files dropped on a folder row are uploaded to this folder', async ({ page }) => {
  const directory = await openWith(page, ['a.md', 'used/b.md']);
  const dataTransfer = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['# Dropped'], 'dropped.md', { type: 'text/markdown' }));
    return transfer;
  });
  const target = row(page, 'used');
  await target.dispatchEvent('dragenter', { dataTransfer });
  await expect(page.getByText('Drop to upload to used')).toBeVisible();
  await target.dispatchEvent('drop', { dataTransfer });
  await expect(target).toContainText('2 files');
  expect(await readText(page, `${directory}/used/dropped.md`)).toBe('# Dropped');
});

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('small pictures have thumbnails, and damaged ones an icon', async ({ page }) => {
  const directory = await openWith(page, ['a.md']);
  await putFiles(page, {
    [`${directory}/good.png`]: PIXEL,
    [`${directory}/damaged.png`]: PIXEL.subarray(0, 40),
    [`${directory}/text.jpg`]: 'no picture',
  });
  await page.reload();
  await expect(row(page, 'good.png').locator('img')).toHaveJSProperty('naturalWidth', 72);
  await expect(row(page, 'damaged.png')).toBeVisible();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  // Sorting renders the rows again, from the pictures that were already read.
  await page.getByRole('columnheader', { name: 'Size' }).getByRole('button').click();
  await expect(page.locator('[data-index="0"]')).toContainText('good.png');
  await expect(row(page, 'good.png').locator('img')).toHaveCount(1);
  await expect(row(page, 'damaged.png').locator('img')).toHaveCount(0);
  await expect(row(page, 'text.jpg').locator('hp-icon')).not.toHaveCount(0);
  expect(requests.filter((each) => each.includes('.png'))).toEqual([]);
});
