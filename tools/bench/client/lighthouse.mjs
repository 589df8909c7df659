import { chromium } from '@playwright/test';
import lighthouse from 'lighthouse';
import { freePort } from '../../dev-services/ports.ts';
import { median } from '../measure.mjs';

/** The pages that Lighthouse audits, emulating a phone on slow 4G. */
export const AUDITED = ['/signin', '/pricing', '/', '/files', '/view/reports/weekly.md', '/apps', '/settings'];

const CATEGORIES = ['performance', 'accessibility', 'best-practices'];

/** Returns the medians of several runs: scores out of 100, milliseconds, and the layout shift. */
export async function lighthouseMedians({ fixture, url, executablePath, rounds }, path) {
  const results = [];
  for (let round = 0; round < rounds; round++) {
    const look = () => judge(fixture, url + path, executablePath);
    // Lighthouse occasionally loses the beginning of its trace; retry once.
    results.push(await look().catch(look));
  }
  const of = (figure) => median(results.map(figure));
  return {
    performance: of((each) => 100 * each.categories.performance.score),
    accessibility: of((each) => 100 * each.categories.accessibility.score),
    bestPractices: of((each) => 100 * each.categories['best-practices'].score),
    lcp: of((each) => each.audits['largest-contentful-paint'].numericValue),
    tbt: of((each) => each.audits['total-blocking-time'].numericValue),
    cls: of((each) => each.audits['cumulative-layout-shift'].numericValue),
  };
}

/** Runs Lighthouse once in a new browser; public pages without a session. */
async function judge(fixture, address, executablePath) {
  const port = await freePort();
  const args = ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`];
  const browser = await chromium.launch({ executablePath, args });
  try {
    const isPublic = /\/(signin|pricing)$/.test(address);
    const extraHeaders = isPublic ? undefined : { Cookie: await fixture.cookies() };
    const { lhr } = await lighthouse(address, { port, extraHeaders, onlyCategories: CATEGORIES, logLevel: 'error' });
    for (const { id, score, title } of Object.values(lhr.audits)) {
      if (score !== null && score < 0.9 && process.env.AUDIT_DETAILS) console.log(`  ${id}: ${score} ${title}`);
    }
    if (lhr.runtimeError) throw new Error(`${address}: ${lhr.runtimeError.message}`);
    return lhr;
  } finally {
    await browser.close();
  }
}
