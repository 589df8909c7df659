import { globSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { zipSync } from 'fflate';
import { accessTokenOf, addSession, uniqueName } from './app-steps';
import { url } from './pages';
import { SUITE_TAG } from './suites';

const CLIENT = resolve(import.meta.dirname, '../../../dist/client/browser');

interface App {
  readonly id: string;
  readonly url: string;
}

type SiteFiles = Readonly<Record<string, Uint8Array>>;

const text = (content: string) => new TextEncoder().encode(content);

/** A page that loads a chunk on demand, as bundlers build it. */
const shop = (version: string, hash: string): SiteFiles => ({
  'index.html': text(`<!doctype html><html lang="en"><title>Shop</title><h1>Shop ${version}</h1>
    <button onclick="import('/orders-${hash}.js').then((orders) => orders.show())">Orders</button>`),
  [`orders-${hash}.js`]: text(
    `export function show() { document.querySelector('h1').textContent = 'Orders ${version}'; }`,
  ),
});

/** The build of the Angular client, as an example of an Angular application. */
function angularBuild(): SiteFiles {
  const files = globSync('**/*', { cwd: CLIENT, withFileTypes: true }).filter((file) => file.isFile());
  return Object.fromEntries(
    files
      .map((file) => join(file.parentPath, file.name))
      .filter((path) => !/\.(br|gz)$/.test(path))
      .map((path) => [relative(CLIENT, path), new Uint8Array(readFileSync(path))]),
  );
}

/** A client of the organization that calls the API with a token. */
class Owner {
  private constructor(
    private readonly page: Page,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  static async signedIn(page: Page): Promise<Owner> {
    await addSession(page);
    return new Owner(page, { authorization: `Bearer ${await accessTokenOf(page)}` });
  }

  async register(words: string): Promise<App> {
    const data = { name: uniqueName(words) };
    return (await this.page.request.post(`${url}/api/apps`, { headers: this.headers, data })).json() as Promise<App>;
  }

  async deploy({ id }: App, files: SiteFiles): Promise<void> {
    const headers = { ...this.headers, 'content-type': 'application/zip' };
    const data = Buffer.from(zipSync({ ...files }, { level: 1 }));
    const answer = await this.page.request.post(`${url}/api/apps/${id}/deploys`, { headers, data, timeout: 0 });
    expect(answer.status()).toBe(201);
  }

  async rollBack({ id }: App): Promise<void> {
    const answer = await this.page.request.post(`${url}/api/apps/${id}/rollback`, { headers: this.headers });
    expect(answer.status()).toBe(200);
  }
}

/** Waits until visitors see the change, which takes a moment after the response. */
async function expectShown(page: Page, app: App, heading: string): Promise<void> {
  await expect(async () => {
    await page.goto(app.url);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(heading);
  }).toPass();
}

test('an open page keeps working through deploys and rollbacks', async ({ page, context }) => {
  const owner = await Owner.signedIn(page);
  const app = await owner.register('Open');
  await page.goto(app.url);
  await expect(page.getByText('Nothing')).toBeVisible();
  await owner.deploy(app, shop('one', 'QWERTYU2'));
  await expectShown(page, app, 'Shop one');

  const other = await context.newPage();
  await owner.deploy(app, shop('two', 'ASDFGHJ3'));
  await expectShown(other, app, 'Shop two');
  await page.getByRole('button', { name: 'Orders' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Orders one');

  await owner.rollBack(app);
  await expectShown(page, app, 'Shop one');
  await other.getByRole('button', { name: 'Orders' }).click();
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Orders two');
});

test('an Angular build works as an application, including its routes', { tag: SUITE_TAG }, async ({ page }) => {
  const owner = await Owner.signedIn(page);
  const app = await owner.register('Angular');
  await owner.deploy(app, angularBuild());
  // A route of the application without a file.
  await page.goto(`${app.url}/pricing`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await page.evaluate(() => document.cookie)).toBe('');
});
