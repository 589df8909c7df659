import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Locator, type Page, test } from '@playwright/test';
import {
  accessTokenOf,
  addSession,
  type AppBody,
  expectAccessibleLayout,
  signedInAt,
  UNAVAILABLE,
  uniqueName,
} from './app-steps';
import { deployRows, SITE_ZIP } from './deploy-steps';
import { uniqueDirectory, putFile } from './file-steps';
import { collectPageErrors, url } from './pages';
import { waitForServiceWorker } from './service-worker-steps';
import { mockApi } from './states/mock-api';

/** A person whose newest files no other test file reads. */
const PERSON = 'ivy';

const LOCALE = join(import.meta.dirname, '../../client/src/locale');
const read = <T>(name: string): T => JSON.parse(readFileSync(join(LOCALE, name), 'utf8')) as T;
const german = {
  ...read<Record<string, string>>('de.json'),
  ...read<{ texts: Record<string, string> }>('de.server.json').texts,
};
/** English source texts without placeholders that would be visible if a translation were missing. */
const ENGLISH = Object.entries(german)
  .map(([key, words]) => [key.replace(/^[a-z ]+\|/, ''), words] as const)
  .filter(([source, words]) => source !== words && !/\{[$V]/.test(source))
  .map(([source]) => source);
const CATALOGUE = /\/de-[\w-]+\.js$/;

/** All visible and accessible texts of the page, except parts marked with another language. */
function wordsOf(page: Page): Promise<string[]> {
  return page.locator('body').evaluate((body) => {
    const found: string[] = [];
    const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (!node.parentElement?.closest('[lang]:not(html), script, style, noscript')) found.push(node.textContent ?? '');
    }
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
      for (const element of body.querySelectorAll(`[${name}]`)) found.push(element.getAttribute(name) ?? '');
    }
    return found.map((text) => text.replace(/\s+/g, ' ').trim());
  });
}

async function expectGerman(page: Page): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  const words = await wordsOf(page);
  expect(words.length).toBeGreaterThan(5);
  expect(
    words.filter((each) => ENGLISH.includes(each)),
    page.url(),
  ).toEqual([]);
}

/** Expects that the buttons of a toolbar are in one line. On phones, the pager is beside the heading instead. */
async function expectOneLine(toolbar: Locator): Promise<void> {
  const middles = await toolbar.locator(':scope > :not(hp-file-pager):visible').evaluateAll((buttons) =>
    buttons.map((button) => {
      const { top, bottom } = button.getBoundingClientRect();
      return (top + bottom) / 2;
    }),
  );
  expect(middles.length).toBeGreaterThan(3);
  expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(8);
}

