import { type Browser, expect, type Locator, type Page, test, type TestInfo } from '@playwright/test';
import { addSession, expectAccessibleLayout, signedInAt } from './app-steps';
import { putFiles, uniqueDirectory } from './file-steps';
import { url } from './pages';
import { listingOf } from './states/file-listing';
import { SUITE_TAG } from './suites';

/** A separate user for each screen size, because both may run in parallel. */
const personOf = ({ project }: TestInfo) => (project.name === 'phone' ? 'fay' : 'dora');

const link = (page: Page, name: string): Locator => page.getByRole('link', { name, exact: true });
const selected = (page: Page): Locator => page.locator('[role=row][aria-selected=true]');
const checkbox = (page: Page, name: string): Locator => page.getByRole('checkbox', { name: `Select ${name}` });

async function openWith(page: Page, names: readonly string[]): Promise<string> {
  await addSession(page, personOf(test.info()));
  const directory = uniqueDirectory('grid');
  await putFiles(page, Object.fromEntries(names.map((name) => [`${directory}/${name}`, `# ${name}`])));
  await page.goto(`${url}/files/${directory}`);
  await expect(link(page, names[0] as string)).toBeVisible();
  return directory;
}

/** Opens a directory with many files that only exist in mocked responses. */
async function openMany(browser: Browser, info: TestInfo, count: number): Promise<Page> {
  const { viewport = null } = info.project.use;
  const page = await (await browser.newContext({ viewport, serviceWorkers: 'block' })).newPage();
  const items = Array.from({ length: count }, (_, index) => ({
    key: `many/file ${String(index).padStart(4, '0')}.md`,
    size: (index * 7919) % 5_000,
    etag: `"${index}"`,
    modified_at: new Date(1.7e12 + ((index * 104_729) % 90_000) * 1_000).toISOString(),
  }));
  await page.route(/\/api\/files(\?.*)?$/, (route) =>
    route.fulfill({ json: listingOf(items, new URL(route.request().url())) }),
  );
  await signedInAt(page, '/files/many', personOf(info));
  await expect(link(page, 'file 0000.md')).toBeVisible();
  return page;
}

interface RenderedRow {
  readonly index: number;
  readonly top: number;
}

/** The rendered rows in the order of the DOM, which screen readers follow. */
function renderedRows(page: Page): Promise<readonly RenderedRow[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('[data-index]')].map((row) => ({
      index: Number(row.getAttribute('data-index')),
      top: Math.round(row.getBoundingClientRect().top),
    })),
  );
}

/** Waits until a row is rendered and expects the order of the DOM to be the order on the screen. */
async function expectRowsInOrder(page: Page, index: number): Promise<void> {
  await expect(page.locator(`[data-index="${index}"]`)).toHaveCount(1);
  const rows = await renderedRows(page);
  expect(rows).toEqual(rows.toSorted((a, b) => a.top - b.top));
  expect(rows.map((row) => row.index)).toEqual(rows.map((row) => row.index).toSorted((a, b) => a - b));
}

test(
  'rows are in the order of the screen after scrolling and sorting',
  { tag: SUITE_TAG },
  async ({ browser }, info) => {
    const page = await openMany(browser, info, 1_000);
    await expectRowsInOrder(page, 10);
    for (const index of [30, 60, 90, 500, 480, 40, 2]) {
      await page.evaluate((row) => {
        const [first] = document.querySelectorAll<HTMLElement>('[data-index]');
        scrollTo(0, row * (first?.offsetHeight ?? 0));
      }, index);
      await expectRowsInOrder(page, index);
    }
    for (const column of ['Size', 'Modified', 'Name', 'Name']) {
      await page.getByRole('columnheader', { name: column }).getByRole('button').click();
      await expectRowsInOrder(page, 3);
    }
    await page.context().close();
  },
);

test('a row keeps the focus when the list is sorted differently', async ({ browser }, info) => {
  const page = await openMany(browser, info, 40);
  await link(page, 'file 0020.md').focus();
  // A click would move the focus to the column heading.
  await page
    .getByRole('columnheader', { name: 'Size' })
    .getByRole('button')
    .evaluate((heading: HTMLElement) => heading.click());
  await expect(page.locator('[data-index="0"]')).not.toContainText('file 0000.md');
  await expect(link(page, 'file 0020.md')).toBeFocused();
  await page.context().close();
});

