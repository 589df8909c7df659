import { type Browser, expect, type Locator, type Page, test } from '@playwright/test';
import { addSession, expectAccessibleLayout, problemResponse, signedInAt } from './app-steps';
import { readBytes, uniqueDirectory, personOf, putFile, readText, deleteFile } from './file-steps';
import { collectPageErrors, url } from './pages';
import { SUITE_TAG } from './suites';

/** Console messages about responses that the tests provoke. */
const EXPECTED = /status of (404|412)/;

const text = (page: Page): Locator => page.locator('hp-code-editor .cm-content');
const status = (page: Page, words: string): Locator => page.getByRole('status').getByText(words, { exact: true });

function editUrl(key: string): string {
  return `${url}/edit/${key.split('/').map(encodeURIComponent).join('/')}`;
}

/** Stores a file and opens it in the editor as a signed-in user. */
async function editing(page: Page, key: string, content: string | readonly number[]): Promise<void> {
  await addSession(page, personOf(test.info()));
  await putFile(page, key, content);
  await page.goto(editUrl(key));
  await expect(text(page)).toBeVisible();
}

async function write(page: Page, words: string): Promise<void> {
  await text(page).click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type(words);
}

interface Viewport {
  readonly width: number;
  readonly height: number;
}

/** Opens a page without the service worker, which would bypass the test's routes. */
async function withoutWorker(browser: Browser, viewport: Viewport | null = null): Promise<Page> {
  return (await browser.newContext({ viewport, serviceWorkers: 'block' })).newPage();
}

test('Markdown is formatted with the toolbar and with the keyboard', { tag: '@phone' }, async ({ page }) => {
  const key = `${uniqueDirectory('format')}/plan.md`;
  await editing(page, key, 'plan\n');
  const toolbar = page.getByRole('toolbar', { name: 'Formatting' });
  await expect(toolbar.getByRole('button')).toHaveCount(9);
  await expectAccessibleLayout(page);
  await text(page).focus();
  await page.keyboard.press('ControlOrMeta+Home');
  await toolbar.getByRole('button', { name: 'Heading' }).click();
  await expect(text(page)).toBeFocused();
  await page.keyboard.press('ControlOrMeta+b');
  await expect(text(page)).toContainText('## **plan**');
  await page.keyboard.press('ControlOrMeta+b');
  await expect(text(page)).toContainText('## plan');

  // One stop of the Tab key; the arrow keys move between the buttons.
  await toolbar.getByRole('button', { name: 'Heading' }).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(toolbar.getByRole('button', { name: 'Quote' })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await expect(text(page)).toBeFocused();
  await page.keyboard.press('ControlOrMeta+s');
  await expect(status(page, 'Saved')).toBeVisible();
  expect(await readText(page, key)).toBe('- [ ] plan\n');

  await putFile(page, key.replace('.md', '.txt'), 'plan');
  await page.goto(editUrl(key.replace('.md', '.txt')));
  await expect(text(page)).toBeVisible();
  await expect(toolbar).toHaveCount(0);
});

test('changes are saved while typing when this is chosen', { tag: '@phone' }, async ({ page }) => {
  const key = `${uniqueDirectory('autosave')}/notes.md`;
  await editing(page, key, 'notes\n');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  const choice = page.getByRole('menuitemcheckbox', { name: 'Save while typing' });
  await expect(choice).toHaveAttribute('aria-checked', 'false');
  await expectAccessibleLayout(page);
  await choice.click();
  await write(page, 'First ');
  await expect(status(page, 'Saved')).toBeVisible();
  expect(await readText(page, key)).toBe('First notes\n');

  // Leaving saves what was typed last.
  await page.keyboard.type('and last ');
  await page.getByRole('link', { name: 'Done' }).click();
  await expect(text(page)).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1, name: 'notes.md' })).toBeVisible();
  await expect(page.getByText('First and last notes')).toBeVisible();
  expect(await readText(page, key)).toBe('First and last notes\n');

  // The choice is kept on this device. A draft of an earlier visit waits for the decision about it.
  await page.goto(editUrl(key));
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await expect(choice).toHaveAttribute('aria-checked', 'true');
});