test.describe('in a German browser', () => {
  test.use({ locale: 'de-AT' });

  for (const [path, heading] of [
    ['/signin', 'Bei Homeport anmelden'],
    ['/login?reason=expired&error=busy', 'Erneut anmelden'],
    ['/pricing', 'Preise'],
  ] as const) {
    test(`${path} is completely German and fits the screen`, async ({ page }) => {
      const errors = collectPageErrors(page);
      await page.goto(url + path);
      await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
      await expect(page.locator('hp-skeleton:visible')).toHaveCount(0);
      await expectGerman(page);
      await expectAccessibleLayout(page);
      expect(errors).toEqual([]);
    });
  }

  for (const [path, heading] of [
    ['/', 'Start'],
    ['/files', 'Dateien'],
    ['/apps', 'Apps'],
    ['/apps/domains', 'Domains'],
    ['/settings', 'Einstellungen'],
    ['/nowhere', 'Seite nicht gefunden'],
  ] as const) {
    test(`${path} is completely German when signed in and fits the screen`, async ({ page }) => {
      await signedInAt(page, path, PERSON);
      await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
      await expect(page.locator('hp-skeleton:visible')).toHaveCount(0);
      await expect(page).toHaveTitle(`${heading} · Homeport`);
      await expectGerman(page);
      await expectAccessibleLayout(page);
    });
  }

  for (const path of ['/usage', '/usage?period=2026-10']) {
    test(`${path} is completely German with usage and fits the screen`, async ({ page }) => {
      await mockApi(page, { state: 'ready', isSignedIn: true });
      await page.goto(url + path);
      await expect(page.getByRole('heading', { name: 'Nutzung', level: 1 })).toBeVisible();
      await expect(page.getByRole('table', { name: 'Nutzung nach Posten' })).toContainText('Tresor');
      await expect(page.locator('hp-skeleton:visible')).toHaveCount(0);
      await expectGerman(page);
      await expectAccessibleLayout(page);
    });
  }

  test('a file is viewed and edited in German and fits the screen', async ({ page }) => {
    await addSession(page, PERSON);
    const key = `${uniqueDirectory('sprache')}/plan.md`;
    await putFile(page, key, '# Ziel\n\n- [x] Erstens\n- [ ] Zweitens\n');
    await page.goto(`${url}/view/${key}`);
    await expect(page.getByRole('checkbox', { name: 'Offen' })).toBeVisible();
    await expectOneLine(page.locator('hp-page-header .actions'));
    await expectGerman(page);
    await expectAccessibleLayout(page);
    await page.goto(`${url}/edit/${key}`);
    await expect(page.getByRole('textbox', { name: 'Text von plan.md' })).toContainText('Erstens');
    await expectGerman(page);
    await expectAccessibleLayout(page);
  });

  test('the address of a branch is shown and removed in German', async ({ page }) => {
    await signedInAt(page, '/apps', PERSON);
    const headers = { authorization: `Bearer ${await accessTokenOf(page)}` };
    const data = { name: uniqueName('Zweig'), type: 'static' };
    const { id } = (await (await page.request.post(`${url}/api/apps`, { headers, data })).json()) as AppBody;
    const address = `${url}/api/apps/${id}/deploys?branch=Preise`;
    const site = { headers: { ...headers, 'content-type': 'application/zip' }, data: SITE_ZIP.buffer };
    const deploy = (await (await page.request.post(address, site)).json()) as { alias_url: string };
    await page.goto(`${url}/apps/${id}`);
    await expect(deployRows(page).getByRole('link', { name: 'Preise' })).toHaveAttribute('href', deploy.alias_url);
    await deployRows(page).getByRole('button', { name: 'Aktionen für #1' }).click();
    await expectGerman(page);
    await page.getByRole('menuitem', { name: 'Adresse des Branches entfernen' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Adresse von Preise entfernen?' });
    await expectGerman(page);
    await dialog.getByRole('button', { name: 'Entfernen' }).click();
    await expect(page.getByText('Adresse von Preise entfernt.')).toBeAttached();
    await expect(deployRows(page).getByRole('link', { name: 'Preise' })).toHaveCount(0);
  });

  test('numbers use a decimal comma in input and output', async ({ page }) => {
    await page.goto(`${url}/pricing?meters.storage=1.250`);
    const storage = page.getByRole('textbox', { name: 'Speicher' });
    await expect(storage).toHaveValue('1,250');
    await storage.fill('1.250,5');
    await expect(page.getByRole('row', { name: /^Speicher/ }).last()).toContainText(
      /1\.250,5 GB × 0,05\s\$\s*62,52\s\$/,
    );
    await expect(page).toHaveURL(/meters\.storage=1250\.5$/);
  });

  test('a problem of the server is shown in German', async ({ page }) => {
    await page.route('**/v1/pricing', (route) => route.fulfill(UNAVAILABLE));
    await page.goto(`${url}/pricing`);
    await expect(page.getByRole('alert')).toContainText('Die Preise konnten nicht geladen werden');
    await expect(page.getByRole('alert')).toContainText('Daten können gerade nicht gelesen oder gespeichert werden.');
  });

  test('without its catalogue the page is English, including its lang attribute', async ({ page }) => {
    await page.route(CATALOGUE, (route) => route.abort());
    await page.goto(`${url}/pricing`);
    await expect(page.getByRole('heading', { name: 'Pricing', level: 1 })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  });

  test('the chosen language is kept', async ({ page }) => {
    await signedInAt(page, '/settings/appearance', PERSON);
    await page.getByRole('radio', { name: 'English' }).check({ force: true });
    await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible();
    await page.goto(`${url}/pricing`);
    await expect(page.getByRole('heading', { name: 'Pricing', level: 1 })).toBeVisible();
    await page.goto(`${url}/settings/appearance`);
    await expect(page.getByRole('radio', { name: 'English' })).toBeChecked();
    await page.getByRole('radio', { name: 'Deutsch' }).check({ force: true });
    await expect(page.getByRole('heading', { name: 'Einstellungen', level: 1 })).toBeVisible();
  });
});

/** Whether a page in German can start offline. */
function isCatalogueCached(page: Page): Promise<boolean> {
  return page.evaluate(async () => {
    const name = performance.getEntriesByType('resource').find((each) => /\/de-[\w-]+\.js$/.test(each.name))?.name;
    return name !== undefined && (await caches.match(name)) !== undefined;
  });
}

test.describe('offline', () => {
  test.use({ locale: 'de-DE', serviceWorkers: 'allow' });

  test('the page stays German after its first visit', async ({ page, context }) => {
    await page.goto(`${url}/pricing`);
    await expect(page.getByRole('heading', { name: 'Preise', level: 1 })).toBeVisible();
    await waitForServiceWorker(page);
    await expect.poll(() => isCatalogueCached(page)).toBe(true);
    await context.setOffline(true);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Preise', level: 1 })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  });
});

test.describe('in an English browser', () => {
  test('no catalogue is loaded', async ({ page }) => {
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await page.goto(`${url}/pricing`);
    await expect(page.getByRole('heading', { name: 'Pricing', level: 1 })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    expect(requests.some((path) => path.startsWith('/main'))).toBe(true);
    expect(requests.filter((path) => CATALOGUE.test(path))).toEqual([]);
  });
});
