import { defineConfig, devices } from '@playwright/test';

const root = '../..';
/** The names by which Playwright itself is told where the report goes. */
const wantsJson = process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] || process.env['PLAYWRIGHT_JSON_OUTPUT_NAME'];

/** The client in a real browser, on the built product with embedded services, at the two sizes people have. */
export default defineConfig({
  testDir: 'src',
  testMatch: '*.e2e.ts',
  outputDir: `${root}/test-results`,
  globalSetup: `${root}/tools/testing/global-setup.mjs`,
  globalTeardown: `${root}/tools/testing/global-teardown.mjs`,
  fullyParallel: false,
  // Files run beside one another: whoever ends sessions or counts files has people of their own.
  workers: 2,
  forbidOnly: Boolean(process.env['CI']),
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: wantsJson ? [['list'], ['json']] : [['list']],
  use: {
    locale: 'en-GB',
    // A colour on its way is neither the one before nor the one after.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      // Found by `npm test`, which says so when there is none; Playwright's own download otherwise.
      executablePath: process.env['CHROMIUM_PATH'],
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
    },
  },
  projects: [
    { name: 'desktop', use: { viewport: { width: 1280, height: 800 } } },
    {
      name: 'phone',
      // What runs in a hostile file does not depend on the size of the screen.
      testIgnore: '**/xss.e2e.ts',
      use: { ...devices['Pixel 7'], viewport: { width: 390, height: 844 } },
    },
  ],
});
