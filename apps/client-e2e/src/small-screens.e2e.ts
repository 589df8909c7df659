import { expect, type Page, test } from '@playwright/test';
import { addSession, registerApp, signedInAt, uniqueName } from './app-steps';
import { expectNoSidewaysScroll, url } from './pages';
import { personOf, putFiles } from './file-steps';
import { DOMAIN_LIST, DOMAINS } from './states/domain-fixtures';
import { mockApi } from './states/mock-api';
import { APPS, SESSION } from './states/workspace-fixtures';
import { SUITE_TAG } from './suites';

test.use({ viewport: { width: 320, height: 640 } });
test.describe.configure({ mode: 'parallel' });

const endless = (sign: string) => sign.repeat(300);
const LONG = 'W'.repeat(200);
const DEEP = Array.from({ length: 30 }, (_, level) => `level-${level}`).join('/');

const TEXTS: Readonly<Record<string, string>> = {
  heading: `# ${endless('h')}`,
  code: `\`${endless('c')}\`\n\n\`\`\`\n${endless('k')}\n\`\`\``,
  table: `| ${endless('t')} | b |\n| -- | -- |\n| 1 | 2 |`,
  links: `[${endless('l')}](https://example.com)\n\nhttps://example.com/${endless('u')}`,
  lists: `- [ ] ${endless('b')}\n\n1. ${endless('o')}\n\n> [!NOTE]\n> ${endless('q')}`,
  pictures: `![${endless('e')}](https://images.example.com/x.png)\n\n![${endless('g')}](gone.png)`,
  folded: `<details><summary>${endless('s')}</summary>x</details>\n\n<kbd>${endless('k')}</kbd>`,
  data: `---\ntitle: ${endless('f')}\n${endless('n')}: 1\n---\n`,
};

/** Expects that the page is not wider than the screen, which would make a phone zoom out. */
async function expectToFit(page: Page, path: string, width = 320): Promise<void> {
  await page.goto(url + path);
  await expect(page.locator('h1[tabindex="-1"]')).toBeVisible();
  await expect(page.locator('hp-skeleton:visible')).toHaveCount(0);
  await page.waitForLoadState('networkidle');
  expect(await page.evaluate(() => innerWidth), path).toBe(width);
  await expectNoSidewaysScroll(page);
}

test('a page with long names fits the smallest phone', { tag: '@phone' }, async ({ page }, info) => {
  await addSession(page, personOf(info));
  await putFiles(page, { [`narrow/${LONG}.md`]: '# Long', [`narrow/${DEEP}/deep.json`]: `{"${endless('k')}": 1}` });
  const files = ['/files', '/files/narrow', `/files/narrow/${DEEP}`, `/files/${LONG}`];
  const views = [`/view/narrow/${LONG}.md`, `/view/narrow/${DEEP}/deep.json`, `/view/${LONG}`];
  const edits = [`/edit/narrow/${LONG}.md`, `/edit/${LONG}.md`];
  for (const path of [
    '/',
    ...files,
    ...views,
    ...edits,
    '/settings',
    '/apps',
    '/usage',
    '/pricing',
    '/signin',
    `/${LONG}`,
  ]) {
    await expectToFit(page, path);
  }
});

test(
  'a text without spaces wraps or scrolls inside its box',
  { tag: ['@phone', SUITE_TAG] },
  async ({ page }, info) => {
    await addSession(page, personOf(info));
    const named = Object.entries(TEXTS).map(([name, text]) => [`narrow/${name}.md`, text] as const);
    const formulas = `$$${'x+'.repeat(100)}x$$\n\nAs in $${'y+'.repeat(100)}y$ here, and in $z$.`;
    await putFiles(page, { ...Object.fromEntries(named), 'narrow/formulas.md': formulas });
    for (const name of Object.keys(TEXTS)) await expectToFit(page, `/view/narrow/${name}.md`);
    await page.goto(`${url}/view/narrow/formulas.md`);
    await expect(page.locator('.formula math')).toHaveCount(3);
    await expectNoSidewaysScroll(page);
  },
);

