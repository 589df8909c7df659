import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, expect, type Locator, type Page, test, type TestInfo } from '@playwright/test';
import { addSession, expectAccessibleLayout, problemResponse, signedInAt } from './app-steps';
import { putFiles } from './file-steps';
import { url } from './pages';
import { listingOf } from './states/file-listing';
import { SUITE_TAG } from './suites';

/** Requests that list files, of one level or of the whole workspace. */
const LISTING = /\/api\/files(\?.*)?$/;
const HARD = '100% (final) #2; emoji 🎉?.md';

/** A separate user for each screen size, because both may run in parallel. */
const personOf = ({ project }: TestInfo) => (project.name === 'phone' ? 'fay' : 'dora');

/** Returns a unique directory name. */
function ownDirectory({ project, title, retry }: TestInfo): string {
  return `${title.replace(/\W+/g, '-').slice(0, 24)}-${project.name}-${retry}-${process.pid}`;
}

async function openWith(page: Page, directory: string, names: readonly string[]): Promise<void> {
  await addSession(page, personOf(test.info()));
  await putFiles(page, Object.fromEntries(names.map((name) => [`${directory}/${name}`, `# ${name}`])));
  await page.goto(`${url}/files/${directory}`);
  await expect(link(page, names[0] as string)).toBeVisible();
}

const link = (page: Page, name: string): Locator => page.getByRole('link', { name, exact: true });
const selected = (page: Page): Locator => page.locator('[role=row][aria-selected=true]');
const picker = (page: Page): Locator => page.locator('input[type=file]').first();

/** Opens a page without the service worker, which would bypass the page's routes. */
async function pageWithRoutes(browser: Browser, { project }: TestInfo): Promise<Page> {
  const { viewport = null } = project.use;
  return (await browser.newContext({ viewport, serviceWorkers: 'block' })).newPage();
}

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
  // A toast under the pointer would stay open, and the deletion it can undo would never be sent.
  await page.mouse.move(0, 0);
}

test('a file with a difficult name is uploaded, opened, linked, renamed and deleted', async ({ page }, info) => {
  const directory = ownDirectory(info);
  await openWith(page, directory, ['a.md']);
  await picker(page).setInputFiles({ name: HARD, mimeType: 'text/markdown', buffer: Buffer.from('# Party') });
  await link(page, HARD).click();
  await expect(page.getByRole('heading', { name: 'Party' })).toBeVisible();
  await page.goto(page.url());
  await expect(page.getByRole('heading', { name: 'Party' })).toBeVisible();
  await page.goBack();
  await page.goto(`${url}/files/${directory}`);

  await page.getByRole('button', { name: `Actions for ${HARD}` }).click();
  await expectAccessibleLayout(page);
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await expectAccessibleLayout(page);
  await page.getByRole('textbox', { name: 'New name' }).fill(`new ${HARD}`);
  await page.getByRole('button', { name: 'Rename' }).click();
  await expect(link(page, `new ${HARD}`)).toBeVisible();
  await expect(link(page, HARD)).toHaveCount(0);

  await choose(page, `new ${HARD}`, 'Delete');
  await expect(link(page, `new ${HARD}`)).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(link(page, `new ${HARD}`)).toBeVisible();
  const gone = page.waitForResponse((response) => response.request().method() === 'DELETE' && response.ok());
  await choose(page, `new ${HARD}`, 'Delete');
  await gone;
  await page.reload();
  await expect(link(page, 'a.md')).toBeVisible();
  await expect(link(page, `new ${HARD}`)).toHaveCount(0);
});

