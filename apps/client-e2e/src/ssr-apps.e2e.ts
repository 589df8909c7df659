import { expect, type Page, test } from '@playwright/test';
import { zipSync } from 'fflate';
import { expectAccessibleLayout, openNewApp, signedInAt, uniqueName } from './app-steps';
import { archiveOf, chooseArchive, deployRows } from './deploy-steps';
import { url } from './pages';
import { pasteText } from './states/server-actions';

/** A person whose sessions no other test file ends. */
const PERSON = 'erik';

const zipOf = (server: string) => archiveOf(zipSync({ 'server.js': new TextEncoder().encode(server) }));

const SERVER = zipOf(`
  const { createServer } = require('node:http');
  console.log('greeting: ' + process.env.GREETING);
  console.error('warned once');
  createServer((request, response) => {
    console.log('visit of ' + request.url);
    response.setHeader('Content-Type', 'text/html');
    response.end('<h1>' + process.env.GREETING + '</h1>');
  }).listen(process.env.PORT);`);

const BROKEN = zipOf(`console.log('reading settings'); throw new Error('DATABASE_URL is missing');`);

/** Registers an app with a server, whose page is shown afterwards. @returns the address of the app. */
async function registerServerApp(page: Page): Promise<string> {
  const dialog = await openNewApp(page);
  await dialog.getByLabel('Name').fill(uniqueName('Served'));
  await dialog.getByRole('radio', { name: 'With a server' }).check();
  await dialog.getByRole('button', { name: 'Create app' }).click();
  await expect(page).toHaveURL(/\/apps\/[0-9a-f-]{36}$/);
  const address = await page.locator('main header .address a').getAttribute('href');
  return address ?? '';
}

const openTab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages of the app' }).getByRole('link', { name, exact: true }).click();

test('an SSR app shows its server, its log as it is written, and its variables', async ({ page, context }) => {
  await signedInAt(page, '/apps', PERSON);
  const address = await registerServerApp(page);
  await chooseArchive(page, SERVER);
  await expect(page.getByText('The deploy is live', { exact: true })).toBeVisible();
  const server = page.getByRole('region', { name: 'Server' });
  await expect(server.getByRole('status')).toHaveText(/Ready|Idle/);
  await expect(server).toContainText('Node.js');
  await expect(server.getByRole('row')).toHaveCount(2);
  await expectAccessibleLayout(page);

  await openTab(page, 'Logs');
  const log = page.getByRole('log');
  await expect(log).toContainText('greeting: undefined');
  await expect(page.getByText('Following', { exact: true }).last()).toBeVisible();
  const visitor = await context.newPage();
  await visitor.goto(`${address}/hello`);
  await expect(visitor.getByRole('heading')).toHaveText('undefined');
  await page.bringToFront();
  await expect(log).toContainText('visit of /hello');
  await page.getByRole('radio', { name: 'stderr' }).check();
  await expect(log).toContainText('warned once');
  await expect(log).not.toContainText('visit of');

  await openTab(page, 'Environment');
  await page.getByRole('textbox', { name: 'Name' }).focus();
  await pasteText(page, 'GREETING="good day"\nOTHER=1 # note\n');
  await expect(page.getByText('2 variables filled in.')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByText('2 variables saved. The app restarts with them.')).toBeVisible();
  const variables = page.getByRole('region', { name: 'Environment variables' });
  await expect(variables.getByRole('listitem')).toHaveText([/GREETING.*just now by Erik/s, /OTHER/]);
  await expect(async () => {
    await visitor.goto(address);
    expect(await visitor.getByRole('heading').textContent()).toBe('good day');
  }).toPass();
  await page.bringToFront();

  await variables.getByRole('button', { name: 'Change GREETING' }).click();
  await expect(page.getByRole('textbox', { name: 'Value' })).toBeFocused();
  await expect(page.getByText(/Replaces the value that Erik/)).toBeVisible();
  await variables.getByRole('button', { name: 'Remove OTHER' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove variable' }).click();
  await expect(variables.getByRole('listitem')).toHaveCount(1);

  await openTab(page, 'Overview');
  const restarts = page.waitForResponse((response) => response.url().endsWith('/runtime/restart'));
  await server.getByRole('button', { name: 'Restart' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Restart' }).click();
  expect((await restarts).status()).toBe(202);
  await expect(page.getByText(/ restarts\.$/)).toBeVisible();
});

test('a deploy whose server does not start shows the end of its log', async ({ page }) => {
  await signedInAt(page, '/apps', PERSON);
  await registerServerApp(page);
  await chooseArchive(page, BROKEN);
  await expect(page.getByText('The deploy failed')).toBeVisible();
  const log = page.getByRole('region', { name: 'Last lines of the log' });
  await expect(log).toContainText('Error: DATABASE_URL is missing');
  await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
  await page.getByRole('button', { name: /^Dismiss/ }).click();
  await expect(log).toHaveCount(0);
  await deployRows(page).getByRole('button', { name: 'Log', exact: true }).click();
  await expect(log).toContainText('reading settings');
  await expectAccessibleLayout(page);
});

test('a static app has no pages for a server', async ({ page }) => {
  await signedInAt(page, '/apps', PERSON);
  const dialog = await openNewApp(page);
  await dialog.getByLabel('Name').fill(uniqueName('Plain'));
  await dialog.getByRole('button', { name: 'Create app' }).click();
  await expect(page).toHaveURL(/\/apps\/[0-9a-f-]{36}$/);
  const tabs = page.getByRole('navigation', { name: 'Pages of the app' });
  await expect(tabs.getByRole('link')).toHaveText(['Overview', 'Settings']);
  for (const [path, words] of [
    ['logs', 'This app has no logs'] as const,
    ['environment', 'has no environment'] as const,
  ]) {
    await page.goto(`${page.url().replace(/\/(logs|environment)$/, '')}/${path}`);
    await expect(page.getByText(words)).toBeVisible();
  }
  await page.getByRole('link', { name: 'Go to the overview' }).click();
  await expect(page).toHaveURL(new RegExp(`^${url}/apps/[0-9a-f-]{36}$`));
});
