import { Resolver } from 'node:dns/promises';
import { expect, type Page, test } from '@playwright/test';
import { collectPageErrors, dnsPort, expectAccessible, expectNoSidewaysScroll, signIn } from './pages';
import { url } from './pages';
import { SUITE_TAG } from './suites';

const MARKDOWN = `# Quarterly report

| Region | Revenue |
| ------ | ------: |
| North  |      42 |

- [x] numbers checked
- [ ] signed off

<img src="data:image/png;base64,eA==" onerror="window.pwned = true">
`;

const resolver = new Resolver();
resolver.setServers([`127.0.0.1:${dnsPort}`]);
const cnameOf = (name: string) =>
  resolver.resolveCname(name).then(
    ([target]) => target,
    (error: { code: string }) => error.code,
  );

async function expectAccessibleLayout(page: Page): Promise<void> {
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
}

test.use({ serviceWorkers: 'allow' });

for (const [provider, person, name, tag] of [
  [/Northwind/, /Ada Park/, 'Ada Park', ['@phone']],
  [/Globex/, /Hank Cole/, 'Hank Cole', [SUITE_TAG]],
] as const) {
  test(
    `${name} signs in, works with a file and an app, and signs out`,
    { tag: [...tag] },
    async ({ page }, { project }) => {
      const errors = collectPageErrors(page);
      const slug = `${name.split(' ')[0]}-${project.name}`.toLowerCase();

      await test.step('the guard redirects to sign-in and remembers the page', async () => {
        await page.goto(`${url}/files`);
        await expect(page).toHaveURL(/\/login\?return_to=%2Ffiles$/);
        await expect(page.getByRole('link', { name: /Continue with/ })).toHaveCount(2);
        await expectAccessibleLayout(page);
        await signIn(page, provider, person);
        await expect(page).toHaveURL(`${url}/files`);
        await expect(page.getByRole('heading', { name: 'Files', level: 1 })).toBeVisible();
      });

      await test.step('a Markdown file is uploaded and shown rendered', async () => {
        await expectAccessibleLayout(page);
        const file = { name: `report ${slug}.md`, mimeType: 'text/markdown', buffer: Buffer.from(MARKDOWN) };
        await page.locator('input[type=file]').setInputFiles(file);
        await page.getByRole('link', { name: file.name }).click();
        await expect(page.getByRole('heading', { name: 'Quarterly report' })).toBeVisible();
        await expect(page.getByRole('cell', { name: '42' })).toBeVisible();
        await expect(page.getByRole('checkbox')).toHaveCount(2);
        expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
        await expectAccessibleLayout(page);
      });

      await test.step('it is listed under the recent files', async () => {
        await page.getByRole('link', { name: 'Home' }).first().click();
        await expect(page.getByRole('link', { name: new RegExp(`report ${slug}`) })).toBeVisible();
        for (const directory of ['threads', 'social-drafts', 'reports', 'knowledge']) {
          await expect(page.locator(`a[href="/files/${directory}"]`)).toBeVisible();
        }
        await expectAccessibleLayout(page);
      });

      const app = `My Shop ${slug}`;
      const hostname = `my-shop-${slug}.apps.localhost`;

      await test.step('an app is registered and its name resolves', async () => {
        await page.getByRole('link', { name: 'Apps' }).first().click();
        await page.getByRole('button', { name: /^(New app|Create your first app)$/ }).click();
        await page.getByRole('dialog').getByLabel('Name').fill(app);
        await expect(page.getByText(`my-shop-${slug}`)).toBeVisible();
        await page.getByRole('button', { name: 'Create app' }).click();
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(app);
        await expect(page.getByRole('link', { name: hostname })).toBeVisible();
        await expect(page.getByText('No deploy', { exact: true })).toBeVisible();
        expect(await cnameOf(hostname)).toBe('edge.localhost');
        await expectAccessibleLayout(page);
      });

      await test.step('the app and its DNS name are deleted', async () => {
        await page
          .getByRole('navigation', { name: 'Pages of the app' })
          .getByRole('link', { name: 'Settings' })
          .click();
        await page.getByRole('button', { name: 'Delete app' }).click();
        await expectAccessibleLayout(page);
        await page.getByRole('alertdialog').getByRole('textbox').fill(app);
        await page
          .getByRole('alertdialog')
          .getByRole('button', { name: /Delete/ })
          .click();
        // The open dialog hides the page behind it from the accessibility tree.
        await expect(page.getByRole('alertdialog')).toHaveCount(0);
        await expect(page.getByRole('link', { name: hostname })).toHaveCount(0);
        expect(await cnameOf(hostname)).toBe('ENOTFOUND');
      });

      await test.step('signing out leads to the sign-in page and closes the other pages', async () => {
        await page.getByRole('link', { name: 'Settings' }).first().click();
        await expectAccessibleLayout(page);
        await page.getByRole('button', { name: 'Sign out', exact: true }).click();
        await expect(page).toHaveURL(/\/login/);
        await page.goto(`${url}/apps`);
        await expect(page).toHaveURL(/\/login\?return_to=%2Fapps/);
      });

      expect(errors).toEqual([]);
    },
  );
}