test('a user and an app with long names fit', { tag: '@phone' }, async ({ page }) => {
  const name = `Maximiliane-Theodora ${'von und zu Lichtenfels-Hohenstein '.repeat(3)}`;
  const user = { ...SESSION.user, name, email: `${LONG}@northwind.example`, organization: `org_${LONG}` };
  const label = LONG.slice(0, 63);
  const address = { url: `http://${label}.localhost`, addresses: [] };
  const apps = APPS.map((each) => ({ ...each, name: LONG.slice(0, 100), ...address }));
  const hostname = `${[label, label, label].join('.')}.example`;
  const records = DOMAINS.mistakes.records.map((each) => ({ ...each, name: `_homeport.${hostname}` }));
  const domain = { ...DOMAINS.mistakes, name: hostname, redirect_to: hostname, records };
  await mockApi(page, { state: 'ready', isSignedIn: true });
  await page.route('**/auth/session', (route) => route.fulfill({ json: { ...SESSION, user } }));
  await page.route(/\/api\/apps(\?.*)?$/, (route) => route.fulfill({ json: { items: apps, next_cursor: null } }));
  await page.route(/\/api\/domains(\?.*)?$/, (route) => route.fulfill({ json: { ...DOMAIN_LIST, items: [domain] } }));
  await page.route(`**/api/domains/${domain.id}`, (route) => route.fulfill({ json: domain }));
  const domains = ['/apps/domains', `/apps/domains/${domain.id}`];
  for (const path of ['/', '/apps', ...domains, '/settings', '/settings/tokens']) await expectToFit(page, path);
  await page.getByRole('button', { name: /^Account of Max/ }).click();
  const menu = page.getByRole('menu');
  await expect(menu).toBeVisible();
  expect(await menu.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  await expectNoSidewaysScroll(page);
});

test.describe('at 200 % zoom', () => {
  // Zooming halves the viewport in CSS pixels and doubles its density.
  test.use({ viewport: { width: 640, height: 400 }, deviceScaleFactor: 2, isMobile: false, hasTouch: false });

  test('no page of a 1280 pixels wide window scrolls sideways', { tag: '@phone' }, async ({ page }) => {
    await signedInAt(page, '/apps');
    await putFiles(page, { [`zoom/${LONG}.md`]: `# ${LONG}\n\nText`, 'zoom/prices.csv': 'Name,Price\na,1\n' });
    const { id } = await registerApp(page, uniqueName('Zoom'));
    const files = ['/files', '/files/zoom', `/view/zoom/${LONG}.md`, '/view/zoom/prices.csv', `/edit/zoom/${LONG}.md`];
    for (const path of ['/', ...files, '/apps', `/apps/${id}`, `/apps/${id}/settings`, '/settings']) {
      await expectToFit(page, path, 640);
    }
  });
});

for (const [language, words] of [
  ['en', 'Server unreachable'],
  ['de', 'Server nicht erreichbar'],
] as const) {
  test(`the words of a lost connection are whole on a phone (${language})`, { tag: '@phone' }, async ({ page }) => {
    await page.addInitScript((chosen) => localStorage.setItem('homeport.language', chosen), language);
    await page.setViewportSize({ width: 390, height: 844 });
    await signedInAt(page, '/files');
    await page.route('**/api/**', (route) => route.abort());
    await page.reload();
    const shown = page.locator('hp-connection-chip').getByText(words, { exact: true });
    await expect(shown).toBeVisible();
    const isWhole = (element: Element) =>
      element.scrollWidth <= element.clientWidth && element.scrollHeight <= element.clientHeight;
    expect(await shown.evaluate(isWhole)).toBe(true);
    await expectNoSidewaysScroll(page);
    await page.setViewportSize({ width: 320, height: 640 });
    await expectNoSidewaysScroll(page);
  });
}