test('a folder is uploaded, with one question for all existing files', async ({ page }, info) => {
  const directory = ownDirectory(info);
  await openWith(page, directory, ['a.md']);
  const folder = await mkdtemp(join(tmpdir(), 'homeport-e2e-'));
  const top = join(folder, 'batch');
  await mkdir(join(top, 'deep'), { recursive: true });
  await writeFile(join(top, '.DS_Store'), 'x');
  for (let number = 0; number < 300; number += 1) {
    await writeFile(join(top, number % 2 ? 'deep' : '.', `file ${number}.txt`), number === 7 ? '' : `${number}`);
  }
  const uploadFolder = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('menuitem', { name: 'Upload folder' }).click();
    await (await chooser).setFiles(top);
  };
  await uploadFolder();
  await expect(link(page, 'batch')).toBeVisible();
  await expect(page.getByText('300 files', { exact: true })).toBeVisible();

  await writeFile(join(top, 'new.txt'), 'new');
  await uploadFolder();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading')).toHaveText(/300 of 301 files exist already/);
  await expectAccessibleLayout(page);
  await dialog.getByRole('button', { name: 'Skip' }).click();
  await expect(page.getByText('301 files', { exact: true })).toBeVisible();

  await picker(page).setInputFiles({ name: 'a.md', mimeType: 'text/markdown', buffer: Buffer.from('# other') });
  await dialog.getByRole('button', { name: 'Keep both' }).click();
  await expect(link(page, 'a (2).md')).toBeVisible();
  await rm(folder, { recursive: true });
});

test('a brief failure is retried, and an offline upload continues with the connection', async ({ browser }, info) => {
  const page = await pageWithRoutes(browser, info);
  await openWith(page, ownDirectory(info), ['a.md']);
  let failures = 1;
  await page.route(/\/api\/files\/.*flaky/, (route) =>
    (failures -= 1) >= 0
      ? route.fulfill(problemResponse(503, 'files.storage-unavailable', 'Not now.'))
      : route.continue(),
  );
  await picker(page).setInputFiles({ name: 'flaky.md', mimeType: 'text/markdown', buffer: Buffer.from('# 1') });
  await expect(link(page, 'flaky.md')).toBeVisible();
  expect(failures).toBeLessThan(0);

  await page.context().setOffline(true);
  await picker(page).setInputFiles({ name: 'later.md', mimeType: 'text/markdown', buffer: Buffer.from('# 2') });
  await expect(link(page, 'later.md')).toHaveCount(0);
  await page.context().setOffline(false);
  await expect(link(page, 'later.md')).toBeVisible();
  await page.context().close();
});