test('a session survives a reload, and a second tab is signed in without choosing', async ({ page, context }) => {
  await page.goto(`${url}/settings`);
  await signIn(page, /Northwind/, /Ben Okafor/);
  await expect(page.getByText('Ben Okafor').last()).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Sign out', exact: true })).toBeVisible();
  const second = await context.newPage();
  await second.goto(`${url}/apps`);
  await expect(second.getByRole('heading', { name: 'Apps', level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page).toHaveURL(/\/login/);
  await expect(second).toHaveURL(/\/login/);
});

test('a user without an organization has files and sees why there are no apps', async ({ page }) => {
  await page.goto(`${url}/apps`);
  await signIn(page, /Globex/, /Sam Reed/);
  await expect(page.getByText(/your account is not in one/)).toBeVisible();
  await expectAccessibleLayout(page);
  await page.goto(`${url}/files`);
  await expect(page.getByText(/Nothing is here yet/)).toBeVisible();
});

test('the public pages need no account', async ({ page }) => {
  const errors = collectPageErrors(page);
  await page.goto(`${url}/pricing`);
  await expect(page.getByRole('rowheader', { name: 'Gateway call' })).toBeVisible();
  await expectAccessibleLayout(page);
  for (const path of ['/signin', '/login?reason=expired', '/login?reason=access', '/signin?invite=x']) {
    await page.goto(url + path);
    await expect(page.getByRole('link', { name: /Continue with/ })).toHaveCount(2);
    await expectAccessibleLayout(page);
  }
  await page.goto(`${url}/no/such/page`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/not found|nothing/i);
  await expectAccessibleLayout(page);
  expect(errors).toEqual([]);
});

test('a failure is shown with a retry button', { tag: SUITE_TAG }, async ({ browser }, { project }) => {
  // The service worker would bypass the page's routes.
  const { viewport = null } = project.use;
  const page = await (await browser.newContext({ viewport, serviceWorkers: 'block' })).newPage();
  await page.goto(`${url}/settings`);
  await signIn(page, /Northwind/, /Ben Okafor/);
  await expect(page.getByRole('button', { name: 'Sign out', exact: true })).toBeVisible();
  await page.route('**/api/**', (route) => route.fulfill({ status: 503, body: '{}' }));
  for (const path of ['/', '/files', '/view/x.md', '/apps']) {
    await page.goto(url + path);
    await expect(page.getByRole('button', { name: /Retry|Try again/ }).first()).toBeVisible();
    await expectAccessibleLayout(page);
  }
  await page.unroute('**/api/**');
  await page
    .getByRole('button', { name: /Retry|Try again/ })
    .first()
    .click();
  await expect(page.getByRole('button', { name: /^(New app|Create your first app)$/ })).toBeVisible();
  await page.context().close();
});

test('a file uploaded while the list is loading appears in it', async ({ browser }, { project }) => {
  // The service worker would bypass the page's routes.
  const { viewport = null } = project.use;
  const page = await (await browser.newContext({ viewport, serviceWorkers: 'block' })).newPage();
  await page.goto(`${url}/settings`);
  await signIn(page, /Northwind/, /Ben Okafor/);
  await expect(page.getByRole('button', { name: 'Sign out', exact: true })).toBeVisible();
  const uploaded = Promise.withResolvers<undefined>();
  await page.route(/\/api\/files(\?.*)?$/, async (route) => {
    const before = await route.fetch();
    await uploaded.promise;
    await route.fulfill({ response: before });
  });
  await page.goto(`${url}/files`);
  const name = `early-${project.name}-${process.pid}.md`;
  const stored = page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok());
  await page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/markdown', buffer: Buffer.from('# Early') });
  await stored;
  uploaded.resolve(undefined);
  await expect(page.getByRole('link', { name })).toBeVisible();
  await page.context().close();
});

test('the dashboard of an active user, as shown in the README', async ({ page }, { project }) => {
  await page.goto(`${url}/settings`);
  await signIn(page, /Northwind/, /Ben Okafor/);
  await expect(page.getByRole('button', { name: 'Sign out', exact: true })).toBeVisible();
  const files = {
    'threads/launch-plan.md': '# Launch plan',
    'threads/support-rota.md': '# Support rota',
    'social-drafts/autumn-release.md': '# Autumn release',
    'reports/q3-revenue.json': '{ "revenue": 42 }',
    'reports/uptime.csv': 'month,uptime',
    'knowledge/onboarding.md': '# Onboarding',
  };
  await page.evaluate(async (samples) => {
    const { access_token: token } = (await (await fetch('/auth/session')).json()) as { access_token: string };
    const headers = { authorization: `Bearer ${token}` };
    for (const [path, text] of Object.entries(samples)) {
      await fetch(`/api/files/${path}`, { method: 'PUT', body: new Blob([text]), headers });
    }
  }, files);
  await page.goto(`${url}/`);
  await expect(page.getByRole('link', { name: /onboarding\.md/ })).toBeVisible();
  await expect(page.getByText('2 files').first()).toBeVisible();
  await expectAccessibleLayout(page);
  await page.screenshot({ path: `test-results/screenshots/dashboard-${project.name}.png` });
});
