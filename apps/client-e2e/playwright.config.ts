import { defineConfig, devices } from '@playwright/test';
import { isFull, SUITE_TAG } from './src/suites';

const root = '../..';
/** Playwright's own variables for the path of the JSON report. */
const wantsJson = process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] || process.env['PLAYWRIGHT_JSON_OUTPUT_NAME'];

/** Tests whose results depend on the screen size. The full suite runs every test on a phone. */
const PHONE_TAG = /@phone/;

/** Tests the built client with embedded services in a real browser, at desktop and phone size. */
export default defineConfig({
  testDir: 'src',
  testMatch: '*.e2e.ts',
  outputDir: `${root}/test-results`,
  globalSetup: `${root}/tools/testing/browser-setup.mjs`,
  globalTeardown: `${root}/tools/testing/global-teardown.mjs`,
  fullyParallel: false,
  ...(!isFull && { grepInvert: new RegExp(SUITE_TAG) }),
  // Files run in parallel, so tests that end sessions or count files use separate users.
  workers: 2,
  forbidOnly: Boolean(process.env['CI']),
  // Finds out whether a failure is rare; the gate reports such a test and accepts few of them (decision 0053).
  retries: process.env['CI'] ? 1 : 0,
  timeout: 300_000,
  // Also on a machine that does much else, where a page needs half a minute.
  expect: { timeout: 90_000 },
  reporter: wantsJson ? [['list'], ['json']] : [['list']],
  use: {
    locale: 'en-GB',
    // It would bypass a page's routes, and cache the whole app for each test. Tests of the service worker allow it.
    serviceWorkers: 'block',
    // Without animations, so that no test reads a colour in the middle of a transition.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      // Set by `npm test`, which reports a missing Chromium; otherwise Playwright's own download is used.
      executablePath: process.env['CHROMIUM_PATH'],
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
    },
  },
  projects: [
    {
      name: 'desktop',
      // The file sets the size of a phone.
      testIgnore: '**/small-screens.e2e.ts',
      use: { viewport: { width: 1280, height: 800 } },
    },
    {
      name: 'phone',
      ...(!isFull && { grep: PHONE_TAG }),
      // Scripts in a hostile file, and servers, do not depend on the screen size.
      testIgnore: ['**/xss.e2e.ts', '**/ssr-frameworks.e2e.ts'],
      use: { ...devices['Pixel 7'], viewport: { width: 390, height: 844 } },
    },
  ],
});
