import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { newName, registered, signedInAt } from './app-steps';
import { collectComplaints, expectAccessible, expectNoSidewaysScroll, url } from './pages';

const CLIENT = join(import.meta.dirname, '../../../dist/client/browser');
const PERSON = 'fay';
const PLACES = ['Home', 'Files', 'Apps', 'Pricing', 'Settings'];

async function put(page: Page, path: string, text: string): Promise<void> {
  await page.evaluate(
    async ([to, body]) => {
      const { access_token: token } = (await (await fetch('/auth/session')).json()) as { access_token: string };
      await fetch(`/api/files/${to}`, {
        method: 'PUT',
        body: new Blob([body]),
        headers: { authorization: `Bearer ${token}` },
      });
    },
    [path, text] as const,
  );
}

function places(page: Page) {
  return page.getByRole('navigation', { name: 'Main' });
}

test('the frame has words at the left, drawings when it is narrow, and tabs on a phone', async ({ page }) => {
  const complaints = collectComplaints(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await signedInAt(page, '/apps', PERSON);
  await expect(page.getByRole('heading', { level: 1, name: 'Apps' })).toBeVisible();
  for (const [width, rail] of [
    [1280, 224],
    [800, 64],
    [390, 390],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    for (const name of PLACES) await expect(places(page).getByRole('link', { name, exact: true })).toBeVisible();
    const box = await places(page).boundingBox();
    expect(box?.width).toBe(rail);
    expect(box?.y).toBe(width === 390 ? 800 - 57 : 0);
    await expect(places(page).getByRole('link', { name: 'Apps' })).toHaveAttribute('aria-current', 'page');
    await expect(page.getByRole('button', { name: 'Search' })).toBeVisible();
    await expectNoSidewaysScroll(page);
  }
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});

test('everything of the frame is reached and left by keys', async ({ page }) => {
  await signedInAt(page, '/settings', PERSON);
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();

  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toBeFocused();

  const theme = page.getByRole('button', { name: 'Theme', exact: true });
  await theme.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitemradio', { name: 'System' })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(theme).toBeFocused();

  await page.keyboard.press('Tab');
  const account = page.getByRole('button', { name: 'Account of Fay Oduya' });
  await expect(account).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Settings' })).toBeFocused();
  await expect(page.getByText('fay@northwind.example').last()).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(account).toBeFocused();

  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
  await expect(account).toBeFocused();

  await page.keyboard.press('/');
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('pric');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${url}/pricing`);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  await page.getByRole('button', { name: 'Account of Fay Oduya' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(`${url}/login`);
  await expect(places(page).getByRole('link', { name: 'Files' })).toHaveCount(0);
});

test('the palette finds a file, an app and a page, and says when it finds nothing', async ({ page }) => {
  await signedInAt(page, '/apps', PERSON);
  const app = newName('Palette');
  await registered(page, app);
  const file = `${newName('found')}.md`;
  await put(page, `reports/deep/${encodeURIComponent(file)}`, '# Found');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Apps' })).toBeVisible();

  const palette = page.getByRole('dialog', { name: 'Search' });
  const field = palette.getByRole('combobox');
  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await expect(palette.getByRole('option', { name: 'Home' })).toHaveAttribute('aria-selected', 'true');
  await expectAccessible(page);

  await field.fill(`zzz ${file}`);
  await expect(page.getByText(`Nothing found for “zzz ${file}”.`)).toBeVisible();
  await expectAccessible(page);

  await field.fill(app.toLowerCase());
  await expect(palette.getByRole('option', { name: app })).toBeVisible();

  await field.fill(file.slice(0, -3));
  await expect(palette.getByRole('option', { name: file })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Escape');
  await expect(field).toHaveCount(0);

  await page.keyboard.press('Control+k');
  await field.fill(file);
  await expect(palette.getByRole('option', { name: file })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/view\/reports\/deep\//);
});

test('a source of the palette that fails says so, and works again', async ({ browser }, { project }) => {
  const { viewport = null } = project.use;
  const page = await (await browser.newContext({ viewport, serviceWorkers: 'block' })).newPage();
  await signedInAt(page, '/settings', PERSON);
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await page.route('**/api/apps*', (route) => route.fulfill({ status: 503, body: '{}' }));
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('settings');
  await expect(page.getByText('Apps could not be searched.')).toBeVisible();
  await expect(page.getByRole('option', { name: 'Settings' })).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/api/apps*');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('Apps could not be searched.')).toHaveCount(0);
  await page.context().close();
});

test('a theme that was chosen is there before anything is painted the next time', async ({ page }) => {
  await signedInAt(page, '/settings', PERSON);
  const shown = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  for (const [name, color] of [
    ['Light', 'rgb(250, 250, 250)'],
    ['Dark', 'rgb(10, 10, 10)'],
  ] as const) {
    await page.getByRole('button', { name: 'Theme', exact: true }).click();
    await page.getByRole('menuitemradio', { name }).click();
    expect(await shown()).toBe(color);
    await page.reload({ waitUntil: 'domcontentloaded' });
    expect(await shown()).toBe(color);
    await expect(page.locator('html')).toHaveAttribute('data-theme', name.toLowerCase());
  }
  await page.getByRole('button', { name: 'Theme', exact: true }).click();
  await page.getByRole('menuitemradio', { name: 'System' }).click();
});

test('where the browser lets a page ask, the account menu installs the app', async ({ page }) => {
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

test('losing the connection is said once, and so is its return', async ({ page, context }) => {
  await signedInAt(page, '/apps', PERSON);
  await expect(page.getByRole('heading', { level: 1, name: 'Apps' })).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText('Offline', { exact: true })).toHaveCount(1);
  await expectAccessible(page);
  await context.setOffline(false);
  await expect(page.getByText('Back online')).toBeVisible();
  await expect(page.getByText('Back online')).toHaveCount(0);
});

/** Adds up what moved by itself, as browsers report it. */
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = window as unknown as { shifts: number; moved: string[] };
    seen.shifts = 0;
    seen.moved = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources: { node: Element | null }[];
      })[]) {
        if (entry.hadRecentInput) continue;
        seen.shifts += entry.value;
        seen.moved.push(...entry.sources.map(({ node }) => `${node?.nodeName}.${node?.className}`));
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

async function expectNothingMoves(page: Page, path: string): Promise<void> {
  await page.goto(url + path);
  await expect(page.locator('h1').first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  const { shifts, moved } = await page.evaluate(() => {
    const seen = window as unknown as { shifts: number; moved: string[] };
    return { shifts: seen.shifts, moved: seen.moved };
  });
  expect(shifts, `${path}: ${moved.join(', ')}`).toBeLessThanOrEqual(0.02);
}

test('nothing moves while a page comes, for whoever comes for the first time or again', async ({ page }) => {
  await watchShifts(page);
  for (const path of ['/login', '/signin', '/pricing', '/no/such/page']) await expectNothingMoves(page, path);
  await signedInAt(page, '/pricing', PERSON);
  await expect(page.getByRole('button', { name: 'Account of Fay Oduya' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(await page.evaluate(() => (window as unknown as { shifts: number }).shifts)).toBeLessThanOrEqual(0.02);
  await put(page, 'reports/still.md', '# Still');
  for (const path of ['/', '/files', '/files/reports', '/view/reports/still.md', '/apps', '/pricing', '/settings']) {
    await expectNothingMoves(page, path);
  }
});

test('the manifest says all that an app says of itself, and the app can be installed', async ({ page, request }) => {
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
    // The first chunk of a PNG tells its size.
    expect(`${picture.readUInt32BE(16)}x${picture.readUInt32BE(20)}`, src).toBe(sizes);
  }
  await page.goto(`${url}/login`);
  const { errors } = await (await page.context().newCDPSession(page)).send('Page.getAppManifest');
  expect(errors).toEqual([]);
});

test('the app can be installed, starts without a connection, and keeps nothing of the API', async ({ playwright }, {
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
  await expect.poll(cached).toContain('/index.html');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Files' })).toBeVisible();
  expect((await cached()).filter((path) => /^\/(api|auth|v1)\b/.test(path))).toEqual([]);

  await context.setOffline(true);
  await page.goto(`${url}/apps`);
  await expect(places(page).getByRole('link', { name: 'Files' })).toBeVisible();
  await expect(page.getByText(/^(Offline|Server unreachable)$/)).toBeVisible();
  await expectNoSidewaysScroll(page);
  await context.close();
});

interface WorkerFiles {
  readonly assetGroups: readonly { readonly name: string; readonly urls: readonly string[] }[];
}

test('what is loaded with an installation is small, and pages for developers are not there', async () => {
  const { assetGroups } = JSON.parse(await readFile(join(CLIENT, 'ngsw.json'), 'utf8')) as WorkerFiles;
  const shell = assetGroups.find(({ name }) => name === 'shell')?.urls ?? [];
  expect(shell).toContain('/index.html');
  expect(shell.filter((path) => /editor|dist-|index-|pdf|sandbox|vendor|screenshots/.test(path))).toEqual([]);
  const sizes = await Promise.all(shell.map(async (path) => (await readFile(join(CLIENT, path))).length));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_600_000);

  for (const name of await readdir(CLIENT)) {
    if (!/\.(js|css|html|json)$/.test(name)) continue;
    expect(await readFile(join(CLIENT, name), 'utf8'), name).not.toMatch(/dev\/pieces|hp-pieces/);
  }
});
