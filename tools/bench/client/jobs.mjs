import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { seed } from '../bench-fixture.mjs';

/**
 * The jobs. `peer` is what the best peer needs, `best` says it in words (measured on 22 November 2026). `run` begins
 * with preparations that do not count, checks the outcome and returns the milliseconds that the job took.
 */
export const JOBS = [
  {
    name: 'sign in and return to a deep link',
    peer: { clicks: 1 },
    best: '1 click, on the provider used last',
    async run({ page, hand, url, fixture }) {
      await seed(fixture, ['deep/link.md']);
      // The provider was used before on this device, and its session continues.
      await page.context().clearCookies();
      await page.goto(`${url}/signin`);
      await page.getByRole('link', { name: 'Continue with Northwind' }).click();
      await page.getByRole('button', { name: /Ada Park/ }).click();
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      await page.context().clearCookies({ name: /homeport_/ });
      return timed(async () => {
        await page.goto(`${url}/view/deep/link.md`);
        await hand.click(page.getByRole('link', { name: /Last used/ }));
        await page.getByRole('heading', { level: 1, name: 'link.md' }).waitFor();
      });
    },
  },
  {
    name: 'upload a folder of 340 files, 29 MB',
    peer: { clicks: 2 },
    best: '2 clicks + 1 picker',
    async run({ page, hand, url, fixture, folder, folderFiles }) {
      await home(page, url);
      return timed(async () => {
        await hand.click(page.getByRole('button', { name: 'Upload', exact: true }));
        await hand.pick(page.getByRole('menuitem', { name: 'Upload folder' }), folder);
        await until(async () => (await listed(fixture, 'photos/')).length === folderFiles);
      });
    },
  },
  {
    name: 'open a file by name',
    peer: { keys: 7 },
    best: 'Ctrl+K, 5 keys, Enter',
    async run({ page, hand, url, fixture }) {
      await seed(fixture, ['reports/zebra crossing.md', 'reports/other.md']);
      await home(page, url);
      return timed(async () => {
        await hand.press('Control+k');
        await hand.type('zebra');
        await page.getByRole('option', { name: /zebra crossing/ }).waitFor();
        await hand.press('Enter');
        await page.getByRole('heading', { level: 1, name: 'zebra crossing.md' }).waitFor();
      });
    },
  },
  {
    name: 'edit and save Markdown',
    peer: { clicks: 1 },
    best: '0–1 click, saved while typing',
    async run({ page, hand, url, fixture }) {
      await seed(fixture, ['notes/edit.md']);
      // The person has chosen "Save while typing" on this device. Without it, Ctrl+S saves, which is one key.
      await page.addInitScript(() => localStorage.setItem('homeport.autosave', 'on'));
      await page.goto(`${url}/view/notes/edit.md`);
      await page.getByRole('heading', { level: 1, name: 'edit.md' }).waitFor();
      return timed(async () => {
        await hand.click(page.getByRole('link', { name: 'Edit', exact: true }));
        await page.locator('.cm-content:focus').waitFor();
        await hand.write('Typed. ');
        await until(async () => (await content(fixture, 'notes/edit.md')).includes('Typed. '));
      });
    },
  },
  {
    name: 'move a contiguous range',
    peer: { clicks: 2, drags: 1 },
    best: '2 clicks + 1 drag',
    async run({ page, hand, url, fixture }) {
      await seed(fixture, ['range/target/kept.md', ...[1, 2, 3, 4, 5].map((at) => `range/file ${at}.md`)]);
      await page.goto(`${url}/files/range`);
      const row = (name) => page.getByRole('row').filter({ hasText: name });
      return timed(async () => {
        await hand.click(row('file 2.md').getByRole('checkbox'));
        await hand.click(row('file 4.md').getByRole('checkbox'), ['Shift']);
        await hand.drag(row('file 3.md'), row('target'));
        await until(async () => (await listed(fixture, 'range/target/')).length === 4);
      });
    },
  },
  {
    name: 'delete and undo',
    peer: { clicks: 3 },
    best: '2 + 1 clicks',
    async run({ page, hand, url, fixture }) {
      await seed(fixture, ['undo/one.md', 'undo/two.md']);
      await page.goto(`${url}/files/undo`);
      const row = page.getByRole('row').filter({ hasText: 'one.md' });
      return timed(async () => {
        await hand.click(row.getByRole('checkbox'));
        await hand.click(page.getByRole('button', { name: 'Delete', exact: true }));
        await row.waitFor({ state: 'detached' });
        await hand.click(page.getByRole('button', { name: 'Undo' }));
        await row.waitFor();
      });
    },
  },
  {
    name: 'download a folder',
    peer: { clicks: 2 },
    best: '2 clicks, a zip file',
    async run({ page, hand, url, fixture }) {
      await seed(fixture, ['folder/one.md', 'folder/deep/two.md']);
      await page.goto(`${url}/files`);
      const row = page.getByRole('row').filter({ hasText: 'folder' });
      return timed(async () => {
        await hand.click(row.getByRole('checkbox'));
        const started = page.waitForEvent('download');
        await hand.click(page.getByRole('button', { name: 'Download', exact: true }));
        const download = await started;
        const bytes = await buffer(createReadStream(await download.path()));
        if (!download.suggestedFilename().endsWith('.zip') || bytes.readUInt32LE(0) !== 0x04034b50)
          throw new Error('the download is not a zip file');
      });
    },
  },
  {
    name: 'deploy a folder',
    peer: { drags: 1 },
    best: '1 drag',
    async run({ page, hand, url, fixture, site }) {
      const app = await registeredApp(fixture, 'Deployed by a drag');
      await page.goto(`${url}/apps/${app.id}`);
      await page.getByRole('heading', { level: 1, name: app.name }).waitFor();
      return timed(async () => {
        await hand.dropOnPage(site);
        await until(async () => (await readApp(fixture, app.id)).active_deploy_id !== null);
      });
    },
  },
  {
    name: 'roll a deploy back',
    peer: { clicks: 3 },
    best: '3 clicks',
    async run({ page, hand, url, fixture, site, nextSite }) {
      const app = await registeredApp(fixture, 'Rolled back');
      await page.goto(`${url}/apps/${app.id}`);
      await page.getByRole('heading', { level: 1, name: app.name }).waitFor();
      const live = async () => (await readApp(fixture, app.id)).active_deploy_id;
      const preparation = new hand.constructor(page);
      await preparation.dropOnPage(site);
      await until(async () => (await live()) !== null);
      const first = await live();
      await page.reload();
      await page.getByRole('heading', { level: 1, name: app.name }).waitFor();
      await preparation.dropOnPage(nextSite);
      await until(async () => (await live()) !== first);
      return timed(async () => {
        await hand.click(page.getByRole('button', { name: /^Roll back/ }).first());
        await hand.click(page.getByRole('alertdialog').getByRole('button', { name: /^Roll back/ }));
        await until(async () => (await live()) === first);
      });
    },
  },
];

const POLL_MS = 100;
const MAX_POLLS = 400;

async function timed(run) {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

async function until(isDone) {
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    if (await isDone()) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error('the outcome did not appear on the server');
}

async function home(page, url) {
  await page.goto(url);
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.waitForLoadState('networkidle');
}

async function call({ ours }, path, init = {}) {
  const response = await fetch(ours.url + path, { ...init, headers: { ...ours.headers, ...init.headers } });
  if (!response.ok) throw new Error(`${init.method ?? 'GET'} ${path}: ${response.status}`);
  return response;
}

async function listed(fixture, prefix) {
  const { items } = await (await call(fixture, `/api/files?${new URLSearchParams({ prefix, limit: '1000' })}`)).json();
  return items;
}

async function content(fixture, key) {
  return (await call(fixture, `/api/files/${key}`)).text();
}

async function registeredApp(fixture, name) {
  const body = JSON.stringify({ name, type: 'static' });
  const headers = { 'content-type': 'application/json' };
  return (await call(fixture, '/api/apps', { method: 'POST', headers, body })).json();
}

async function readApp(fixture, id) {
  return (await call(fixture, `/api/apps/${id}`)).json();
}
