import { expect, type Locator, type Page, test } from '@playwright/test';
import { addSession, expectAccessibleLayout } from './app-steps';
import { personOf, putFile, putFiles, uniqueDirectory } from './file-steps';
import { url } from './pages';
import { openInViewer } from './viewer-steps';

test.describe.configure({ mode: 'parallel' });

test.beforeEach(async ({ page }) => {
  await addSession(page, personOf(test.info()));
});

const heading = (page: Page): Locator => page.getByRole('heading', { level: 1 });

/** The texts that are highlighted as matches on the screen. */
function highlighted(page: Page, name: 'hp-match' | 'hp-current-match'): Promise<readonly string[]> {
  return page.evaluate((key) => [...(CSS.highlights.get(key) ?? [])].map((range) => String(range)), name);
}

test('the keys J and K open the next and previous file of the list', async ({ page }) => {
  const directory = uniqueDirectory('pager');
  await putFiles(page, { [`${directory}/a.txt`]: 'aaa', [`${directory}/b.txt`]: 'b', [`${directory}/c.md`]: 'cc' });
  // Sorted by size and filtered: b.txt, a.txt.
  await page.goto(`${url}/files/${directory}?sort=size&filter=txt`);
  await page.getByRole('link', { name: 'b.txt' }).click();
  await expect(heading(page)).toHaveText('b.txt');
  await expect(page.getByRole('link', { name: 'Previous file' })).toHaveAttribute('aria-disabled', 'true');
  await expectAccessibleLayout(page);
  await page.keyboard.press('j');
  await expect(heading(page)).toHaveText('a.txt');
  await expect(page.getByRole('link', { name: 'Next file' })).toHaveAttribute(
    'title',
    'This is the last file of the folder',
  );
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await expect(heading(page)).toHaveText('b.txt');
  await page.getByRole('link', { name: 'Next file: a.txt' }).click();
  await expect(heading(page)).toHaveText('a.txt');
  await page.reload();
  await page.getByRole('link', { name: 'Previous file: b.txt' }).click();
  await page.reload();
  await expect(page.getByRole('link', { name: 'Next file: a.txt' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/files\//);
});

test('find searches all parts of a large text', async ({ page }) => {
  const key = `${uniqueDirectory('find')}/large.log`;
  const line = 'INFO request served without an error worth noting\n';
  await putFile(page, key, `${line.repeat(100_000)}WARN Needle one\n${line.repeat(100_000)}WARN needle two\n`);
  await openInViewer(page, key);
  // Only small elements are searched for: finding text in the whole page would keep the browser busy.
  const part = page.locator('hp-large-text-view .bar strong');
  const result = page.getByRole('search').locator('.result');
  await expect(part).toHaveText('Part 1 of 5');
  const lines = page.locator('hp-text-lines pre');
  await lines.focus();
  await page.keyboard.press('ControlOrMeta+f');
  await page.keyboard.type('needle');
  await expect(result).toHaveText('1 of 2');
  await expect(part).toHaveText('Part 3 of 5');
  await expect.poll(() => highlighted(page, 'hp-current-match')).toEqual(['Needle']);
  await expect(page.locator('.line.found')).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(result).toHaveText('2 of 2');
  await expect(part).toHaveText('Part 5 of 5');
  await page.locator('.case').click();
  await expect(result).toHaveText('1 of 1');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('search')).toHaveCount(0);
  await expect(lines).toBeFocused();
});

test('objects of JSON fold, and find unfolds them', async ({ page }) => {
  const key = `${uniqueDirectory('fold')}/data.json`;
  await putFile(page, key, '{"list":[{"id":12345678901234567890},{"id":2}],"needle":{"deep":true},"end":1}');
  await openInViewer(page, key);
  const line = (words: string): Locator => page.locator('hp-text-lines .line').filter({ hasText: words });
  const fold = page.getByRole('button', { name: 'Content of line 2' });
  await fold.click();
  await expect(fold).toHaveAttribute('aria-expanded', 'false');
  await expect(line('12345678901234567890')).toBeHidden();
  await expect(line('"needle"')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(line('12345678901234567890')).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('button', { name: 'Content of line 3' })).toBeFocused();
  await page.getByRole('button', { name: 'Content of line 1', exact: true }).click();
  await expect(line('"deep"')).toBeHidden();
  await page.getByRole('button', { name: 'Expand all' }).click();
  await expect(line('"deep"')).toBeVisible();
  await page.getByRole('button', { name: 'Fold all' }).click();
  await expect(line('"needle"')).toBeVisible();
  await expect(line('"deep"')).toBeHidden();
  await expectAccessibleLayout(page);
  await page.getByRole('button', { name: 'Find' }).click();
  await page.keyboard.type('DEEP');
  await expect.poll(() => highlighted(page, 'hp-match')).toEqual(['deep']);
  await expectAccessibleLayout(page);
  await expect(line('"deep"')).toBeVisible();
});

test('a fold button keeps the focus when the colours of the text arrive late', async ({ page }) => {
  const key = `${uniqueDirectory('fold-focus')}/data.json`;
  await putFile(page, key, '{"list":[1,2],"end":1}');
  const grammar = Promise.withResolvers<undefined>();
  await page.route('**/*.js', async (route) => {
    const response = await route.fetch();
    if ((await response.text()).includes('JsonText')) await grammar.promise;
    await route.fulfill({ response });
  });
  await openInViewer(page, key);
  const fold = page.getByRole('button', { name: 'Content of line 2' });
  await fold.click();
  await expect(page.locator('hp-text-lines [class*="tok-"]')).toHaveCount(0);
  grammar.resolve(undefined);
  await expect(page.locator('hp-text-lines [class*="tok-"]').first()).toBeVisible();
  await expect(fold).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(fold).toHaveAttribute('aria-expanded', 'true');
});

test('CSV is shown as a table', { tag: '@phone' }, async ({ page }) => {
  const directory = uniqueDirectory('table');
  const rows = Array.from({ length: 100_000 }, (_, at) => `Article ${at};"1.${String(at).padStart(6, '0')},50";x`);
  await putFiles(page, {
    [`${directory}/prices.csv`]: `Name;Price;Note\n${rows.join('\n')}\n`,
    [`${directory}/broken.csv`]: 'a,b\n1,"open\n',
  });
  await openInViewer(page, `${directory}/prices.csv`);
  await expect(page.getByText('100,000 rows, 3 columns')).toBeVisible();
  await expect(page.getByRole('cell', { name: '1.000000,50' })).toHaveCSS('text-align', 'right');
  await expectAccessibleLayout(page);
  await page.getByRole('table').evaluate((table) => table.scrollTo(0, table.scrollHeight));
  await expect(page.getByRole('cell', { name: 'Article 99999' })).toBeInViewport();
  await expect(page.getByRole('columnheader', { name: 'Price' })).toBeInViewport();
  await page.getByRole('link', { name: 'Source' }).click();
  await expect(page.locator('hp-text-lines')).toContainText('Name;Price;Note');
  await openInViewer(page, `${directory}/broken.csv`);
  await expect(page.getByText('The quotes in line 2 are not closed correctly.')).toBeVisible();
  await expect(page.locator('hp-text-lines')).toContainText('1,"open');
});

test('find marks cells of a table and scrolls to the selected row', { tag: '@phone' }, async ({ page }) => {
  const key = `${uniqueDirectory('find-table')}/prices.csv`;
  const rows = Array.from({ length: 5_000 }, (_, at) => (at % 2_000 === 1_999 ? `"Needle ${at}",1` : `Article,${at}`));
  await putFile(page, key, `Name,Price\n${rows.join('\n')}\n`);
  await openInViewer(page, key);
  await page.getByRole('table').focus();
  await page.keyboard.press('ControlOrMeta+f');
  await page.keyboard.type('needle');
  const result = page.getByRole('search').locator('.result');
  await expect(result).toHaveText('1 of 2');
  const cell = (name: string): Locator => page.getByRole('cell', { name, exact: true });
  await expect(cell('Needle 1999')).toBeInViewport();
  await expect(cell('Needle 1999')).toHaveClass(/found/);
  await expectAccessibleLayout(page);
  await page.keyboard.press('Enter');
  await expect(result).toHaveText('2 of 2');
  await expect(cell('Needle 3999')).toBeInViewport();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('table')).toBeFocused();
  await expect(cell('Needle 3999')).not.toHaveClass(/found/);
});

test('Markdown is previewed beside its text', { tag: '@phone' }, async ({ page }, { project }) => {
  const key = `${uniqueDirectory('preview')}/note.md`;
  await putFile(page, key, '# Title\n');
  await page.goto(`${url}/edit/${key}`);
  const text = page.locator('hp-code-editor .cm-content');
  await text.click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('**bold**');
  await page.getByRole('button', { name: 'Preview' }).click();
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview.getByText('bold', { exact: true })).toBeVisible();
  await expectAccessibleLayout(page);
  if (project.name === 'phone') {
    await expect(text).toBeHidden();
    await page.getByRole('button', { name: 'Preview' }).click();
    await expect(text).toBeVisible();
    return;
  }
  await text.click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type(' and more');
  await expect(preview).toContainText('bold and more');
  await page.reload();
  await expect(preview).toContainText('bold and more');
});

test('a draft is shown in the list and in the viewer', async ({ page }) => {
  const directory = uniqueDirectory('draft');
  const key = `${directory}/note.md`;
  await putFile(page, key, 'stored');
  await page.goto(`${url}/edit/${key}`);
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type('mine ');
  await expect(page.getByText('Unsaved changes, kept on this device')).toBeVisible();
  await page.goto(`${url}/files/${directory}`);
  await expect(page.getByRole('row', { name: 'note.md' })).toContainText('Unsaved draft');
  await expectAccessibleLayout(page);
  await page.getByRole('link', { name: 'note.md' }).click();
  await expect(page.getByText(/You have an unsaved draft from \d\d:\d\d\./)).toBeVisible();
  await expectAccessibleLayout(page);
  await page.getByRole('link', { name: 'Continue' }).click();
  await expect(page.locator('.cm-content')).toContainText('mine stored');
  await page.goBack();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByText(/You have an unsaved draft/)).toHaveCount(0);
});
