import { expect, type Locator, type Page, test } from '@playwright/test';
import { zipSync } from 'fflate';
import {
  type AppBody,
  accessTokenOf,
  appStatusOf as status,
  cardOf,
  expectAccessibleLayout,
  registerApp,
  signedInAt,
  uniqueName,
} from './app-steps';
import { archiveOf, askForSite, chooseAction, chooseArchive, deployRows as rows } from './deploy-steps';
import { url } from './pages';
import { SUITE_TAG } from './suites';

const site = (path: string) => archiveOf(zipSync({ [path]: new TextEncoder().encode('<h1>Hello</h1>') }));
const WITHOUT_INDEX = site('docs/start.html');

const deploys = (page: Page): Locator => page.getByRole('region', { name: 'Deploys' });
const card = (page: Page): Locator => page.locator('hp-upload-card');
const live = (page: Page): Locator => page.locator('hp-live-deploy');

async function newApp(page: Page, words: string): Promise<AppBody> {
  await signedInAt(page, '/apps', 'dora');
  const app = await registerApp(page, uniqueName(words));
  await expect(deploys(page)).toContainText('Nothing is deployed yet');
  return app;
}

test('a deploy that takes a working site down is held back until the person insists', async ({ page }) => {
  const app = await newApp(page, 'Held back');
  await expect(status(page)).toHaveText('No deploy');
  await chooseArchive(page);
  await expect(status(page)).toHaveText('Live');
  await chooseArchive(page, WITHOUT_INDEX);
  await expect(card(page)).toContainText('No index.html found. The deploy is not live.');
  await expect(card(page)).toContainText('People still see the previous deploy.');
  await expect(card(page).getByRole('link', { name: 'Preview' })).toHaveAttribute('href', /pv--/);
  await expect(live(page)).toContainText('Live now · #1');
  await expect(rows(page).first()).toContainText(/Not activated\s*1 problem/);
  await expectAccessibleLayout(page);

  await card(page).getByRole('button', { name: 'Go live anyway' }).click();
  await expect(card(page)).toContainText('The deploy is live, but has no start page');
  await expect(live(page)).toContainText('Live without a start page · #2');
  await expect(live(page)).toContainText('people who open the app see “Not found”');
  await expect(status(page)).toHaveText('No start page');
  await expect(rows(page).first()).toContainText(/Live\s*1 problem/);
  await expect(rows(page).last()).toContainText('Was live');
  await expectAccessibleLayout(page);

  // The question names the missing page too.
  await live(page).getByRole('button', { name: 'Roll back' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Roll back' }).click();
  await expect(status(page)).toHaveText('Live');
  await chooseAction(rows(page).first(), 'Make live');
  await expect(page.getByRole('alertdialog')).toContainText('There is no index.html');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(live(page)).toContainText('Live now · #1');
  await page.goto(`${url}/apps`);
  await expect(cardOf(page, app.name)).toContainText(/Live\s*#1/);
});

test('a first deploy without a start page is live and says what people see', async ({ page }) => {
  await newApp(page, 'First broken');
  await chooseArchive(page, WITHOUT_INDEX);
  await expect(card(page)).toContainText('The deploy is live, but has no start page');
  await expect(live(page).getByRole('heading')).toHaveText(/Live without a start page/);
  await expect(status(page)).toHaveText('No start page');
  await expectAccessibleLayout(page);
});

test('deploys keep their numbers and notes', async ({ page }) => {
  await newApp(page, 'Numbered');
  for (const count of [1, 2, 3]) {
    await chooseArchive(page, { ...site('index.html'), name: `build-${count}.zip` });
    await expect(rows(page)).toHaveCount(count);
    await expect(rows(page).first()).toContainText('Live');
  }
  await chooseAction(rows(page).nth(1), 'Delete');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(rows(page)).toHaveCount(2);
  await page.reload();
  await expect(rows(page)).toContainText([/#3\s*build-3\.zip/, /#1\s*build-1\.zip/]);
  await expect(page.locator('main header')).toContainText(/Live\s*#3/);
});

test('a deploy of a pipeline shows its branch and commit', async ({ page }) => {
  const app = await newApp(page, 'Pipeline');
  const source = { branch: 'main', commit: '9fceb02d0ae598e95dc970b74767f19372d61af8', message: 'Correct the prices' };
  const query = new URLSearchParams({ ...source, url: 'https://ci.example.com/runs/512' });
  const headers = { authorization: `Bearer ${await accessTokenOf(page)}`, 'content-type': 'application/zip' };
  const address = `${url}/api/apps/${app.id}/deploys?${query}`;
  expect((await page.request.post(address, { headers, data: site('index.html').buffer })).status()).toBe(201);
  await expect(rows(page)).toContainText(/#1\s*Correct the prices\s*main\s*\(new tab\)\s*9fceb02/);
  await expect(rows(page).getByRole('link', { name: '9fceb02' })).toHaveAttribute('href', query.get('url')!);
  await expect(live(page)).toContainText('Correct the prices');
  await expectAccessibleLayout(page);
});

test('the address of a branch is opened, copied and removed', { tag: SUITE_TAG }, async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const app = await newApp(page, 'Branch');
  const headers = { authorization: `Bearer ${await accessTokenOf(page)}`, 'content-type': 'application/zip' };
  const deploys = `${url}/api/apps/${app.id}/deploys`;
  const branch = 'Feature/Prices';
  const query = new URLSearchParams({ branch });
  const response = await page.request.post(`${deploys}?${query}`, { headers, data: site('index.html').buffer });
  const { alias_url: alias } = (await response.json()) as { alias_url: string };
  expect(alias).toContain('//pv--feature-prices--branch-');

  const link = rows(page).getByRole('link', { name: branch });
  await expect(link).toHaveAttribute('href', alias);
  await expect(link).toHaveAttribute('title', new URL(alias).host);
  await expect(live(page).getByRole('link', { name: branch })).toHaveAttribute('href', alias);
  await expectAccessibleLayout(page);

  await chooseAction(rows(page), 'Copy branch address');
  await expect(page.getByText('Address copied.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(alias);
  await chooseAction(rows(page), 'Details');
  const addresses = rows(page).locator('hp-deploy-addresses');
  await expect(addresses.getByRole('link', { name: new URL(alias).host })).toHaveAttribute('href', alias);
  await expect(addresses.getByRole('button', { name: `Copy Branch ${branch}` })).toBeVisible();
  await expectAccessibleLayout(page);

  await addresses.getByRole('button', { name: `Remove Branch ${branch}` }).click();
  const dialog = page.getByRole('alertdialog', { name: `Remove the address of ${branch}?` });
  await expect(dialog).toContainText(new URL(alias).host);
  await expectAccessibleLayout(page);
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText(`Removed the address of ${branch}.`)).toBeAttached();
  await expect(link).toHaveCount(0);
  await expect(rows(page)).toContainText(branch);
  await expect(addresses.getByRole('link')).toHaveCount(1);
  const list = (await (await page.request.get(deploys, { headers })).json()) as { items: { alias_url: unknown }[] };
  expect(list.items.map((each) => each.alias_url)).toEqual([null]);
});

test('the page shows what another member activated', async ({ page }) => {
  await newApp(page, 'Watched');
  await chooseArchive(page);
  await expect(rows(page)).toContainText('Live');
  await askForSite(page);
  await page.getByLabel('Make it live when ready').uncheck();
  await chooseArchive(page);
  await expect(rows(page)).toHaveCount(2);
  const preview = await card(page).getByRole('link', { name: 'Preview' }).getAttribute('href');
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
  await expect(live(page).getByRole('heading')).toHaveText(/Current deploy/);
  await expect(status(page)).toHaveText('DNS failed');
  await expect(rows(page).locator('hp-status-badge')).toHaveText(['Live']);
  await expect(rows(page).locator('hp-status-badge')).toHaveClass('quiet');
  await expect(page.getByText('Live now')).toHaveCount(0);
  await expect(page.locator('hp-status-badge.ok, .status.ok')).toHaveCount(0);
  await expectAccessibleLayout(page);
});

test('a rejected archive is explained in German', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'de-DE', serviceWorkers: 'block' });
  const page = await context.newPage();
  await signedInAt(page, '/apps', 'dora');
  await page.goto(`${url}/apps?do=new-app`);
  await page.getByRole('dialog', { name: 'Neue App' }).getByLabel('Name').fill(uniqueName('Deutsch'));
  await page.getByRole('button', { name: 'App anlegen' }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Archiv wählen' }).click();
  await (await chooser).setFiles(site('../climbs.html'));
  const sentence = '„../climbs.html“: Der Name führt mit „..“ aus der Website hinaus.';
  await expect(card(page).getByRole('alert')).toContainText(sentence);
  await expect(rows(page)).toContainText(sentence);
  await context.close();
});
