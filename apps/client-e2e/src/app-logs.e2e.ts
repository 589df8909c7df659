import { expect, type Locator, type Page, test } from '@playwright/test';
import { UNAVAILABLE } from './app-steps';
import { expectAccessible, expectNoSidewaysScroll, url } from './pages';
import { mockApi } from './states/mock-api';
import { eventStream, logLine, SSR_APP_ID } from './states/server-fixtures';
import { SUITE_TAG } from './suites';

/** Lines per page of the client. */
const PAGE_SIZE = 500;

interface LogServer {
  /** Sends lines with the next stream. */
  write(from: number, to: number): void;
  /** The requests for streams, as the id that each continues after. */
  readonly streams: (string | undefined)[];
}

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => logLine(from + index, `line ${from + index}`));

/** A log with lines from 1 to `last`. Streams end at once, so that the client opens one after the other. */
async function mockLog(page: Page, last: number): Promise<LogServer> {
  await mockApi(page, { state: 'ready', isSignedIn: true });
  const path = `**/api/apps/${SSR_APP_ID}/logs`;
  const streams: (string | undefined)[] = [];
  let end = last;
  await page.route(`${path}?*`, (route) => {
    const before = Number(new URL(route.request().url()).searchParams.get('before') ?? end + 1);
    return route.fulfill({ json: { items: lines(Math.max(1, before - PAGE_SIZE), before - 1), next_cursor: null } });
  });
  await page.route(path, (route) => {
    const after = route.request().headers()['last-event-id'];
    streams.push(after);
    return route.fulfill({
      contentType: 'text/event-stream',
      body: eventStream(after === undefined ? [] : lines(Number(after) + 1, end)),
    });
  });
  return { write: (_from, to) => (end = to), streams };
}

async function openLog(page: Page): Promise<Locator> {
  await page.goto(`${url}/apps/${SSR_APP_ID}/logs`);
  const log = page.getByRole('log');
  await expect(log).toBeVisible();
  return log;
}

const isAtEnd = (log: Locator) =>
  log.evaluate(({ scrollTop, scrollHeight, clientHeight }) => scrollHeight - scrollTop - clientHeight < 2);

test('the log follows new lines, and each stream continues after the last one', { tag: '@phone' }, async ({ page }) => {
  const server = await mockLog(page, 900);
  const log = await openLog(page);
  await expect(log.getByText('line 900', { exact: true })).toBeInViewport();
  server.write(901, 903);
  await expect(log.getByText('line 903', { exact: true })).toBeInViewport();
  await expect.poll(() => isAtEnd(log)).toBe(true);
  await expect.poll(() => server.streams).toContain('903');
  expect(server.streams[0]).toBe('900');
  await expect(page.getByText('503 lines')).toBeVisible();
});

test('scrolling up holds new lines back until the reader returns', { tag: '@phone' }, async ({ page }) => {
  const server = await mockLog(page, 300);
  const log = await openLog(page);
  await expect(log.getByText('line 300', { exact: true })).toBeInViewport();
  await log.focus();
  // Keys would scroll smoothly, for a time that a test cannot know.
  const top = await log.evaluate((element) => {
    element.scrollBy({ top: -2 * element.clientHeight, behavior: 'instant' });
    return element.scrollTop;
  });
  await expect(page.getByText('Paused', { exact: true }).last()).toBeVisible();
  server.write(301, 304);
  const newest = page.getByRole('button', { name: '4 new lines' });
  await expect(newest).toBeVisible();
  expect(await log.evaluate(({ scrollTop }) => scrollTop)).toBe(top);
  await expect(log.getByText('line 304', { exact: true })).toHaveCount(0);
  await expectAccessible(page);
  await newest.press('Enter');
  await expect(log.getByText('line 304', { exact: true })).toBeInViewport();
  await expect(log).toBeFocused();
  await expect(newest).toHaveCount(0);
});

test('older lines are loaded page by page, up to the beginning', async ({ page }) => {
  await mockLog(page, 1_100);
  const log = await openLog(page);
  await log.evaluate((element) => element.scrollTo({ top: 0 }));
  const first = log.getByText('line 601', { exact: true });
  const older = page.getByRole('button', { name: 'Show older lines' });
  await older.click();
  await expect(page.getByText('1,000 lines')).toBeVisible();
  await expect(first).toBeInViewport();
  await page.route('**/logs?*', (route) => route.fulfill(UNAVAILABLE));
  await log.evaluate((element) => element.scrollTo({ top: 0 }));
  await older.click();
  await expect(log.getByRole('alert')).toContainText('Older lines could not be loaded');
  await page.unroute('**/logs?*');
  await log.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('1,100 lines')).toBeVisible();
  await log.evaluate((element) => element.scrollTo({ top: 0 }));
  await expect(log.getByText('This is the beginning of the log.')).toBeInViewport();
});

test('thousands of lines stay in the browser, and not more', { tag: SUITE_TAG }, async ({ page }) => {
  const server = await mockLog(page, 20_000);
  const log = await openLog(page);
  await expect(log.getByText('line 20000', { exact: true })).toBeInViewport();
  server.write(20_001, 26_000);
  await expect(log.getByText('line 26000', { exact: true })).toBeInViewport();
  await expect(page.getByText('5,000 lines')).toBeVisible();
  // Lines far from the visible part take no layout.
  const first = log.locator('hp-log-lines').first();
  expect(
    await first.evaluate((block) => block.firstElementChild?.checkVisibility({ contentVisibilityAuto: true })),
  ).toBe(false);
  await page.getByRole('searchbox').fill('25999');
  await expect(page.getByText('1 of 5,000 lines', { exact: true })).toBeVisible();
  await expect(log.locator('mark')).toHaveText('25999');
});

test('a failed stream is shown and tried again, and a copy has time and stream', async ({
  page,
  context,
  browserName,
}) => {
  test.skip(browserName !== 'chromium', 'Only Chromium lets a test read the clipboard.');
  await context.grantPermissions(['clipboard-read']);
  await mockLog(page, 2);
  const path = `**/api/apps/${SSR_APP_ID}/logs`;
  await page.route(path, (route) => route.fulfill(UNAVAILABLE));
  await openLog(page);
  await expect(page.getByText('Connection lost. Trying again…').last()).toBeVisible();
  await page.unroute(path);
  await page.route(path, (route) => route.fulfill({ contentType: 'text/event-stream', body: eventStream([]) }));
  await expect(page.getByText('Following', { exact: true }).last()).toBeVisible();
  await page.getByRole('button', { name: 'Copy lines' }).click();
  await expect(page.getByText('Copied: 2 lines.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    '2026-11-20T15:29:00.000Z stdout line 1\n2026-11-20T15:29:00.000Z stdout line 2',
  );
});

for (const [name, path] of [
  ['the log', 'logs'],
  ['the environment', 'environment'],
  ['the server', ''],
] as const) {
  test(`${name} fits a screen of 320 pixels`, async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await mockApi(page, { state: 'ready', isSignedIn: true });
    await page.goto(`${url}/apps/${SSR_APP_ID}/${path}`);
    await expect(page.getByRole('region', { name: /Logs|Environment variables|Server/ })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });
}
