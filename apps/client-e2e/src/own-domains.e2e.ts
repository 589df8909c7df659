import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CERTUTIL, findPrograms, setOwnRecord, trustInBrowser } from '@homeport/dev-services';
import { expect, type Page, test } from '@playwright/test';
import { accessTokenOf, addSession, expectAccessibleLayout, problemResponse, uniqueName } from './app-steps';
import { SITE_ZIP } from './deploy-steps';
import { url } from './pages';
import { DOMAIN_LIST, HOSTNAMES_ONLY } from './states/domain-fixtures';
import { addDomainDialog } from './states/domain-actions';
import { mockApi } from './states/mock-api';

interface DomainBody {
  readonly id: string;
  readonly records: readonly { readonly type: string; readonly name: string; readonly value: string }[];
}

interface AppBody {
  readonly id: string;
  readonly subdomain: string;
}

const services = JSON.parse(process.env['HOMEPORT_TEST_SERVICES'] ?? '{}') as Record<string, string>;

const canTrust = (await findPrograms(CERTUTIL, process.env['PATH'])) !== undefined;

/**
 * Chromium asks no name server: every domain of the test leads to this machine. It trusts the authority of this machine
 * as after `npm run trust`.
 */
test.use({
  launchOptions: [
    async ({ launchOptions }, use) => {
      const args = [...(launchOptions.args ?? []), '--host-resolver-rules=MAP *.test 127.0.0.1'];
      const home = await mkdtemp(join(tmpdir(), 'homeport-browser-'));
      if (canTrust) await trustInBrowser(home, services['CERTIFICATE_ROOT_FILE'] ?? '');
      await use({ ...launchOptions, args, env: { ...(process.env as Record<string, string>), HOME: home } });
      await rm(home, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
});

/** A person of an organization, with calls of the API beside the page. */
class Owner {
  private constructor(
    readonly page: Page,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  static async signedIn(page: Page): Promise<Owner> {
    await addSession(page, 'hank');
    return new Owner(page, { authorization: `Bearer ${await accessTokenOf(page)}` });
  }

  async deployApp(): Promise<AppBody> {
    const { request } = this.page;
    const data = { name: uniqueName('Own domain'), type: 'static' };
    const app = (await (await request.post(`${url}/api/apps`, { headers: this.headers, data })).json()) as AppBody;
    const headers = { ...this.headers, 'content-type': 'application/zip' };
    const deploy = await request.post(`${url}/api/apps/${app.id}/deploys`, { headers, data: SITE_ZIP.buffer });
    expect(deploy.status()).toBe(201);
    return app;
  }

  /** The domain whose page is shown. */
  async shownDomain(): Promise<DomainBody> {
    const id = new URL(this.page.url()).pathname.split('/').at(-1);
    const answer = await this.page.request.get(`${url}/api/domains/${id}`, { headers: this.headers });
    return (await answer.json()) as DomainBody;
  }

  /** Creates the records at the DNS provider of the organization. */
  async createRecords(): Promise<void> {
    for (const { name, type, value } of (await this.shownDomain()).records) {
      await setOwnRecord(services, name, type, [value]);
    }
  }
}

const state = (page: Page) => page.locator('main header hp-status-badge');
const recordOf = (page: Page, purpose: string) => page.locator('hp-domain-record').filter({ hasText: purpose });

/** Checks now until the domain has a state; the server asks name servers at most once in 5 seconds. */
async function checkUntil(page: Page, words: string): Promise<void> {
  await expect(async () => {
    await page.getByRole('button', { name: 'Check now' }).click();
    await expect(state(page)).toHaveText(words, { timeout: 6_000 });
  }).toPass();
}

async function addDomain(page: Page, name: string, price: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Add a domain' });
  await dialog.getByRole('textbox').fill(name);
  await dialog.getByRole('button', { name: `Add for ${price} a month` }).click();
  await expect(page).toHaveURL(/\/apps\/domains\/[0-9a-f-]{36}$/);
}

async function removeDomain(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Remove domain' }).click();
  const question = page.getByRole('alertdialog', { name: `Remove ${name}?` });
  const confirm = question.getByRole('button', { name: 'Remove domain' });
  await expect(confirm).toBeDisabled();
  await question.getByRole('textbox').fill(name);
  await confirm.click();
  await expect(page).toHaveURL(`${url}/apps/domains`);
  await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0);
}

test('a person adds domains, and sees each state until the app opens by https', async ({ page, context }) => {
  test.skip(!canTrust, 'certutil is not installed: Chromium does not trust the certificates');
  const suffix = `${randomBytes(4).toString('hex')}.test`;
  const [hostname, base] = [`www.walk-${suffix}`, `base-${suffix}`];
  const owner = await Owner.signedIn(page);
  const app = await owner.deployApp();

  await page.goto(`${url}/apps/${app.id}/settings`);
  await page.getByRole('button', { name: 'Add domain' }).click();
  await addDomain(page, `https://${hostname}/shop`, '$10');
  await expect(page.getByRole('heading', { name: hostname, level: 1 })).toBeFocused();
  await expect(state(page)).toHaveText('Pending');
  await expect(page.getByText('Waiting for your DNS records.')).toBeVisible();
  await expect(page.getByText(/Next automatic check: /)).toBeVisible();
  await context.grantPermissions(['clipboard-read']);
  await page.getByRole('button', { name: 'Copy name of the TXT record' }).click();
  await expect(recordOf(page, 'Proves').getByText('Copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`_homeport.${hostname}`);

  // A mistake is named, and the page follows the automatic checks.
  await setOwnRecord(services, hostname, 'CNAME', ['old-host.example']);
  await expect(recordOf(page, 'Leads visitors here')).toContainText('The CNAME record leads to old-host.example.');
  await expect(page.getByText('Not all records are right yet.')).toBeVisible();
  await expectAccessibleLayout(page);
  await owner.createRecords();
  await checkUntil(page, 'Active');
  await expect(page.locator('hp-domain-check')).toContainText(/Certificate\s*Active/);
  await expect(recordOf(page, 'Proves')).toContainText('The name server has the record');
  await expect(page.getByText(`Visitors of ${hostname} see Own domain`)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open (new tab)' })).toHaveAttribute('href', new RegExp(hostname));
  await page.getByRole('button', { name: 'Use as primary' }).click();
  await expect(page.getByText(`${hostname} is primary now.`)).toBeVisible();
  await page.getByRole('button', { name: 'Require https' }).click();
  await expect(page.getByRole('button', { name: 'Stop requiring https' })).toBeVisible();

  await page.goto(`${url}/apps/domains`);
  await page.getByRole('button', { name: 'Add domain' }).click();
  await page.getByRole('radio', { name: 'All apps' }).check();
  await addDomain(page, base, '$50');
  await expect(page.getByText(`Apps here receive cookies set for ${base}.`)).toBeVisible();
  await owner.createRecords();
  await checkUntil(page, 'Active');
  await page.getByRole('button', { name: 'Use as primary' }).click();
  await expect(page.getByText(`${base} is primary now.`)).toBeVisible();

  await page.goto(`${url}/apps/${app.id}/settings`);
  const addresses = page.getByRole('region', { name: 'Addresses' });
  await expect(addresses.getByRole('link', { name: `${app.subdomain}.${base}` })).toBeVisible();
  await expect(addresses.getByRole('listitem')).toHaveCount(3);
  const address = await page.locator('main > * header a').first().getAttribute('href');
  expect(new URL(address ?? '').hostname).toBe(hostname);
  await page.goto(`${url}/apps/${app.id}`);
  await page.getByRole('button', { name: /^Actions for / }).click();
  const preview = await page.getByRole('menuitem', { name: /^Preview/ }).getAttribute('href');
  expect(new URL(preview ?? '').hostname).toMatch(new RegExp(`^pv--.*\\.${base.replaceAll('.', '\\.')}$`));
  const visitor = await context.newPage();
  for (const each of [address, preview, (address ?? '').replace(hostname, `${app.subdomain}.${base}`)]) {
    expect(each).toMatch(/^https:/);
    const response = await visitor.goto(each ?? '');
    const issuer = expect.stringMatching(/^Homeport on /);
    expect(await response?.securityDetails()).toMatchObject({ issuer, protocol: 'TLS 1.3' });
    await expect(visitor.getByRole('heading', { name: 'Hello' })).toBeVisible();
  }
  const strict = await visitor.goto(address ?? '');
  expect(strict?.headers()['strict-transport-security']).toMatch(/^max-age=\d{8}/);
  await visitor.goto(`http://${app.subdomain}.${base}:${services['EDGE_PORT']}/`);
  expect(new URL(visitor.url()).protocol).toBe('https:');
  await visitor.close();

  for (const name of [base, hostname]) {
    await page.goto(`${url}/apps/domains`);
    await page.getByRole('link', { name, exact: true }).click();
    await removeDomain(page, name);
  }
});

test('a changed price is shown and accepted before a domain is added', async ({ page }) => {
  await mockApi(page, { state: 'ready', isSignedIn: true });
  let price = 10;
  const accepted: unknown[] = [];
  await page.route('**/api/domains', (route) => {
    if (route.request().method() === 'GET') {
      return route.fulfill({ json: { ...DOMAIN_LIST, prices_usd: { hostname: price, base: 50 } } });
    }
    accepted.push(route.request().postDataJSON());
    if (accepted.length > 1) return route.fulfill({ status: 201, json: DOMAIN_LIST.items[0] });
    price = 12.5;
    return route.fulfill(problemResponse(409, 'apps.price-changed', 'The domain costs 12.5 USD a month.'));
  });
  await page.goto(`${url}/apps/domains`);
  const dialog = await addDomainDialog(page);
  await dialog.getByRole('combobox', { name: 'App' }).selectOption('Landing page');
  await dialog.getByRole('textbox').fill('www.northwind.example');
  await dialog.getByRole('button', { name: 'Add for $10 a month' }).click();
  await expect(dialog.getByRole('alert')).toContainText('The price has changed. Nothing was added');
  await dialog.getByRole('button', { name: 'Add for $12.50 a month' }).click();
  await expect(page.getByRole('heading', { name: 'www.northwind.example', level: 1 })).toBeVisible();
  expect(accepted).toEqual([10, 12.5].map((accept_price_usd) => expect.objectContaining({ accept_price_usd })));
});

test('domains for all apps are not offered where they have no certificates', async ({ page }) => {
  await mockApi(page, { state: 'ready', isSignedIn: true });
  const added: unknown[] = [];
  await page.route('**/api/domains', (route) => {
    if (route.request().method() === 'GET') return route.fulfill({ json: HOSTNAMES_ONLY });
    added.push(route.request().postDataJSON());
    return route.fulfill({ status: 201, json: DOMAIN_LIST.items[0] });
  });
  await page.goto(`${url}/apps/domains`);
  await expect(page.getByText('Show an app at a name such as www.acme.com.', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Add your first domain' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a domain' });
  await expect(dialog.getByText('this installation cannot get certificates for them')).toBeVisible();
  await expect(dialog.getByRole('radio')).toHaveCount(0);
  await dialog.getByRole('combobox', { name: 'App' }).selectOption('Landing page');
  await dialog.getByRole('textbox').fill('www.northwind.example');
  await dialog.getByRole('button', { name: 'Add for $10 a month' }).click();
  await expect(page.getByRole('heading', { name: 'www.northwind.example', level: 1 })).toBeVisible();
  expect(added).toEqual([expect.objectContaining({ kind: 'hostname' })]);
});

test('the records are checked at most once in 5 seconds', async ({ page }) => {
  await mockApi(page, { state: 'ready', isSignedIn: true });
  let checks = 0;
  await page.route('**/check', (route) => {
    checks += 1;
    return route.fulfill({ json: DOMAIN_LIST.items[0] });
  });
  await page.clock.install();
  await page.goto(`${url}/apps/domains/${DOMAIN_LIST.items[0]?.id}`);
  const button = page.getByRole('button', { name: 'Check now' });
  await button.click();
  await expect(page.getByText('Checked: 0 of 2 records found.')).toBeVisible();
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  await button.click({ force: true });
  await page.clock.runFor(5_000);
  await expect(button).not.toHaveAttribute('aria-disabled', 'true');
  await button.click();
  await expect.poll(() => checks).toBe(2);
});
