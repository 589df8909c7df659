import { expect, type Page, test } from '@playwright/test';
import { addSession, registerApp, signedInAt, uniqueName } from './app-steps';
import { putFile } from './file-steps';
import { collectPageErrors, expectAccessible, expectNoSidewaysScroll, url } from './pages';
import { SUITE_TAG } from './suites';

const PERSON = 'fay';
const NAVIGATION_LABELS = ['Home', 'Files', 'Apps', 'Usage', 'Pricing', 'Settings'];

function navigation(page: Page) {
  return page.getByRole('navigation', { name: 'Main' });
}

test('the navigation shows labels, icons on narrow screens, and tabs on a phone', async ({ page }) => {
  const errors = collectPageErrors(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await signedInAt(page, '/apps', PERSON);
  await expect(page.getByRole('heading', { level: 1, name: 'Apps' })).toBeVisible();
  for (const [width, rail] of [
    [1280, 224],
    [800, 64],
    [390, 390],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    for (const name of NAVIGATION_LABELS)
      await expect(navigation(page).getByRole('link', { name, exact: true })).toBeVisible();
    const box = await navigation(page).boundingBox();
    expect(box?.width).toBe(rail);
    expect(box?.y).toBe(width === 390 ? 800 - 57 : 0);
    await expect(navigation(page).getByRole('link', { name: 'Apps' })).toHaveAttribute('aria-current', 'page');
    await expect(page.getByRole('button', { name: 'Search' })).toBeVisible();
    await expectNoSidewaysScroll(page);
  }
  await expectAccessible(page);
  expect(errors).toEqual([]);
});

test('the whole frame can be used with the keyboard', async ({ page }) => {
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

  // Not waiting for the palette, which is loaded now: no letter is lost.
  await page.keyboard.press('/');
  await page.keyboard.type('pric');
  await expect(page.getByRole('combobox')).toHaveValue('pric');
  await expect(page.getByRole('option', { name: 'Pricing' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${url}/pricing`);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  await page.getByRole('button', { name: 'Account of Fay Oduya' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(`${url}/login`);
  await expect(navigation(page).getByRole('link', { name: 'Files' })).toHaveCount(0);
});

test('the palette finds a file, an app and a page, and reports no results', async ({ page }) => {
  await signedInAt(page, '/apps', PERSON);
  const app = uniqueName('Palette');
  await registerApp(page, app);
  const file = `${uniqueName('found')}.md`;
  await putFile(page, `reports/deep/${file}`, '# Found');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: app })).toBeVisible();

  const palette = page.getByRole('dialog', { name: 'Search' });
  const field = palette.getByRole('combobox');
  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await expect(palette.getByRole('option', { name: 'Home' })).toHaveAttribute('aria-selected', 'true');
  await expectAccessible(page);

  await field.fill(`zzz ${file}`);
  await expect(page.getByText(`Nothing found for “zzz ${file}”.`)).toBeVisible();
  await expectAccessible(page);

  await field.fill('new app');
  await expect(palette.getByRole('option', { name: 'New app' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'New app' }).getByLabel('Name')).toBeFocused();
  await expect(page).toHaveURL(`${url}/apps`);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');

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

test('a failed palette source is shown and can be retried', async ({ browser }, { project }) => {
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

test('the chosen theme is applied before the first paint', async ({ page }) => {
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

test('a lost connection and its return are each announced once', { tag: SUITE_TAG }, async ({ page, context }) => {
  await signedInAt(page, '/apps', PERSON);
  await expect(page.getByRole('heading', { level: 1, name: 'Apps' })).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText('Offline', { exact: true })).toHaveCount(1);
  await expectAccessible(page);
  await context.setOffline(false);
  await expect(page.getByText('Back online')).toBeVisible();
  await expect(page.getByText('Back online')).toHaveCount(0);
});

test('a long path collapses into a menu with all steps', async ({ page }) => {
  await addSession(page, PERSON);
  await putFile(page, 'one/two/three/four/deep.md', '# Deep');
  await page.goto(`${url}/view/one/two/three/four/deep.md`);
  const way = page.getByRole('navigation', { name: 'You are here' });
  const steps = way.getByRole('listitem').filter({ visible: true });
  for (const [width, shown] of [
    [1280, ['Files', '', 'three', 'four', 'deep.md']],
    [390, ['', 'four', 'deep.md']],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await expect(steps).toHaveText(shown);
    await way.getByRole('button', { name: 'Show the whole path' }).click();
    await expect(page.getByRole('menuitem')).toHaveText(['Files', 'one', 'two', 'three', 'four']);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
  }
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'two' }).click();
  await expect(page).toHaveURL(`${url}/files/one/two`);
  await expect(steps).toHaveText(['', 'one', 'two']);
  await page.goto(`${url}/files/one`);
  await expect(steps).toHaveText(['Files', 'one']);
  // The heading says it.
  await page.goto(`${url}/files`);
  await expect(page.getByRole('heading', { name: 'Files', level: 1 })).toBeVisible();
  await expect(way).toHaveCount(0);
});
