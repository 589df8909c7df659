import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { zipSync } from 'fflate';
import {
  type AppBody,
  expectAccessibleLayout,
  openAppSettings,
  registerApp,
  signedInAt,
  UNAVAILABLE,
  uniqueName,
} from './app-steps';
import {
  archiveOf,
  askForSite,
  chooseAction,
  chooseArchive,
  deployRows as rows,
  mockUploadProgress,
} from './deploy-steps';
import { SUITE_TAG } from './suites';

/** Opens the page of a new app without deploys. */
async function newApp(page: Page, words: string): Promise<AppBody> {
  await signedInAt(page, '/apps', 'lars');
  const app = await registerApp(page, uniqueName(words));
  await expect(deploys(page)).toContainText('Nothing is deployed yet');
  return app;
}

const deploys = (page: Page): Locator => page.getByRole('region', { name: 'Deploys' });
const live = (page: Page): Locator => page.locator('hp-live-deploy');
const failure = (page: Page): Locator => deploys(page).getByRole('alert').filter({ hasText: 'The deploy failed' });

/** Creates a folder on disk, as a build does. */
async function inFolder(
  files: Readonly<Record<string, string>>,
  use: (folder: string) => Promise<void>,
): Promise<void> {
  const parent = await mkdtemp(join(tmpdir(), 'homeport-site-'));
  try {
    const folder = join(parent, 'dist');
    for (const [path, content] of Object.entries(files)) {
      await mkdir(join(folder, path, '..'), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    await use(folder);
  } finally {
    await rm(parent, { recursive: true });
  }
}

/** Requests that upload a deploy. */
const UPLOADS = /\/deploys\?activate=/;

const BUILD = {
  'index.html': '<!doctype html><title>Two</title>',
  'assets/main-5KQ7ZP2A.js': 'export {};\n'.repeat(40_000),
  'assets/empty.css': '',
  'assets/ünïcode name.txt': 'x',
  '.DS_Store': 'x',
  '.well-known/security.txt': 'x',
};

test('a site is deployed from an archive and a folder, made live and rolled back', async ({ page }) => {
  const app = await newApp(page, 'Deployed');
  await expectAccessibleLayout(page);

  await chooseArchive(page);
  await expect(deploys(page)).toContainText('The deploy is live');
  await expect(live(page)).toContainText('Live now');
  await expect(live(page)).toContainText('by Lars');
  await expect(page.getByRole('link', { name: app.hostname })).toHaveCount(1);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('Live');
  await expect(page.getByRole('button', { name: 'Roll back' })).toHaveCount(0);
  await expectAccessibleLayout(page);

  await askForSite(page);
  await expect(page.getByRole('button', { name: 'Choose folder' })).toBeFocused();
  await expectAccessibleLayout(page);
  await page.getByLabel('Note (optional)').fill('Prices of 2027');
  await page.getByLabel('Make it live when ready').uncheck();
  await inFolder(BUILD, async (folder) => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose folder' }).click();
    await (await chooser).setFiles(folder);
    await expect(deploys(page)).toContainText('The deploy is ready');
  });
  await expect(deploys(page)).toContainText('Left out, because hidden files are not served: dist/.DS_Store.');
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toContainText(/#2\s*Prices of 2027\s*Preview/);
  await expect(rows(page).first()).toContainText('5 files');
  await expect(rows(page).last()).toContainText(/#1\s*site\.zip\s*Live/);
  await chooseAction(rows(page).first(), 'Details');
  const files = rows(page).first().getByRole('list', { name: '5 files' });
  await expect(files).toContainText('assets/ünïcode name.txt');
  await expect(files).toContainText('.well-known/security.txt');
  await expectAccessibleLayout(page);

  await chooseAction(rows(page).first(), 'Make live');
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText(/#2 of .+ by Lars.* goes live immediately/);
  await expectAccessibleLayout(page);
  await dialog.getByRole('button', { name: 'Make live' }).click();
  await expect(rows(page).first()).toContainText('Live');
  await expect(live(page).getByRole('heading', { name: 'Live now' })).toBeFocused();
  await expect(deploys(page).getByText('#2 is live now.')).toBeAttached();

  await page.getByRole('button', { name: 'Roll back' }).click();
  await expect(dialog).toContainText(/#1 of .+ by Lars.* goes live immediately/);
  await expectAccessibleLayout(page);
  await dialog.getByRole('button', { name: 'Roll back' }).click();
  await expect(rows(page).last()).toContainText('Live');
  await expect(rows(page).first()).toContainText('Was live');
  await expect(live(page).getByRole('heading', { name: 'Live now' })).toBeFocused();
  await expect(page.getByRole('button', { name: 'Roll back' })).toHaveCount(0);
});

test('a deploy that is not live is deleted after a confirmation', { tag: SUITE_TAG }, async ({ page }) => {
  await newApp(page, 'Deleted deploy');
  for (const count of [1, 2]) {
    await chooseArchive(page);
    await expect(rows(page)).toHaveCount(count);
    await expect(rows(page).first()).toContainText('Live');
  }
  await expect(live(page).getByRole('button', { name: 'Roll back' })).toBeVisible();
  await rows(page).first().getByRole('button', { name: 'Actions for #2' }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['Preview(new tab)', 'Roll back to #1', 'Details']);
  await expectAccessibleLayout(page);
  await page.keyboard.press('Escape');

  await chooseAction(rows(page).last(), 'Delete');
  const dialog = page.getByRole('alertdialog', { name: 'Delete #1?' });
  await expect(dialog).toContainText('Its preview stops working');
  await expectAccessibleLayout(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(rows(page)).toHaveCount(2);

  await chooseAction(rows(page).last(), 'Delete');
  await page.route('**/api/deploys/*', (route) => route.fulfill(UNAVAILABLE), { times: 1 });
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(dialog).toContainText('Your data cannot be read or saved right now');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('Live');
  await expect(deploys(page).getByText('Deleted #1.')).toBeAttached();
  await expect(deploys(page).getByRole('heading', { name: 'Deploys' })).toBeFocused();
  await expect(live(page).getByRole('button', { name: 'Roll back' })).toHaveCount(0);
});

test('the files of a large deploy are loaded in pages', { tag: SUITE_TAG }, async ({ page }) => {
  await newApp(page, 'Many files');
  const paths = Array.from({ length: 1_001 }, (_, i) => `file-${String(i).padStart(4, '0')}.txt`);
  const site = Object.fromEntries([...paths, 'index.html'].map((path) => [path, new Uint8Array(1)]));
  await chooseArchive(page, archiveOf(zipSync(site, { level: 0 })));
  await expect(rows(page)).toContainText('Live');
  await chooseAction(rows(page), 'Details');
  const files = rows(page).getByRole('list', { name: '1,002 files' });
  await expect(files.getByRole('listitem')).toHaveCount(1_000);
  await page.route('**/api/deploys/*/files?*', (route) => route.fulfill(UNAVAILABLE), { times: 1 });
  await rows(page).getByRole('button', { name: 'Show more files' }).click();
  await expect(rows(page)).toContainText('The files could not be loaded');
  await rows(page).getByRole('button', { name: 'Retry' }).click();
  await expect(files.getByRole('listitem')).toHaveCount(1_002);
  await expect(files).toContainText('index.html');
  await expect(rows(page).getByRole('button', { name: 'Show more files' })).toHaveCount(0);
});

test('a rollback that another user already made is not repeated', { tag: SUITE_TAG }, async ({ page, context }) => {
  await newApp(page, 'Overtaken');
  for (const count of [1, 2, 3, 4]) {
    await chooseArchive(page);
    await expect(rows(page)).toHaveCount(count);
    await expect(rows(page).first()).toContainText('Live');
  }
  const other = await context.newPage();
  await other.goto(page.url());
  const ask = (each: Page) => live(each).getByRole('button', { name: 'Roll back' }).click();
  const confirm = (each: Page) => each.getByRole('alertdialog').getByRole('button', { name: 'Roll back' }).click();
  const refused = deploys(page).getByRole('alert').filter({ hasText: 'Nothing was rolled back' });
  for (const each of [page, other]) await ask(each);
  await confirm(other);
  await expect(rows(other).nth(1)).toContainText('Live');
  // The other user made the same rollback.
  await confirm(page);
  await expect(rows(page).nth(1)).toContainText('Live');
  await expect(rows(page).first()).toContainText('Was live');
  await expect(live(page).getByRole('heading', { name: 'Live now' })).toBeFocused();
  await expect(refused).toHaveCount(0);

  await ask(page);
  for (const row of [2, 3]) {
    await ask(other);
    await confirm(other);
    await expect(rows(other).nth(row)).toContainText('Live');
  }
  await confirm(page);
  await expect(refused).toContainText('The live deploy has changed in the meantime.');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(rows(page).last()).toContainText('Live');
  await expect(live(page).getByRole('heading', { name: 'Live now' })).toBeFocused();
  await expectAccessibleLayout(page);
});

test('a failed rollback check is shown and can be retried', { tag: SUITE_TAG }, async ({ page }) => {
  await newApp(page, 'Untold');
  for (const count of [1, 2]) {
    await chooseArchive(page);
    await expect(rows(page)).toHaveCount(count);
    await expect(rows(page).first()).toContainText('Live');
  }
  await page.route('**/api/deploys/*', (route) => route.fulfill(UNAVAILABLE), { times: 1 });
  await page.reload();
  await expect(live(page)).toContainText('by Lars');
  await expect(live(page)).toContainText('Could not check whether a rollback is possible.');
  await expectAccessibleLayout(page);
  await live(page).getByRole('button', { name: 'Retry' }).click();
  await expect(live(page).getByRole('button', { name: 'Roll back' })).toBeVisible();
  await expect(live(page).getByRole('button', { name: 'Retry' })).toHaveCount(0);
});

test('a dropped folder is packed and deployed', async ({ page }) => {
  await newApp(page, 'Dropped');
  await inFolder({ 'docs/start.html': 'x' }, async (folder) => {
    // Anywhere on the page, also on another tab of the app.
    await openAppSettings(page);
    await dropOn(page, page.getByRole('heading', { level: 1 }), folder);
    await expect(deploys(page)).toContainText('The deploy is live');
  });
  await expect(deploys(page).getByRole('heading', { name: 'dist' })).toBeVisible();
  await expect(rows(page)).toContainText('dist');
  await expect(live(page)).toContainText('1 file');
});

/** Simulates a folder dropped from the device. */
async function dropOn(page: Page, place: Locator, path: string): Promise<void> {
  await place.scrollIntoViewIfNeeded();
  const box = await place.boundingBox();
  const point = { x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + 20 };
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devtools.send('Input.dispatchDragEvent', { type, ...point, data });
  }
}

test('a rejected archive shows its rejected files and stays in the history', { tag: SUITE_TAG }, async ({ page }) => {
  await newApp(page, 'Refused');
  const bytes = zipSync({
    '../climbs.html': new Uint8Array(1),
    'a.html': new Uint8Array(1),
    'A.html': new Uint8Array(1),
  });
  await chooseArchive(page, archiveOf(bytes));
  const entries = deploys(page).getByRole('list', { name: 'Rejected files' });
  await expect(entries).toContainText('../climbs.html');
  await expect(entries).toContainText('only in upper and lower case');
  // The same archive would be rejected again.
  await expect(deploys(page).getByRole('button', { name: 'Retry' })).toHaveCount(0);
  await expect(rows(page)).toContainText('Failed');
  await rows(page).getByRole('button', { name: '2 problems' }).click();
  await expect(rows(page).getByRole('list', { name: '2 problems' })).toContainText('../climbs.html');
  await expectAccessibleLayout(page);
  await deploys(page)
    .getByRole('button', { name: /^Dismiss/ })
    .click();
  await expect(deploys(page).getByRole('heading', { name: 'Deploys' })).toBeFocused();
  await expect(entries).toHaveCount(0);
});

test('an invalid selection is rejected before the upload', { tag: SUITE_TAG }, async ({ page }) => {
  await newApp(page, 'Unsent');
  let sent = 0;
  page.on('request', (request) => (sent += request.method() === 'POST' ? 1 : 0));
  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['photo.jpg', 'x', /photo\.jpg is not an archive/],
    ['site.rar', 'x', /cannot be unpacked here/],
    ['site.zip', 'x', /site\.zip is damaged/],
  ];
  for (const [name, content, words] of refused) {
    await chooseArchive(page, { name, mimeType: '', buffer: Buffer.from(content) });
    await expect(deploys(page).getByRole('alert').filter({ hasText: words })).toBeVisible();
  }
  await expectAccessibleLayout(page);
  expect(sent).toBe(0);
  await chooseArchive(page);
  await expect(deploys(page)).toContainText('The deploy is live');
  await expect(deploys(page).getByRole('alert').filter({ hasText: 'damaged' })).toHaveCount(0);
});

test('an upload continues on other pages and can be cancelled', async ({ page }) => {
  const app = await newApp(page, 'Called off');
  await mockUploadProgress(page, { share: 0.42 });
  await chooseArchive(page);
  await expect(deploys(page)).toContainText('Uploading…');
  await expect(deploys(page).getByRole('heading', { name: 'site.zip' })).toBeFocused();
  await expect(deploys(page).getByRole('progressbar', { name: 'Uploading…' })).toHaveAttribute('aria-valuenow', '42');
  await page.getByRole('link', { name: 'Apps', exact: true }).first().click();
  await page.getByRole('link', { name: app.name, exact: true }).click();
  await expect(deploys(page)).toContainText('Uploading…');
  await page.getByRole('button', { name: 'Activity: 1 in progress' }).click();
  await expect(page.getByRole('dialog', { name: 'Activity' })).toContainText(`Deploying ${app.name}`);
  await page.keyboard.press('Escape');
  await deploys(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(deploys(page)).toContainText('Upload cancelled');
  await expect(deploys(page).getByRole('heading', { name: 'site.zip' })).toBeFocused();
  await expectAccessibleLayout(page);
});

test('an upload that failed without a server is retried without choosing again', async ({ page }) => {
  await newApp(page, 'Again');
  await page.route(UPLOADS, (route) => route.fulfill(UNAVAILABLE), { times: 1 });
  await chooseArchive(page);
  await expect(failure(page)).toContainText('Your data cannot be read or saved right now');
  await expectAccessibleLayout(page);
  await deploys(page).getByRole('button', { name: 'Retry' }).click();
  await expect(deploys(page)).toContainText('The deploy is live');
});

test('the history is checked when the connection is lost after the last byte', async ({ page }) => {
  await newApp(page, 'Lost');
  await mockUploadProgress(page, { share: 1, thenSend: true });
  await page.route(UPLOADS, async (route) => {
    // The upload arrives, but its response is lost.
    await route.fetch();
    await route.abort();
  });
  await chooseArchive(page);
  await expect(deploys(page)).toContainText('The deploy is live');

  await page.unroute(UPLOADS);
  await page.route(UPLOADS, (route) => route.abort());
  await chooseArchive(page);
  await expect(failure(page)).toContainText('The server did not respond');
  await expect(rows(page)).toHaveCount(1);
});

test('deploys of other users are polled until they are ready', async ({ page }) => {
  const app = await newApp(page, 'Others');
  await chooseArchive(page);
  await expect(rows(page)).toContainText('Live');
  let status = 'processing';
  await page.route(`**/api/apps/${app.id}/deploys?*`, async (route) => {
    // Unlike `route.fetch`, its response can still be read when the page was reloaded meanwhile.
    const response = await page.request.fetch(route.request());
    const { items } = (await response.json()) as { items: readonly object[] };
    const other = { ...items[0], id: randomUUID(), number: 2, created_by: 'Erik', status, first_live_at: null };
    await route.fulfill({ response, json: { items: [other, ...items], next_cursor: null } });
  });
  await page.reload();
  await expect(rows(page).first()).toContainText('Processing');
  await expectAccessibleLayout(page);
  status = 'ready';
  await expect(rows(page).first()).toContainText('Preview');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test(
  'a long history is loaded in pages, and marked as outdated when a reload fails',
  { tag: SUITE_TAG },
  async ({ page }) => {
    const app = await newApp(page, 'Long');
    await chooseArchive(page);
    await expect(rows(page)).toContainText('Live');
    const list = `**/api/apps/${app.id}/deploys?*`;
    await page.route(list, async (route) => {
      const address = new URL(route.request().url());
      const isSecond = address.searchParams.has('cursor');
      address.searchParams.delete('cursor');
      const response = await page.request.fetch(address.href, { headers: route.request().headers() });
      const { items } = (await response.json()) as { items: readonly object[] };
      const before = items.map((each) => ({ ...each, id: `${isSecond}`, status: isSecond ? 'archived' : 'ready' }));
      const json = isSecond
        ? { items: before, next_cursor: null }
        : { items: [...items, ...before], next_cursor: 'further' };
      await route.fulfill({ json });
    });
    await page.reload();
    await page.getByRole('button', { name: 'Show more' }).click();
    await expect(rows(page).last()).toContainText('Archived');
    await expect(page.getByRole('button', { name: 'Show more' })).toHaveCount(0);

    await page.route('**/api/deploys/false', (route) => route.fulfill(UNAVAILABLE));
    await page.route(list, (route) => route.fulfill(UNAVAILABLE));
    await chooseAction(rows(page).nth(1), 'Make live');
    await expect(deploys(page)).toContainText('The deploy could not be made live');
    await expect(deploys(page)).toContainText('This information may be outdated.');
    await expect(rows(page)).toHaveCount(3);
    await expectAccessibleLayout(page);
    await page.unroute(list);
    // The page retries by itself as soon as the server responds again.
    await expect(deploys(page)).not.toContainText('This information may be outdated.');
    await expect(rows(page)).toHaveCount(1);
  },
);
