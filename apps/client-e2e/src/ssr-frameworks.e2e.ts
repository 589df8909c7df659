import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { accessTokenOf, addSession, uniqueName } from './app-steps';
import { buildExample } from './framework-builds';
import { collectPageErrors, url } from './pages';
import { SUITE_TAG } from './suites';

const run = promisify(execFile);
const CLI = join(import.meta.dirname, '../../../dist/packages/cli/main.js');
/** From installed packages on two slow cores, without the cache. */
const BUILD_LIMIT_MS = 900_000;

interface Example {
  /** Folder in `frameworks`. */
  readonly name: string;
  readonly title: string;
  /** As the API names it. */
  readonly framework: string;
  /** Whether a link to another page of the app loads no document. */
  readonly isRouted: boolean;
  /** Whether the gate builds it too. */
  readonly isInGate?: boolean;
}

const EXAMPLES: readonly Example[] = [
  { name: 'node', title: 'Node.js', framework: 'node', isRouted: false },
  { name: 'fetch', title: 'a fetch handler', framework: 'node', isRouted: false, isInGate: true },
  { name: 'hono', title: 'Hono', framework: 'node', isRouted: false },
  { name: 'react-router', title: 'React Router', framework: 'react-router', isRouted: true },
  { name: 'astro', title: 'Astro', framework: 'astro', isRouted: true },
  { name: 'sveltekit', title: 'SvelteKit', framework: 'sveltekit', isRouted: true },
  { name: 'next', title: 'Next.js', framework: 'next', isRouted: true },
  { name: 'nuxt', title: 'Nuxt', framework: 'nitro', isRouted: true },
  { name: 'angular', title: 'Angular', framework: 'angular', isRouted: true },
];

interface Deploy {
  readonly status: string;
  readonly framework: string;
  readonly address: string;
}

/** The command line of a person. */
async function commandLineOf(page: Page) {
  await addSession(page);
  const env = { PATH: process.env['PATH'], HOMEPORT_URL: url, HOMEPORT_TOKEN: await accessTokenOf(page) };
  return async <T>(folder: string, ...args: string[]): Promise<T> => {
    const { stdout } = await run(process.execPath, [CLI, ...args, '--json'], { cwd: folder, env });
    return JSON.parse(stdout) as T;
  };
}

async function deployExample(page: Page, { name }: Example): Promise<Deploy> {
  const folder = await buildExample(name);
  const homeport = await commandLineOf(page);
  const { id } = await homeport<{ id: string }>(folder, 'apps', 'register', uniqueName(name), '--type', 'ssr');
  return homeport<Deploy>(folder, 'deploy', '--app', id, '--wait');
}

/** Visits the app with JavaScript off: the server renders the page, and the form works. */
async function expectServerRendering(browser: Browser, address: string, title: string): Promise<void> {
  const page = await browser.newPage({ javaScriptEnabled: false });
  const renderTime = async () => {
    expect((await page.goto(address))?.status()).toBe(200);
    await expect(page.getByRole('heading', { name: `Hello from ${title}` })).toBeVisible();
    return (await page.locator('time').textContent()) ?? '';
  };
  const first = await renderTime();
  expect(Date.parse(first)).toBeGreaterThan(0);
  expect(await renderTime()).not.toBe(first);
  await expectForm(page);
  await page.context().close();
}

async function expectHydration(page: Page): Promise<void> {
  // A click before the script has loaded is lost in most frameworks.
  await expect(async () => {
    await page.getByRole('button', { name: 'Clicked' }).click();
    await expect(page.getByRole('button', { name: /Clicked [1-9]\d* times/ })).toBeVisible({ timeout: 500 });
  }).toPass();
}

async function expectForm(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('Ada');
  await page.getByRole('button', { name: 'Greet' }).click();
  await expect(page.getByText('Hello, Ada!')).toBeVisible();
}

async function expectNavigation(page: Page, isRouted: boolean): Promise<void> {
  const loads: string[] = [];
  page.on('request', (request) => request.isNavigationRequest() && loads.push(request.url()));
  await page.getByRole('link', { name: 'About' }).click();
  await expect(page.getByRole('heading', { name: 'About' })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/about');
  expect(loads.length).toBe(isRouted ? 0 : 1);
}

/** The server sends the last line after the first one has arrived here. */
async function expectStream(page: Page): Promise<void> {
  const lines = await page.evaluate(async () => {
    const { body } = await fetch('/api/stream');
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    const first = (await reader?.read())?.value;
    await fetch('/api/stream?continue');
    let rest = '';
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) rest += part.value;
    return [first, rest];
  });
  expect(lines).toEqual(['first\n', 'last\n']);
}

for (const example of EXAMPLES) {
  const { title, framework, isRouted, isInGate } = example;
  test(
    `an app made with ${title} works after homeport deploy`,
    { tag: isInGate ? [] : SUITE_TAG },
    async ({ browser, page }) => {
      test.setTimeout(BUILD_LIMIT_MS);
      const errors = collectPageErrors(page);
      const deploy = await deployExample(page, example);
      expect(deploy).toMatchObject({ status: 'ready', framework });
      await expectServerRendering(browser, deploy.address, title);
      await page.goto(deploy.address);
      await expectHydration(page);
      await expectForm(page);
      await expectStream(page);
      await expectNavigation(page, isRouted);
      await page.goto(`${deploy.address}/about`);
      await expect(page.getByRole('heading', { name: 'About' })).toBeVisible();
      expect(errors).toEqual([]);
    },
  );
}
