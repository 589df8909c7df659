import { expect, type Locator, type Page, test } from '@playwright/test';
import { addSession, expectAccessibleLayout, signedInAt } from './app-steps';
import { personOf, putFile, readText, uniqueDirectory } from './file-steps';
import { url } from './pages';
import { waitForServiceWorker } from './service-worker-steps';
import { SUITE_TAG } from './suites';

const WAITING = 'Saved on this device. It will be sent when the connection returns.';

const text = (page: Page): Locator => page.locator('hp-code-editor .cm-content');
const status = (page: Page, words: string): Locator => page.getByRole('status').getByText(words, { exact: true });

/** Opens a file in the editor, with an active service worker, so that the editor also starts offline. */
async function editing(page: Page, key: string): Promise<void> {
  await addSession(page, personOf(test.info()));
  await putFile(page, key, '# Nightjar\n');
  await page.goto(`${url}/edit/${key}`);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.goto(`${url}/view/${key}`);
  await waitForServiceWorker(page);
  await expect(page.getByRole('heading', { name: 'Nightjar' })).toBeVisible();
  await page.goto(`${url}/edit/${key}`);
  await expect(text(page)).toContainText('Nightjar');
}

async function saveWith(page: Page, words: string): Promise<void> {
  await text(page).click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type(words);
  await page.keyboard.press('ControlOrMeta+s');
  await expect(status(page, 'Waiting to be sent')).toBeVisible();
}

test.use({ serviceWorkers: 'allow' });

test('an offline save survives a restart and is sent from another page', async ({ page, context }) => {
  const directory = uniqueDirectory('queued');
  const key = `${directory}/plan.md`;
  await editing(page, key);
  await context.setOffline(true);
  await saveWith(page, 'one ');
  await expect(page.getByText(WAITING)).toBeVisible();
  await expectAccessibleLayout(page);
  await page.reload();
  await expect(text(page)).toContainText('one');
  await expect(status(page, 'Waiting to be sent')).toBeVisible();
  // Edited again: the text is replaced, and the condition of the first save stays.
  await saveWith(page, 'two');

  await page.goto(`${url}/view/${key}`);
  await expect(page.getByText('one two')).toBeVisible();
  await expect(page.getByText(/Saved on this device at \d\d:\d\d\./)).toBeVisible();
  await page.goto(`${url}/files/${directory}`);
  await expect(page.getByRole('row', { name: 'plan.md' })).toContainText('Not sent yet');
  await page.goto(`${url}/settings`);
  await page.getByRole('button', { name: 'Activity: waiting for the connection' }).click();
  await expect(page.getByRole('dialog')).toContainText('plan.md is saved on this device');
  await expectAccessibleLayout(page);
  await page.keyboard.press('Escape');

  await context.setOffline(false);
  await expect(page.getByRole('button', { name: 'Activity: all done' })).toBeVisible();
  expect(await readText(page, key)).toBe('# Nightjar\none two');
});

test('a new file that waits to be sent is listed in its folder', { tag: SUITE_TAG }, async ({ page, context }) => {
  const directory = uniqueDirectory('queued-new');
  await editing(page, `${directory}/plan.md`);
  await page.goto(`${url}/edit/${directory}/later/new.md`);
  await page.getByRole('button', { name: 'Create new.md' }).click();
  await context.setOffline(true);
  await text(page).click();
  await page.keyboard.type('fresh');
  await page.keyboard.press('ControlOrMeta+s');
  await expect(status(page, 'Waiting to be sent')).toBeVisible();

  await page.goto(`${url}/files/${directory}`);
  await page.getByRole('link', { name: 'later' }).click();
  const row = page.getByRole('row', { name: 'new.md' });
  await expect(row).toContainText('Not sent yet');
  await context.setOffline(false);
  await expect(row).not.toContainText('Not sent yet');
  await expect(row).toBeVisible();
  expect(await readText(page, `${directory}/later/new.md`)).toBe('fresh');
});

test('a queued save of a file that has changed becomes a draft, and the editor shows both', async ({
  page,
  context,
  browser,
}) => {
  const directory = uniqueDirectory('queued-conflict');
  const key = `${directory}/plan.md`;
  const elsewhere = await browser.newPage();
  await signedInAt(elsewhere, '/settings', personOf(test.info()));
  await editing(page, key);
  await context.setOffline(true);
  await saveWith(page, 'mine');
  await page.goto(`${url}/files/${directory}`);
  await expect(page.getByRole('row', { name: 'plan.md' })).toContainText('Not sent yet');
  await putFile(elsewhere, key, '# Theirs');
  await context.setOffline(false);
  await expect(page.getByText('plan.md was changed elsewhere, so your saved text was not sent.')).toBeVisible();
  await expect(page.getByRole('row', { name: 'plan.md' })).toContainText('Unsaved draft');
  expect(await readText(page, key)).toBe('# Theirs');

  await page.getByRole('button', { name: 'Compare versions' }).click();
  const conflict = page.locator('hp-conflict-view');
  await expect(conflict.getByText('# Theirs').first()).toBeVisible();
  await expect(conflict.getByText('mine').first()).toBeVisible();
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await expect(status(page, 'Saved')).toBeVisible();
  expect(await readText(page, key)).toBe('# Nightjar\nmine');
  await elsewhere.close();
});

test('an open editor shows a conflict of its queued save, and signing out warns about an unsent one', async ({
  browser,
}, { project }) => {
  const { viewport = null } = project.use;
  // Without the service worker, which would bypass the routes of the test.
  const page = await (await browser.newContext({ viewport, serviceWorkers: 'block' })).newPage();
  await addSession(page, personOf({ project }));
  const key = `${uniqueDirectory('queued-open')}/plan.md`;
  await putFile(page, key, '# Nightjar\n');
  await page.goto(`${url}/edit/${key}`);
  await page.route('**/api/files/**', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.fallback(),
  );
  await saveWith(page, 'mine');
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const question = page.getByRole('alertdialog', { name: 'Sign out and lose changes?' });
  await expect(question).toContainText('1 saved file has not been sent yet.');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await putFile(page, key, '# Theirs');
  await page.unroute('**/api/files/**');
  await expect(page.getByText('This file was changed while you edited it.')).toBeVisible();
  await expect(page.locator('hp-conflict-view').getByText('mine').first()).toBeVisible();
  await page.context().close();
});
