import { expect, type Locator, type Page, test } from '@playwright/test';
import { zipSync } from 'fflate';
import {
  type AppBody,
  accessTokenOf,
  expectAccessibleLayout,
  registerApp,
  rowOf,
  signedInAt,
  uniqueName,
} from './app-steps';
import { archiveOf, chooseArchive } from './deploy-steps';
import { url } from './pages';

// The service worker would bypass the page's routes.
test.use({ serviceWorkers: 'block' });

const site = (path: string) => archiveOf(zipSync({ [path]: new TextEncoder().encode('<h1>Hello</h1>') }));
const WITHOUT_INDEX = site('docs/start.html');

const deploys = (page: Page): Locator => page.getByRole('region', { name: 'Deploys' });
const card = (page: Page): Locator => page.locator('hp-upload-card');
const live = (page: Page): Locator => page.locator('hp-live-deploy');
const rows = (page: Page): Locator => page.locator('hp-deploy-row');
const status = (page: Page): Locator => page.getByRole('region', { name: 'Overview' }).locator('hp-status-badge');

async function newApp(page: Page, words: string): Promise<AppBody> {
  await signedInAt(page, '/apps', 'dora');
  const app = await registerApp(page, uniqueName(words));
  await page.goto(`${url}/apps/${app.id}`);
  await expect(deploys(page)).toContainText('Nothing is deployed yet');
  return app;
}

test(
  'a deploy that takes a working site down is held back until the person insists',
  { tag: '@phone' },
  async ({ page }) => {
    const app = await newApp(page, 'Held back');
    await expect(status(page)).toHaveText('No deploy');
    await chooseArchive(page);
    await expect(status(page)).toHaveText('Live');
    await chooseArchive(page, WITHOUT_INDEX);
    await expect(card(page)).toContainText('No index.html found. The deploy is not live.');
    await expect(card(page)).toContainText('People still see the previous deploy.');
    await expect(card(page).getByRole('link', { name: 'Preview' })).toHaveAttribute('href', /pv--/);
    await expect(live(page)).toContainText('Live now · #1');
    await expect(rows(page).first()).toContainText('Ready');
    await expectAccessibleLayout(page);

    await card(page).getByRole('button', { name: 'Go live anyway' }).click();
    await expect(card(page)).toContainText('The deploy is live, but has no start page');
    await expect(live(page)).toContainText('Live without a start page · #2');
    await expect(live(page)).toContainText('people who open the app see “Not found”');
    await expect(status(page)).toHaveText('Problem');
    await expect(rows(page).first()).toContainText('1 problem found');
    await expect(rows(page).last()).toContainText('Was live');
    await expectAccessibleLayout(page);

    // The question names the missing page too.
    await live(page).getByRole('button', { name: 'Roll back' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Roll back' }).click();
    await expect(status(page)).toHaveText('Live');
    await rows(page).first().getByRole('button', { name: 'Make live' }).click();
    await expect(page.getByRole('alertdialog')).toContainText('There is no index.html');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    await expect(live(page)).toContainText('Live now · #1');
    await page.goto(`${url}/apps`);
    await expect(rowOf(page, app.name)).toContainText('Live');
  },
);

test('a first deploy without a start page is live and says what people see', async ({ page }) => {
  await newApp(page, 'First broken');
  await chooseArchive(page, WITHOUT_INDEX);
  await expect(card(page)).toContainText('The deploy is live, but has no start page');
  await expect(live(page).getByRole('heading')).toHaveText(/Live without a start page/);
  await expect(status(page)).toHaveText('Problem');
  await expectAccessibleLayout(page);
});

test('the deploys have numbers and the names of their files, until one is deleted', async ({ page }) => {
  await newApp(page, 'Numbered');
  for (const count of [1, 2, 3]) {
    await chooseArchive(page, { ...site('index.html'), name: `build-${count}.zip` });
    await expect(rows(page)).toHaveCount(count);
    await expect(rows(page).first()).toContainText(`#${count}`);
  }
  await expect(rows(page)).toContainText([/#3[^]+build-3\.zip/, /#2[^]+build-2\.zip/, /#1[^]+build-1\.zip/]);
  await expect(page.getByRole('region', { name: 'Overview' })).toContainText(/Live\s*#3/);
  // The API knows neither the names nor the numbers.
  await page.reload();
  await expect(rows(page).first()).toContainText('#3');
  await expect(rows(page).first()).not.toContainText('build-3.zip');
  await rows(page)
    .nth(1)
    .getByRole('button', { name: /^Delete/ })
    .click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(rows(page)).toHaveCount(2);
  await page.reload();
  await expect(rows(page).first()).toContainText('Live');
  await expect(rows(page).filter({ hasText: '#' })).toHaveCount(0);
});

test('the page shows what another member activated', async ({ page }) => {
  await newApp(page, 'Watched');
  await chooseArchive(page);
  await expect(rows(page)).toContainText('Live');
  await page.getByLabel('Make it live when ready').uncheck();
  await chooseArchive(page);
  await expect(rows(page)).toHaveCount(2);
  const preview = await rows(page).first().getByRole('link', { name: 'Preview' }).getAttribute('href');
  const id = /pv--(\w{8})(\w{4})(\w{4})(\w{4})(\w{12})/
    .exec(preview ?? '')
    ?.slice(1)
    .join('-');
  const headers = { authorization: `Bearer ${await accessTokenOf(page)}` };
  expect((await page.request.post(`${url}/api/deploys/${id}/activate`, { headers })).status()).toBe(200);
  await expect(rows(page).first()).toContainText('Live');
  await expect(rows(page).last()).toContainText('Was live');
  await expect(live(page)).toContainText('Live now · #2');
});

test('nothing is green while the DNS record fails', async ({ page }) => {
  const app = await newApp(page, 'Unreachable');
  await chooseArchive(page);
  await expect(live(page)).toContainText('Live now');
  const error = { code: 'zone-missing', message: 'No.', retryable: false, attempts: 1, next_attempt_at: null };
  await page.route(`**/api/apps/${app.id}`, async (route) => {
    const response = await page.request.fetch(route.request());
    const body = (await response.json()) as object;
    return route.fulfill({ response, json: { ...body, dns_status: 'dns-failed', dns_error: error } });
  });
  await page.reload();
  await expect(live(page).getByRole('heading')).toHaveText(/Deployed, but DNS failed/);
  await expect(status(page)).toHaveText('Problem');
  await expect(page.getByText('Live now')).toHaveCount(0);
  await expect(page.locator('hp-status-badge.ok, .status.ok')).toHaveCount(0);
  await expectAccessibleLayout(page);
});

test('a rejected archive is explained in German', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'de-DE', serviceWorkers: 'block' });
  const page = await context.newPage();
  await signedInAt(page, '/apps', 'dora');
  const name = uniqueName('Deutsch');
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Registrieren' }).click();
  await page.getByRole('link', { name, exact: true }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Archiv wählen' }).click();
  await (await chooser).setFiles(site('../climbs.html'));
  const sentence = '„../climbs.html“: Der Name führt mit „..“ aus der Website hinaus.';
  await expect(card(page).getByRole('alert')).toContainText(sentence);
  await expect(rows(page)).toContainText(sentence);
  await context.close();
});
