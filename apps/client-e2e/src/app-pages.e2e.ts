import { expect, test } from '@playwright/test';
import {
  cnameOf,
  dnsSection,
  expectAccessibleLayout,
  openAppSettings,
  registerApp,
  signedInAt,
  UNAVAILABLE,
  uniqueName,
} from './app-steps';
import { url } from './pages';
import { SUITE_TAG } from './suites';

test(
  'an app is deleted after its name is typed, and the outcome for its DNS record is shown',
  { tag: '@phone' },
  async ({ page }) => {
    await signedInAt(page, '/apps');
    const app = await registerApp(page, uniqueName('Two  Spaces'));
    await openAppSettings(page);
    await page.getByRole('button', { name: 'Delete app' }).click();
    const dialog = page.getByRole('alertdialog');
    const button = dialog.getByRole('button', { name: 'Delete app' });
    await expect(dialog).toContainText(`${app.hostname} stops working: its DNS record is removed.`);
    await expect(button).toBeDisabled();
    await dialog.getByRole('textbox').fill(app.name.slice(0, -1));
    await expect(button).toBeDisabled();
    await dialog.getByRole('textbox').fill(app.name);
    await expectAccessibleLayout(page);

    let isUnavailable = true;
    await page.route(`**/api/apps/${app.id}`, (route) => {
      if (route.request().method() !== 'DELETE' || !isUnavailable) return route.fallback();
      isUnavailable = false;
      return route.fulfill(UNAVAILABLE);
    });
    await button.click();
    await expect(dialog.getByRole('alert')).toContainText('Your data cannot be read or saved right now');
    await button.click();
    await expect(page).toHaveURL(`${url}/apps`);
    await expect(page.getByText(/and its DNS record\.$/)).toBeVisible();
    await expect(page.getByRole('link', { name: app.hostname })).toHaveCount(0);
    expect(await cnameOf(app.hostname)).toBe('ENOTFOUND');

    const other = await registerApp(page, uniqueName('Dangling'));
    await openAppSettings(page);
    const answered = Promise.withResolvers<undefined>();
    await page.route(`**/api/apps/${other.id}`, async (route) => {
      if (route.request().method() !== 'DELETE') return route.fallback();
      await answered.promise;
      return route.fulfill({ json: { id: other.id, deleted: true, dns: 'dangling', archived_deploys: 0 } });
    });
    await page.getByRole('button', { name: 'Delete app' }).click();
    await dialog.getByRole('textbox').fill(other.name);
    await button.click();
    // The deletion is running, so Escape does not close the dialog.
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Cancel' }).click({ force: true });
    await expect(dialog.getByRole('button', { name: 'Working…' })).toBeVisible();
    answered.resolve(undefined);
    await expect(page.getByText('is not removed yet; the removal is retried automatically.')).toBeVisible();
  },
);

test(
  'a missing or foreign app shows an error with a link back',
  { tag: SUITE_TAG },
  async ({ page, browser }, { project }) => {
    const { viewport = null } = project.use;
    const other = await (await browser.newContext({ viewport, serviceWorkers: 'block' })).newPage();
    await signedInAt(other, '/apps', 'hank');
    const { id } = await registerApp(other, uniqueName('Theirs'));
    await other.context().close();

    await signedInAt(page, '/apps/no-such-app');
    for (const each of ['no-such-app', '00000000-0000-4000-8000-000000000000', id]) {
      await page.goto(`${url}/apps/${each}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('App not found');
      await expect(page.getByText('no app at this address')).toBeVisible();
      await expectAccessibleLayout(page);
    }
    await page.getByRole('link', { name: 'See your apps' }).click();
    await expect(page).toHaveURL(`${url}/apps`);
  },
);

test('the app page shows a load error and recovers', async ({ page }) => {
  await signedInAt(page, '/apps');
  const { id, name } = await registerApp(page, uniqueName('Recovers'));
  await page.route('**/api/apps**', (route) => route.fulfill(UNAVAILABLE));
  await page.route(`**/api/apps/${id}`, (route) => route.fulfill(UNAVAILABLE));
  await page.goto(`${url}/apps/${id}`);
  await expect(page.getByRole('alert')).toContainText('This app could not be loaded');
  await expectAccessibleLayout(page);
  await page.goto(`${url}/apps`);
  await expect(page.getByRole('alert')).toContainText('Your apps could not be loaded');
  await page.goto(`${url}/apps/${id}/settings`);
  await expect(page.getByRole('alert')).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  await expect(dnsSection(page)).toContainText('DNS active');
});
