import { seed } from '../bench-fixture.mjs';
import { median } from '../measure.mjs';
import { cookiesOf } from './session-cookies.mjs';

/**
 * Measures the time from the last byte of the listing to the painted list of a directory with `keys` files.
 * @returns milliseconds; `whole` counts from the start of the navigation.
 */
export async function listingToPaint(browser, { fixture, url, rounds }, keys) {
  await seed(
    fixture,
    Array.from({ length: keys }, (_, index) => `many/file ${String((index * 7919) % keys).padStart(5, '0')}.md`),
  );
  const context = await browser.newContext({ serviceWorkers: 'block' });
  await context.addCookies(await cookiesOf(fixture, url));
  await context.addInitScript(watchForRows);
  const times = [];
  for (let round = 0; round < rounds; round++) {
    const page = await context.newPage();
    await page.goto(`${url}/files/many`);
    await page.waitForFunction(() => globalThis.paintedAt !== undefined, undefined, { timeout: 120_000 });
    times.push(await page.evaluate(() => ({ painted: globalThis.paintedAt, listed: globalThis.lastListingAt() })));
    await page.close();
  }
  await context.close();
  return {
    toPaint: median(times.map(({ painted, listed }) => painted - listed)),
    whole: median(times.map(({ painted }) => painted)),
  };
}

/** Runs in the page: records when the frame with the first file is painted. */
function watchForRows() {
  globalThis.lastListingAt = () =>
    Math.max(
      ...performance
        .getEntriesByType('resource')
        .filter(({ name }) => /\/api\/files(\?|$)/.test(name))
        .map(({ responseEnd }) => responseEnd),
    );
  const observer = new MutationObserver(() => {
    if (!document.querySelector('main a[href*="/view/many/"]')) return;
    observer.disconnect();
    // The current frame has been painted when the next one begins.
    requestAnimationFrame(() => requestAnimationFrame(() => (globalThis.paintedAt = performance.now())));
  });
  observer.observe(document, { childList: true, subtree: true });
}
