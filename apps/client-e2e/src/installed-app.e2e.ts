import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { addSession, signedInAt } from './app-steps';
import { uniqueDirectory, personOf, putFile } from './file-steps';
import { startReleaseServer } from './release-server';
import { expectNoSidewaysScroll, url } from './pages';
import { waitForServiceWorker } from './service-worker-steps';

const CLIENT = join(import.meta.dirname, '../../../dist/client/browser');
const PERSON = 'fay';

test.use({ serviceWorkers: 'allow' });

test('the account menu installs the app where the browser supports it', async ({ page }) => {
  await signedInAt(page, '/settings', PERSON);
  await page.getByRole('button', { name: 'Account of Fay Oduya' }).click();
  await expect(page.getByRole('menuitem', { name: 'Keyboard shortcuts' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Install app' })).toHaveCount(0);
  await page.evaluate(() => {
    const prompt = (): Promise<void> => Promise.resolve(document.body.setAttribute('data-asked', ''));
    dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt }));
  });
  await page.getByRole('menuitem', { name: 'Install app' }).click();
  await expect(page.locator('body')).toHaveAttribute('data-asked', '');
});

test('the manifest is complete, and the app can be installed', async ({ page, request }) => {
  const manifest = (await (await request.get(`${url}/manifest.webmanifest`)).json()) as {
    name: string;
    short_name: string;
    icons: { src: string; sizes: string; purpose: string }[];
    screenshots: { src: string; sizes: string; form_factor: string; label: string }[];
    shortcuts: { name: string; url: string }[];
    [key: string]: unknown;
  };
  expect(manifest).toMatchObject({
    id: '/',
    name: 'Homeport',
    short_name: 'Homeport',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    theme_color: '#0a0a0a',
    background_color: '#0a0a0a',
    share_target: { action: '/share', method: 'GET' },
  });
  expect(manifest.shortcuts.map(({ name }) => name)).toEqual(['Files', 'New file', 'Apps']);
  expect(manifest.icons.map(({ purpose }) => purpose).sort()).toEqual(['any', 'any', 'maskable']);
  expect(new Set(manifest.screenshots.map(({ form_factor }) => form_factor))).toEqual(new Set(['wide', 'narrow']));
  for (const { src, sizes } of [...manifest.icons, ...manifest.screenshots]) {
    const picture = await (await request.get(`${url}/${src}`)).body();
    // The first chunk of a PNG contains its size.
    expect(`${picture.readUInt32BE(16)}x${picture.readUInt32BE(20)}`, src).toBe(sizes);
  }
  await page.goto(`${url}/login`);
  const { errors } = await (await page.context().newCDPSession(page)).send('Page.getAppManifest');
  expect(errors).toEqual([]);
});

test('the app can be installed, starts offline and caches no API responses', async ({ playwright }, {
  project,
  outputDir,
}) => {
  const context = await playwright.chromium.launchPersistentContext(join(outputDir, 'profile'), {
    viewport: project.use.viewport ?? null,
    ...project.use.launchOptions,
  });
  const page = await context.newPage();
  await signedInAt(page, '/files', PERSON);
  await expect(page.getByRole('heading', { level: 1, name: 'Files' })).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready);
  const session = await context.newCDPSession(page);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  expect(installabilityErrors).toEqual([]);

  const cached = () =>
    page.evaluate(async () => {
      const addresses = [];
      for (const name of await caches.keys()) {
        for (const { url: address } of await (await caches.open(name)).keys())
          addresses.push(new URL(address).pathname);
      }
      return addresses;
    });
  await page.reload();
  await waitForServiceWorker(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Files' })).toBeVisible();
  expect((await cached()).filter((path) => /^\/(api|auth|v1)\b/.test(path))).toEqual([]);

  await context.setOffline(true);
  await page.goto(`${url}/apps`);
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Files' })).toBeVisible();
  await expect(page.getByText(/^(Offline|Server unreachable)$/)).toBeVisible();
  await expectNoSidewaysScroll(page);
  await context.close();
});

interface WorkerFiles {
  readonly assetGroups: readonly { readonly name: string; readonly urls: readonly string[] }[];
}

test('the download for an installation is small and contains no developer pages', async () => {
  const { assetGroups } = JSON.parse(await readFile(join(CLIENT, 'ngsw.json'), 'utf8')) as WorkerFiles;
  const shell = assetGroups.find(({ name }) => name === 'shell')?.urls ?? [];
  expect(shell).toContain('/index.html');
  expect(shell.filter((path) => /dist-|\/de-|logs-page|usage-page|pdf|sandbox|vendor|screenshots/.test(path))).toEqual(
    [],
  );
  expect(shell.join()).toMatch(/file-browser-.*file-editor-.*file-viewer-.*settings-/);
  const sizes = await Promise.all(shell.map(async (path) => (await readFile(join(CLIENT, path))).length));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_850_000);

  for (const name of await readdir(CLIENT)) {
    if (!/\.(js|css|html|json)$/.test(name)) continue;
    expect(await readFile(join(CLIENT, name), 'utf8'), name).not.toMatch(/dev\/ui-gallery|hp-ui-gallery/);
  }
});

test('a new version is offered during editing, and its reload keeps the text', async ({ page }) => {
  const product = await startReleaseServer();
  try {
    const key = `${uniqueDirectory('update')}/note.md`;
    await addSession(page, personOf(test.info()));
    await putFile(page, key, 'stored');
    await page.goto(`${product.url}/edit/${key}`);
    await waitForServiceWorker(page);
    // Only a page served by the service worker can have an outdated version.
    await page.reload();
    const text = page.locator('.cm-content');
    await expect(text).toHaveText('stored');

    product.publishRelease();
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect(page.getByText('A new version is ready.')).toBeVisible();
    await text.click();
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.type('kept ');
    await expect(page.locator('html')).not.toHaveAttribute('data-release');
    await page.getByRole('button', { name: 'Reload' }).click();

    await expect(page.locator('html')).toHaveAttribute('data-release', 'next');
    await expect(page.getByText(/Restored unsaved changes/)).toBeVisible();
    await expect(text).toHaveText('kept stored');
  } finally {
    await product.close();
  }
});