test('a click on a checkbox with Shift selects the range', async ({ page }) => {
  await openWith(page, ['a.md', 'b.md', 'c.md', 'd.md', 'e.md']);
  await checkbox(page, 'b.md').click();
  await checkbox(page, 'd.md').click({ modifiers: ['Shift'] });
  await expect(selected(page)).toHaveCount(3);
  for (const name of ['b.md', 'c.md', 'd.md']) await expect(checkbox(page, name)).toBeChecked();
  await checkbox(page, 'c.md').click({ modifiers: ['Shift'] });
  await expect(selected(page)).toHaveCount(2);
  await expect(checkbox(page, 'd.md')).not.toBeChecked();
  await checkbox(page, 'b.md').click();
  await expect(selected(page)).toHaveCount(1);
});

test('a double-click beside a name opens it', async ({ page }) => {
  await openWith(page, ['a.md', 'sub/b.md']);
  const beside = (name: string) => page.getByRole('row', { name }).locator('.modified');
  await beside('sub').dblclick();
  await expect(page.getByRole('heading', { name: 'sub', level: 1 })).toBeVisible();
  await beside('b.md').dblclick();
  await expect(page).toHaveURL(/\/view\/.*b\.md$/);
});

test('the keys of every page work in the list, and the help lists the keys of the list', async ({ page }) => {
  await openWith(page, ['a.md', 'b.md']);
  await link(page, 'a.md').focus();
  await page.keyboard.press('/');
  await expect(page.getByRole('combobox', { name: 'Search files, apps and commands' })).toBeFocused();
  await page.keyboard.press('Escape');
  await checkbox(page, 'a.md').focus();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  const list = help.getByRole('region', { name: 'File list' });
  for (const [label, keys] of [
    ['Rename', 'F2'],
    ['Delete', 'Del'],
    ['Select or deselect', 'Space'],
    ['Select all', 'CtrlA'],
  ] as const) {
    await expect(list.locator('div').filter({ hasText: label }).locator('dd').first()).toHaveText(keys);
  }
  await expectAccessibleLayout(page);
});

test('a button starts the selection on a touch screen', { tag: '@phone' }, async ({ page }, info) => {
  test.skip(!info.project.use.hasTouch, 'needs a touch screen');
  await openWith(page, ['a.md', 'b.md']);
  await page.getByRole('button', { name: 'Select', exact: true }).tap();
  await expect(page.getByText('0 selected')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete', exact: true })).toBeDisabled();
  await expectAccessibleLayout(page);
  await link(page, 'a.md').tap();
  await link(page, 'b.md').tap();
  await expect(selected(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Clear selection' }).tap();
  await expect(selected(page)).toHaveCount(0);
  await expect(page.getByRole('searchbox')).toBeVisible();
});

test('a truncated name keeps its extension and has a tooltip', { tag: '@phone' }, async ({ page }) => {
  const long = `${'long name '.repeat(20)}.md`;
  await openWith(page, ['a.md', long]);
  const extension = link(page, long).locator('.extension');
  const row = page.getByRole('row', { name: long });
  const [inner, outer] = [await extension.boundingBox(), await row.boundingBox()];
  expect(inner && outer && inner.x + inner.width < outer.x + outer.width).toBe(true);
  await link(page, 'a.md').hover();
  await link(page, long).hover();
  await expect(link(page, long)).toHaveAttribute('title', long);
  await expect(link(page, 'a.md')).toHaveAttribute('title', '');
});

test('the menu for uploads stays in its column', async ({ page }) => {
  await openWith(page, ['a.md']);
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  const menu = await page.getByRole('menu').boundingBox();
  const grid = await page.getByRole('grid').boundingBox();
  expect(menu && grid && menu.x + menu.width <= grid.x + grid.width + 1).toBe(true);
});

test('a right click opens the actions of a row', async ({ page }, { project }) => {
  test.skip(project.name === 'phone', 'A long press selects.');
  const directory = await openWith(page, ['one.md', 'two.md', 'three.md']);
  await link(page, 'two.md').click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await link(page, 'one.md').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Open', exact: true }).click();
  await expect(page).toHaveURL(`${url}/view/${directory}/one.md`);
});

test('a right click on one of several selected rows opens the actions of all', async ({ page }, { project }) => {
  test.skip(project.name === 'phone', 'A long press selects.');
  await openWith(page, ['one.md', 'two.md', 'three.md']);
  await page.getByRole('checkbox', { name: 'Select one.md' }).click();
  await page.getByRole('checkbox', { name: 'Select two.md' }).click();
  await link(page, 'three.md').click({ button: 'right' });
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible();
  await page.keyboard.press('Escape');
  await link(page, 'two.md').click({ button: 'right' });
  await expect(page.getByRole('menuitem')).toHaveText(['Download 2 items', 'Move 2 items to…', 'Delete 2 items']);
  await page.getByRole('menuitem', { name: 'Delete 2 items' }).click();
  await expect(page.getByText('Deleting 2 files…')).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByRole('row')).toHaveCount(4);
});
