import { expect, type Page, test } from '@playwright/test';
import { collectPageErrors, expectAccessible, expectNoSidewaysScroll, THEMES, url } from './pages';
import * as deploys from './states/deploy-actions';
import * as domains from './states/domain-actions';
import { DOMAINS } from './states/domain-fixtures';
import { mockApi } from './states/mock-api';
import { type State, STATES } from './states/screen-state';
import * as servers from './states/server-actions';
import { isFull, SUITE_TAG } from './suites';

/** A screen and its expected text per state; states that it cannot have are omitted. */
interface Screen {
  readonly name: string;
  readonly path: string;
  readonly isPublic?: true;
  readonly shows: Partial<Record<State, RegExp>>;
  /** Actions before the check. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** Selector of the last element to appear; syntax highlighting comes after the text. */
  readonly last?: string;
}

const APP = '/apps/00000000-0000-4000-8000-000000000003';
const SSR_APP = '/apps/00000000-0000-4000-8000-000000000004';

const SCREENS: readonly Screen[] = [
  {
    name: 'sign-in',
    path: '/signin',
    isPublic: true,
    shows: { loading: /Loading/, failed: /could not be loaded/, empty: /not set up/, ready: /Northwind Workforce/ },
  },
  {
    name: 'dashboard',
    path: '/',
    shows: { loading: /Loading/, failed: /could not be loaded/, empty: /no files yet/, ready: /handbook\.md/ },
  },
  {
    name: 'files',
    path: '/files',
    shows: { loading: /Loading/, failed: /could not be loaded/, empty: /Nothing is here yet/, ready: /handbook\.md/ },
  },
  { name: 'directory', path: '/files/reports', shows: { empty: /Nothing is here yet/, ready: /uptime\.csv/ } },
  {
    name: 'markdown',
    path: '/view/handbook.md',
    shows: { loading: /Loading/, failed: /could not be loaded/, empty: /file is empty/, ready: /The rota changes/ },
    last: '.code .tok-keyword',
  },
  { name: 'json', path: '/view/settings.json', shows: { ready: /9007199254740993/ }, last: '.tok-number' },
  {
    name: 'editor',
    path: '/edit/handbook.md',
    shows: { loading: /Loading/, failed: /could not be opened/, empty: /Save/, ready: /first week/ },
    last: '.cm-line span',
  },
  {
    name: 'apps',
    path: '/apps',
    shows: { loading: /Loading/, failed: /could not be loaded/, empty: /no apps yet/i, ready: /Customer portal/ },
  },
  {
    name: 'app',
    path: APP,
    shows: {
      loading: /Loading/,
      failed: /could not be loaded/,
      empty: /Nothing is deployed yet/,
      ready: /Current deploy/,
    },
  },
  { name: 'app-settings', path: `${APP}/settings`, shows: { ready: /does not answer/ } },
  { name: 'new-app', path: '/apps?do=new-app', shows: { ready: /Customer portal/ }, act: showNewApp },
  { name: 'app-deploy-dialog', path: APP, shows: { ready: /Old shop/ }, act: deploys.deployDialog },
  { name: 'app-deploys', path: APP, shows: { ready: /Archived/ }, act: deploys.showDeploys },
  { name: 'app-uploading', path: APP, shows: { ready: /Uploading…/ }, act: deploys.uploading },
  { name: 'app-processing', path: APP, shows: { ready: /Processing…/ }, act: deploys.processing },
  { name: 'app-held-back', path: APP, shows: { ready: /Go live anyway/ }, act: deploys.heldBack },
  { name: 'app-rejected', path: APP, shows: { ready: /leads out of the archive/ }, act: deploys.rejected },
  { name: 'app-problems', path: APP, shows: { ready: /line 12/ }, act: deploys.problemsShown },
  {
    name: 'app-without-history',
    path: APP,
    shows: { ready: /deploys could not be loaded/ },
    act: deploys.historyUnavailable,
  },
  { name: 'app-server', path: SSR_APP, shows: { ready: /84 MiB of 256 MiB/ } },
  { name: 'app-crash-loop', path: SSR_APP, shows: { ready: /exit code 1/ }, act: servers.crashLoop },
  { name: 'app-restart', path: SSR_APP, shows: { ready: /Ready/ }, act: servers.restartDialog },
  { name: 'app-start-log', path: SSR_APP, shows: { ready: /Missing environment variable/ }, act: servers.startLog },
  {
    name: 'app-logs',
    path: `${SSR_APP}/logs`,
    shows: { loading: /Loading/, failed: /log could not be loaded/, empty: /No lines yet/, ready: /64 KiB per second/ },
  },
  { name: 'app-logs-search', path: `${SSR_APP}/logs`, shows: { ready: /2 of 12 lines/ }, act: servers.logSearch },
  { name: 'app-without-logs', path: `${APP}/logs`, shows: { ready: /This app has no logs/ } },
  {
    name: 'app-environment',
    path: `${SSR_APP}/environment`,
    shows: {
      loading: /Loading/,
      failed: /variables could not be loaded/,
      empty: /No variables are set/,
      ready: /DATABASE_URL/,
    },
  },
  {
    name: 'app-environment-form',
    path: `${SSR_APP}/environment`,
    shows: { ready: /Homeport sets this variable itself/ },
    act: servers.filledForm,
  },
  { name: 'app-without-environment', path: `${APP}/environment`, shows: { ready: /This app has no environment/ } },
  {
    name: 'domains',
    path: '/apps/domains',
    shows: {
      loading: /Loading/,
      failed: /domains could not be loaded/,
      empty: /No domains yet/,
      ready: /blog\.northwind\.example/,
    },
  },
  { name: 'domain-add', path: '/apps/domains', shows: { ready: /Base domains/ }, act: domains.addDomainDialog },
  { name: 'domain-add-base', path: '/apps/domains', shows: { ready: /Base domains/ }, act: domains.baseDomainDialog },
  {
    name: 'domain-add-hostname',
    path: '/apps/domains',
    shows: { ready: /No domains yet/ },
    act: domains.hostnameOnlyDialog,
  },
  { name: 'domain-refused', path: '/apps/domains', shows: { ready: /Base domains/ }, act: domains.refusedDomain },
  {
    name: 'domain-pending',
    path: domainPath('pending'),
    shows: { loading: /Loading/, failed: /could not be loaded/, ready: /Waiting for your DNS records/ },
  },
  { name: 'domain-mistakes', path: domainPath('mistakes'), shows: { ready: /adds the domain to the name/ } },
  { name: 'domain-issuing', path: domainPath('issuing'), shows: { ready: /certificate is being issued/ } },
  { name: 'domain-active', path: domainPath('active'), shows: { ready: /renewed automatically/ } },
  { name: 'domain-base', path: domainPath('base'), shows: { ready: /receive cookies/ } },
  { name: 'domain-failing', path: domainPath('failing'), shows: { ready: /Some visitors of/ } },
  { name: 'domain-suspended', path: domainPath('suspended'), shows: { ready: /missing for 7 days/ } },
  { name: 'domain-redirecting', path: domainPath('redirecting'), shows: { ready: /redirected to landing-page/ } },
  { name: 'domain-removal', path: domainPath('active'), shows: { ready: /Remove domain/ }, act: domains.removalDialog },
  {
    name: 'pricing',
    path: '/pricing',
    isPublic: true,
    shows: { loading: /Loading/, failed: /could not be loaded/, ready: /Gateway call/ },
  },
  {
    name: 'usage',
    path: '/usage',
    shows: {
      loading: /Loading/,
      failed: /usage could not be loaded/,
      empty: /Nothing used yet/,
      ready: /Usage has reached 75% of the budget of \$100\.00/,
    },
  },
  { name: 'usage-charged', path: '/usage?period=2026-10', shows: { ready: /Storage: by price list 2026-10-01/ } },
  {
    name: 'settings',
    path: '/settings',
    shows: { loading: /Loading/, failed: /could not be loaded/, ready: /iPhone/ },
  },
  { name: 'settings-appearance', path: '/settings/appearance', shows: { ready: /saved on this device/ } },
  { name: 'settings-storage', path: '/settings/storage', shows: { ready: /In your workspace/ } },
  {
    name: 'access-tokens',
    path: '/settings/tokens',
    shows: { loading: /Loading/, failed: /could not be loaded/, empty: /No tokens yet/, ready: /Nightly backup/ },
  },
  { name: 'not-found', path: '/no/such/page', shows: { ready: /Page not found/ } },
];