test('rows are selected with the keyboard, moved, and moved back', { tag: SUITE_TAG }, async ({ page }, info) => {
  const directory = ownDirectory(info);
  await openWith(page, directory, ['a.md', 'b.md', 'c.md', 'd.md', 'target/x.md']);
  await link(page, 'a.md').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(selected(page)).toHaveCount(2);
  await expect(link(page, 'b.md')).toBeFocused();
  await expectAccessibleLayout(page);
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await page.getByRole('textbox').fill(`${directory}/target`);
  await expectAccessibleLayout(page);
  await page.getByRole('button', { name: 'Move here' }).click();
  await expect(link(page, 'a.md')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(link(page, 'a.md')).toBeVisible();

  await link(page, 'a.md').focus();
  await page.keyboard.press('d');
  await expect(link(page, 'd.md')).toBeFocused();
  await page.keyboard.press('Control+a');
  await expect(selected(page)).toHaveCount(5);
  await page.keyboard.press('Escape');
  await expect(selected(page)).toHaveCount(0);
  await page.keyboard.press('Home');
  await expect(link(page, 'target')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(link(page, 'x.md')).toBeVisible();
  await link(page, 'x.md').focus();
  await page.keyboard.press('Backspace');
  await expect(link(page, 'target')).toBeFocused();
});

test('a rejected deletion restores the row and shows the error', { tag: SUITE_TAG }, async ({ browser }, info) => {
  const page = await pageWithRoutes(browser, info);
  await openWith(page, ownDirectory(info), ['a.md', 'b.md']);
  await page.route(/\/api\/files\/.*b\.md$/, (route) =>
    route.request().method() === 'DELETE'
      ? route.fulfill(problemResponse(503, 'files.storage-unavailable', 'Storage does not answer.'))
      : route.continue(),
  );
  await choose(page, 'b.md', 'Delete');
  await expect(link(page, 'b.md')).toHaveCount(0);
  await expect(page.getByText(/b\.md could not be deleted\. Storage does not answer/)).toBeVisible();
  await expect(link(page, 'b.md')).toBeVisible();
  await page.context().close();
});

test(
  'filter and sort order are in the URL, and Back restores the scroll position',
  { tag: SUITE_TAG },
  async ({ page }, info) => {
    const directory = ownDirectory(info);
    await openWith(
      page,
      directory,
      Array.from({ length: 80 }, (_, index) => `note ${index}.md`),
    );
    await page.getByRole('button', { name: 'Name' }).click();
    await page.getByRole('searchbox').fill('note');
    await expect(page).toHaveURL(/sort=-name/);
    await expect(page).toHaveURL(/filter=note/);
    await page.evaluate(() => scrollTo(0, 2_000));
    const nameInView = () =>
      page.evaluate(() => {
        const links = [...document.querySelectorAll<HTMLElement>('[data-index] .name a')];
        return links.find((each) => each.getBoundingClientRect().top > 300)?.textContent ?? '';
      });
    // The rows follow the scroll position one frame later.
    await expect.poll(nameInView).not.toBe('');
    const name = await nameInView();
    const before = await page.evaluate(() => scrollY);
    await link(page, name).click();
    await expect(page.getByRole('heading', { name: name, level: 1 }).first()).toBeVisible();
    await page.goBack();
    await expect(link(page, name)).toBeFocused();
    expect(Math.abs((await page.evaluate(() => scrollY)) - before)).toBeLessThan(60);
    await expect(page.getByRole('searchbox')).toHaveValue('note');

    await page.getByRole('searchbox').fill('no such name');
    await expect(page.getByText('No matches for “no such name”.')).toBeVisible();
    await expectAccessibleLayout(page);
  },
);

test('a filter with an invalid percent sign in the URL is kept', async ({ page }, info) => {
  const directory = ownDirectory(info);
  await openWith(page, directory, ['100%.md', 'b.md']);
  await page.goto(`${url}/files/${directory}?filter=%`);
  await expect(page.getByRole('searchbox')).toHaveValue('%');
  await expect(link(page, '100%.md')).toBeVisible();
  await expect(link(page, 'b.md')).toHaveCount(0);
});

test('a long press starts a selection, and taps extend it', { tag: '@phone' }, async ({ page }, info) => {
  test.skip(!info.project.use.hasTouch, 'needs a touch screen');
  await openWith(page, ownDirectory(info), ['a.md', 'b.md', 'c.md']);
  const { x, y } = await link(page, 'a.md').evaluate((element) => element.getBoundingClientRect().toJSON());
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: x + 20, y: y + 20 }] });
  await expect(selected(page)).toHaveCount(1);
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await link(page, 'c.md').tap();
  await expect(selected(page)).toHaveCount(2);
  await expectAccessibleLayout(page);
});

test('fifty thousand files are rendered as a few rows', async ({ browser }, info) => {
  const page = await pageWithRoutes(browser, info);
  const items = Array.from({ length: 50_000 }, (_, index) => ({
    key: `reports/file ${String(index).padStart(5, '0')}.md`,
    size: index,
    etag: `"${index}"`,
    modified_at: new Date(1.7e12 + index * 1_000).toISOString(),
  }));
  await page.route(LISTING, (route) => route.fulfill({ json: listingOf(items, new URL(route.request().url())) }));
  await signedInAt(page, '/files', personOf(info));
  await link(page, 'reports').waitFor();
  const ms = await page.evaluate(async () => {
    const start = performance.now();
    document.querySelector<HTMLElement>('[data-index] a')?.click();
    while (!document.querySelector('[data-index="20"]')) await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    return performance.now() - start;
  });
  console.log(`50,000 files in a directory, painted after ${Math.round(ms)} ms (${info.project.name})`);
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '50001');
  expect(await page.locator('[data-index]').count()).toBeLessThan(100);
  await link(page, 'file 00000.md').focus();
  await page.keyboard.press('End');
  await expect(link(page, 'file 49999.md')).toBeFocused();
  await page.getByRole('searchbox').fill('4242');
  await expect(page.locator('[data-index]')).toHaveCount(15);
  await page.context().close();
});