test('a file with a difficult name is edited and saved with the keyboard alone', async ({ page }) => {
  const errors = collectPageErrors(page);
  const key = `${uniqueDirectory('edit')}/100% (final) #2; emoji 🎉?.md`;
  await editing(page, key, '# Final\n');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('100% (final) #2; emoji 🎉?.md');
  await text(page).focus();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('More');
  await page.keyboard.press('Tab');
  await expect(text(page)).toBeFocused();
  await expect(status(page, 'Unsaved changes, kept on this device')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+s');
  await expect(status(page, 'Saved')).toBeVisible();
  expect(await readText(page, key)).toBe('# Final\n  More');

  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+Tab');
  await expect(text(page)).not.toBeFocused();
  await page.getByRole('link', { name: 'Done' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/view\//);
  await expect(page.locator('.prose').getByRole('heading', { name: 'Final' })).toBeVisible();
  expect(errors).toEqual([]);
});

test('line breaks, a byte order mark and a missing last line break stay as they are', async ({ page }) => {
  const key = `${uniqueDirectory('bytes')}/windows.txt`;
  const encode = (words: string): readonly number[] => [0xef, 0xbb, 0xbf, ...new TextEncoder().encode(words)];
  await editing(page, key, encode('one\r\ntwo\nthree\r\nfour'));
  await write(page, 'zero\n');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(status(page, 'Saved')).toBeVisible();
  expect(await readBytes(page, key)).toEqual(encode('zero\r\none\r\ntwo\nthree\r\nfour'));
});

test(
  'binary and too large files are not editable, and a missing file can be created',
  { tag: SUITE_TAG },
  async ({ page }) => {
    const directory = uniqueDirectory('odd');
    await editing(page, `${directory}/a.txt`, 'a');
    await expectAccessibleLayout(page);
    await putFile(page, `${directory}/image.bin`, [0x89, 0x50, 0x4e, 0x47, 0, 1, 2]);
    await page.goto(editUrl(`${directory}/image.bin`));
    await expect(page.getByText('This file is not text')).toBeVisible();
    await expectAccessibleLayout(page);
    await expect(page.getByRole('link', { name: 'Back to the file' })).toHaveAttribute(
      'href',
      `/view/${directory}/image.bin`,
    );
    await putFile(page, `${directory}/large.txt`, 'x'.repeat(2 * 1024 * 1024 + 1));
    await page.goto(editUrl(`${directory}/large.txt`));
    await expect(page.getByText('larger than 2 MiB')).toBeVisible();

    const key = `${directory}/new.md`;
    await page.goto(editUrl(key));
    await expect(page.getByText('There is no file here yet')).toBeVisible();
    await expectAccessibleLayout(page);
    await page.getByRole('button', { name: 'Create new.md' }).click();
    await write(page, '# New');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(status(page, 'Saved')).toBeVisible();
    expect(await readText(page, key)).toBe('# New');
  },
);

test('a draft survives a reload and another visit, and is removed when it is discarded', async ({ page }) => {
  const key = `${uniqueDirectory('draft')}/note.md`;
  await editing(page, key, 'stored\n');
  await write(page, 'kept ');
  // The offer of a new version reloads the page too.
  await page.reload();
  await expect(page.getByText(/Restored unsaved changes from \d\d:\d\d\./)).toBeVisible();
  await expect(text(page)).toContainText('kept stored');
  await expectAccessibleLayout(page);

  await page.getByRole('link', { name: 'Done' }).click();
  await expect(page.getByText('Unsaved changes to note.md are kept on this device.')).toBeVisible();
  await page.goBack();
  await expect(text(page)).toContainText('kept stored');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(text(page)).toHaveText('stored');
  await page.reload();
  await expect(text(page)).toHaveText('stored');
  await expect(page.getByText('Restored')).toHaveCount(0);
});

test('leaving text that this device cannot store needs a confirmation', { tag: SUITE_TAG }, async ({ page }) => {
  await page.addInitScript(() => {
    const closed = (): never => {
      throw new DOMException('Closed', 'SecurityError');
    };
    IDBFactory.prototype.open = closed;
  });
  const key = `${uniqueDirectory('unkept')}/note.md`;
  await editing(page, key, 'stored\n');
  await write(page, 'mine ');
  await expect(status(page, 'Unsaved changes, kept only while this page is open')).toBeVisible();
  const dialogOpened = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const question = await dialogOpened;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();

  const leave = page.getByRole('alertdialog', { name: 'Leave and lose changes?' });
  await page.getByRole('link', { name: 'Done' }).click();
  await expect(leave).toBeVisible();
  await expectAccessibleLayout(page);
  await leave.getByRole('button', { name: 'Cancel' }).click();
  await expect(text(page)).toContainText('mine stored');
  await page.getByRole('link', { name: 'Done' }).click();
  await leave.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(/\/view\//);

  await page.goBack();
  await expect(text(page)).toHaveText('stored');
  await write(page, 'saved ');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(status(page, 'Saved')).toBeVisible();
  await page.getByRole('link', { name: 'Done' }).click();
  await expect(page).toHaveURL(/\/view\//);
});

test('a sign-out asks once about text that this device cannot store', { tag: SUITE_TAG }, async ({ page }) => {
  await page.addInitScript(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('Full', 'QuotaExceededError');
    };
  });
  await editing(page, `${uniqueDirectory('full')}/note.md`, 'stored\n');
  await write(page, 'mine ');
  await expect(status(page, 'Unsaved changes, kept only while this page is open')).toBeVisible();
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const leave = page.getByRole('alertdialog', { name: 'Sign out and lose changes?' });
  await expect(leave).toContainText('1 file has unsaved changes.');
  await leave.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page).toHaveURL(/\/login$/);
});

test('a draft equal to the stored file is removed', async ({ page }) => {
  const key = `${uniqueDirectory('same')}/note.md`;
  await editing(page, key, 'stored\n');
  await write(page, 'kept ');
  await expect(status(page, 'Unsaved changes, kept on this device')).toBeVisible();
  await putFile(page, key, 'kept stored\n');
  await page.reload();
  await expect(status(page, 'Saved')).toBeVisible();
  await expect(page.getByText('Restored')).toHaveCount(0);
});

test('a save conflict shows both versions and loses nothing', async ({ page, context }) => {
  const errors = collectPageErrors(page);
  const key = `${uniqueDirectory('conflict')}/plan.md`;
  const lines = Array.from({ length: 30 }, (_, line) => `Line ${line}`);
  await editing(page, key, lines.join('\n'));
  const other = await context.newPage();
  await other.goto(editUrl(key));
  await expect(text(other)).toBeVisible();
  await write(page, 'mine ');
  await write(other, 'theirs ');
  await other.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(status(other, 'Saved')).toBeVisible();

  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('This file was changed while you edited it')).toBeVisible();
  const conflict = page.locator('hp-conflict-view');
  await expect(conflict.getByText('theirs Line 0').first()).toBeVisible();
  await expect(conflict.getByText('mine Line 0').first()).toBeVisible();
  await expectAccessibleLayout(page);

  await page.reload();
  await expect(conflict.getByText('theirs Line 0').first()).toBeVisible();
  await expect(conflict.getByText('mine Line 0').first()).toBeVisible();
  await page.getByRole('button', { name: 'Take theirs', exact: true }).click();
  await expect(text(page)).toContainText('theirs Line 0');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(conflict.getByText('mine Line 0').first()).toBeVisible();

  await page.getByRole('textbox', { name: 'Yours, which you can edit' }).click();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.type('theirs and ');
  await page.getByRole('button', { name: 'Save merged text' }).click();
  await expect(status(page, 'Saved')).toBeVisible();
  expect(await readText(page, key)).toBe(['theirs and mine Line 0', ...lines.slice(1)].join('\n'));

  await write(other, 'late ');
  await other.getByRole('button', { name: 'Save', exact: true }).click();
  await other.getByRole('button', { name: 'Keep mine', exact: true }).click();
  await expect(status(other, 'Saved')).toBeVisible();
  expect(await readText(page, key)).toBe(['late theirs Line 0', ...lines.slice(1)].join('\n'));
  expect(errors.filter((each) => !EXPECTED.test(each))).toEqual([]);
});

test('a file that was saved elsewhere is shown in its current version when the person returns', async ({ page }) => {
  const key = `${uniqueDirectory('return')}/plan.md`;
  await editing(page, key, 'before');
  const returnToPage = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await putFile(page, key, 'after');
  await returnToPage();
  await expect(text(page)).toHaveText('after');
  await expect(status(page, 'Saved')).toBeVisible();

  await write(page, 'mine ');
  await putFile(page, key, 'theirs');
  await returnToPage();
  await expect(page.getByRole('alert')).toContainText('This file was changed while you edited it. Nothing is lost');
});

test('two tabs with unsaved changes to one file each restore their own', async ({ page, context }) => {
  const key = `${uniqueDirectory('tabs')}/plan.md`;
  await editing(page, key, 'Line');
  const other = await context.newPage();
  await other.goto(editUrl(key));
  await write(page, 'one ');
  await write(other, 'two ');
  for (const tab of [page, other]) await expect(status(tab, 'Unsaved changes, kept on this device')).toBeVisible();
  await other.reload();
  await expect(text(other)).toContainText('two Line');
  await page.reload();
  await expect(text(page)).toContainText('one Line');
});

test('a file that was deleted meanwhile can be saved as a new file', { tag: SUITE_TAG }, async ({ page }) => {
  const key = `${uniqueDirectory('gone')}/plan.md`;
  await editing(page, key, 'Line');
  await deleteFile(page, key);
  await write(page, 'still ');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('This file was deleted while you edited it')).toBeVisible();
  await expectAccessibleLayout(page);
  await page.getByRole('button', { name: 'Save as new' }).click();
  await expect(status(page, 'Saved')).toBeVisible();
  expect(await readText(page, key)).toBe('still Line');
});