function domainPath(state: keyof typeof DOMAINS): string {
  return `/apps/domains/${DOMAINS[state].id}`;
}

/** Types a name into the dialog for a new app. */
async function showNewApp(page: Page): Promise<void> {
  await page.getByRole('dialog', { name: 'New app' }).getByLabel('Name').fill('My shop');
}

/** In the gate, phones show these screens; all others are only made narrow. */
const ON_PHONES: readonly string[] = [
  ...['dashboard', 'files', 'markdown', 'editor', 'apps', 'app', 'new-app', 'app-deploys', 'app-logs'],
  ...['domain-active', 'usage', 'pricing', 'settings'],
];

/** In the gate, phones show what is ready, and two screens stand for all that are loading or empty. */
function tagsOf({ name }: Screen, state: State): string[] {
  if (state === 'ready') return ON_PHONES.includes(name) ? ['@phone'] : [];
  return state === 'failed' || name === 'dashboard' || name === 'files' ? [] : [SUITE_TAG];
}

/** Ignored by git. */
const PICTURES = 'test-results/screens';

// The tests leave nothing on the server, so they can run in parallel.
test.describe.configure({ mode: 'parallel' });

for (const screen of SCREENS) {
  for (const state of STATES) {
    const words = screen.shows[state];
    if (!words) continue;
    test(`${screen.name} ${state}`, { tag: tagsOf(screen, state) }, async ({ page }, { project }) => {
      const errors = collectPageErrors(page);
      await mockApi(page, { state, isSignedIn: !screen.isPublic });
      await page.goto(url + screen.path);
      await screen.act?.(page);
      await expect(page.locator('main')).toContainText(words);
      await expect(page.locator('h1[tabindex="-1"]')).toHaveCount(1);
      // The skeleton becomes visible after a delay.
      if (state === 'loading') await expect(page.locator('hp-skeleton:visible').first()).toHaveCSS('opacity', '1');
      if (state === 'ready' && screen.last) await expect(page.locator(screen.last).first()).toBeVisible();
      await expectNoSidewaysScroll(page);
      if (isFull) await takePictures(page, `${screen.name}-${state}-${project.name}`);
      // The colours are the same on a phone.
      const inAllThemes = state === 'ready' && project.name === 'desktop';
      await expectAccessible(page, inAllThemes ? THEMES : undefined);
      expect(errors.filter((each) => !/status of (400|422|503)/.test(each))).toEqual([]);
      // Last, because the editor reports its changed size as an error of the browser.
      if (inAllThemes) await expectToFitNarrowly(page);
    });
  }
}

/** Expects that the page does not scroll horizontally at the width of a phone. */
async function expectToFitNarrowly(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  // Parts that depend on the width follow one frame later.
  await expect(() => expectNoSidewaysScroll(page)).toPass();
}

async function takePictures(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    // Fixed elements are painted in the new colours one frame later.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await page.screenshot({ path: `${PICTURES}/${name}-${colorScheme}.jpg`, type: 'jpeg', quality: 70 });
  }
}
