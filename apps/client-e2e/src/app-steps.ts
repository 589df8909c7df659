import { randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { completeSignIn } from '@homeport/dev-services';
import { expect, type Locator, type Page } from '@playwright/test';
import { dnsPort, expectAccessible, expectNoSidewaysScroll, url } from './pages';

const services = JSON.parse(process.env['HOMEPORT_TEST_SERVICES'] ?? '{}') as Record<string, string>;
const resolver = new Resolver();
resolver.setServers([`127.0.0.1:${dnsPort}`]);

/** The fields of an API app that tests change. */
export interface AppBody {
  readonly id: string;
  readonly name: string;
  readonly hostname: string;
  readonly [key: string]: unknown;
}

/** Users of the embedded identity service. Tests that run in parallel use different users. */
type PersonId = 'ada' | 'ben' | 'carla' | 'dora' | 'erik' | 'fay' | 'lars' | 'hank' | 'gina' | 'ivy' | 'jon' | 'sam';
const GLOBEX: readonly PersonId[] = ['hank', 'gina', 'ivy', 'jon', 'sam'];

/** Adds the session of a signed-in user to the browser context, without the sign-in pages. */
export async function addSession(page: Page, person: PersonId = 'ben'): Promise<void> {
  const provider = GLOBEX.includes(person) ? 'globex' : 'northwind';
  const { jar } = await completeSignIn(`${url}/auth/sign-in?provider=${provider}&return_to=/settings`, { person });
  const cookies = jar.header(url).split('; ');
  await page.context().addCookies(cookies.map((each) => ({ ...namedValue(each), url })));
}

/** The access token of the signed-in user. */
export async function accessTokenOf(page: Page): Promise<string> {
  // The API rejects requests from pages of other origins.
  const session = await page.request.get(`${url}/auth/session`, { headers: { 'sec-fetch-site': 'same-origin' } });
  return ((await session.json()) as { access_token: string }).access_token;
}

/** Opens a page as a signed-in user. */
export async function signedInAt(page: Page, path: string, person?: PersonId): Promise<void> {
  await addSession(page, person);
  await page.goto(url + path);
}

function namedValue(cookie: string): { name: string; value: string } {
  const at = cookie.indexOf('=');
  return { name: cookie.slice(0, at), value: cookie.slice(at + 1) };
}

/** Returns a unique name. */
export function uniqueName(words: string): string {
  return `${words} ${randomBytes(4).toString('hex')}`;
}

export function hostnameOf(name: string): string {
  return `${name.toLowerCase().replaceAll(' ', '-')}.apps.localhost`;
}

/** Opens the dialog for a new app from the list of apps, and the list first if another page is shown. */
export async function openNewApp(page: Page): Promise<Locator> {
  if (new URL(page.url()).pathname !== '/apps')
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Apps' }).click();
  await page.getByRole('button', { name: /^(New app|Create your first app)$/ }).click();
  return page.getByRole('dialog', { name: 'New app' });
}

/** Registers an app in the dialog and returns the API's response; afterwards its page is shown. */
export async function registerApp(page: Page, name: string): Promise<AppBody> {
  const dialog = await openNewApp(page);
  await dialog.getByLabel('Name').fill(name);
  const answer = page.waitForResponse((response) => response.request().method() === 'POST' && response.ok());
  await dialog.getByRole('button', { name: 'Create app' }).click();
  const response = await answer;
  // Chromium may drop the body of a `no-store` response before it is read.
  const app = await (response.json() as Promise<AppBody>).catch(() => readApp(page, response.headers()['location']));
  await expect(page).toHaveURL(`${url}/apps/${app.id}`);
  return app;
}

/** @param path API path of the app. */
async function readApp(page: Page, path = ''): Promise<AppBody> {
  const authorization = `Bearer ${await accessTokenOf(page)}`;
  return (await (await fetch(url + path, { headers: { authorization } })).json()) as AppBody;
}

/** The card of an app in the list. */
export function cardOf(page: Page, name: string): Locator {
  return page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
}

/** The status in the header of an app's page. */
export function appStatusOf(page: Page): Locator {
  return page.locator('main header hp-status-badge');
}

/** Opens the settings of the app whose page is shown. */
export async function openAppSettings(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages of the app' }).getByRole('link', { name: 'Settings' }).click();
}

export function dnsSection(page: Page): Locator {
  return page.getByRole('region', { name: 'DNS' });
}

export async function expectAccessibleLayout(page: Page): Promise<void> {
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
}

/** Returns the CNAME of a name, or the DNS error code. */
export function cnameOf(name: string): Promise<string | undefined> {
  return resolver.resolveCname(name).then(
    ([target]) => target,
    (error: { code: string }) => error.code,
  );
}

const FOREIGN_RECORD = { value: 'somewhere.example', ttl: 60 };

/** Creates or removes a record that the product does not own. */
export async function foreignRecord(name: string, wanted: 'put' | 'take'): Promise<void> {
  const response = await fetch(`${services['EMBEDDED_DNS_URL']}/changes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${services['EMBEDDED_DNS_TOKEN']}`, 'content-type': 'application/json' },
    body: JSON.stringify([{ name, [wanted === 'put' ? 'after' : 'before']: FOREIGN_RECORD }]),
  });
  expect(response.status).toBe(200);
}

/** An error response of the API. */
export function problemResponse(status: number, code: string, detail: string) {
  return {
    status,
    contentType: 'application/problem+json',
    body: JSON.stringify({ type: 'about:blank', title: 'No', status, detail, code, request_id: 'req-e2e-1' }),
  };
}

export const UNAVAILABLE = problemResponse(
  503,
  'platform.database-unavailable',
  'Your data cannot be read or saved right now. Try again in a few seconds.',
);