test('a failed save is shown, keeps the text and can be retried', async ({ browser }, { project }) => {
  const page = await withoutWorker(browser, project.use.viewport);
  const key = `${uniqueDirectory('failing')}/plan.md`;
  await editing(page, key, 'Line');
  const unavailable = problemResponse(503, 'files.storage-unavailable', 'The storage does not answer. Try again.');
  await page.route('**/api/files/**', (route) =>
    route.request().method() === 'PUT' ? route.fulfill(unavailable) : route.continue(),
  );
  await write(page, 'kept ');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Could not save: The storage does not answer. Try again.')).toBeVisible();
  await expectAccessibleLayout(page);
  await page.unroute('**/api/files/**');
  // The save arrives, but its response is lost: it is queued, and the next attempt recognizes its own text.
  await page.route(
    '**/api/files/**',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(status(page, 'Waiting to be sent')).toBeVisible();
  await expect(status(page, 'Saved')).toBeVisible();
  expect(await readText(page, key)).toBe('kept Line');
  await page.context().close();
});

test('a late save response does not affect the file opened meanwhile', async ({ browser }, { project }) => {
  const page = await withoutWorker(browser, project.use.viewport);
  const [slow, next] = [`${uniqueDirectory('late')}/slow.md`, `${uniqueDirectory('late')}/next.md`];
  await editing(page, next, 'Next');
  await putFile(page, slow, 'Slow');
  await page.evaluate((address) => {
    history.pushState(null, '', address);
    dispatchEvent(new PopStateEvent('popstate'));
  }, editUrl(slow));
  await expect(text(page)).toHaveText('Slow');
  const held = Promise.withResolvers<undefined>();
  await page.route('**/slow.md', async (route) => {
    // Reads may happen at any time and are not delayed.
    if (route.request().method() !== 'PUT') return route.fallback();
    await held.promise;
    return route.continue();
  });
  const saveRequest = page.waitForRequest((request) => request.method() === 'PUT');
  await write(page, 'mine ');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await saveRequest;
  await page.goBack();
  await expect(text(page)).toHaveText('Next');
  const answered = page.waitForResponse((response) => response.request().method() === 'PUT');
  held.resolve(undefined);
  // Not until the response ends: the page has read what it needs, and the browser sometimes aborts the rest.
  await answered;
  await expect(status(page, 'Saved')).toBeVisible();
  await write(page, 'my ');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(status(page, 'Saved')).toBeVisible();
  expect(await readText(page, next)).toBe('my Next');
  expect(await readText(page, slow)).toBe('mine Slow');
  await page.context().close();
});

test('a session that ends during editing leads back to the draft', async ({ browser }, { project }) => {
  const page = await withoutWorker(browser, project.use.viewport);
  const key = `${uniqueDirectory('expiry')}/plan.md`;
  await editing(page, key, 'Line');
  await write(page, 'kept ');
  await page.context().clearCookies();
  await page.route('**/api/files/**', (route) => route.fulfill(problemResponse(401, 'identity.token-expired', '')));
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page).toHaveURL(/\/login\?reason=expired&return_to=%2Fedit%2F/);
  await page.unroute('**/api/files/**');
  await signedInAt(page, `/edit/${key}`, personOf(test.info()));
  await expect(page.getByText('Restored unsaved changes')).toBeVisible();
  await expect(text(page)).toContainText('kept Line');
  await page.context().close();
});
