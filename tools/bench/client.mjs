// `npm run audit:client`: measures the size and speed of the client, on the built product with embedded services. Needs
// a build (`npm start` creates one). Prints the figures and exits with 1 when a target is missed.
import { cpus } from 'node:os';
import { chromium } from '@playwright/test';
import { ensureBrowser } from '../bootstrap/browser.ts';
import { installability, offlineStart } from './client/installability.mjs';
import { AUDITED, lighthouseMedians } from './client/lighthouse.mjs';
import { listingToPaint } from './client/listing-to-paint.mjs';
import { initialScripts } from './client/script-size.mjs';
import { seed, startBenchFixture } from './bench-fixture.mjs';
import { Verdict } from './verdict.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const KEYS = Number(process.env.AUDIT_KEYS ?? 50_000);
/** Most visits show files, not the first steps of an empty workspace. */
const FILES = ['reports/weekly.md', 'reports/monthly.json', 'threads/plan.md', 'knowledge/start.md'];
const verdict = new Verdict();

const executablePath = await ensureBrowser({ env: process.env });
console.log(`${cpus().length} × ${cpus()[0].model}, ${executablePath}, medians of ${ROUNDS} rounds`);
const fixture = await startBenchFixture();
const url = fixture.ours.url.replace('127.0.0.1', 'localhost');
const audit = { fixture, url, executablePath, rounds: ROUNDS };
try {
  await seed(fixture, FILES);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  await weigh(browser);
  await install();
  await judge();
  await list(browser);
  await browser.close();
} finally {
  await fixture.close();
}
process.exit(verdict.end());

async function weigh(browser) {
  for (const [path, bytes] of await initialScripts(browser, audit)) {
    verdict.atMost(`scripts of ${path}, gzip`, bytes / 1000, 150, ' kB');
  }
}

async function list(browser) {
  const { toPaint, whole } = await listingToPaint(browser, audit, KEYS);
  console.log(`${KEYS} keys: ${whole.toFixed(0)} ms from opening the page to the painted list, listing included`);
  verdict.atMost(`${KEYS} keys to a painted list`, toPaint, 300, ' ms');
}

async function install() {
  const errors = await installability(audit);
  if (errors === undefined) console.log('skipped   installability: this browser cannot report it');
  else verdict.atMost(`installability errors${errors.map((each) => ` ${each}`).join()}`, errors.length, 0);
  verdict.atLeast('pages that start without a connection, of 2', await offlineStart(audit), 2);
}

async function judge() {
  for (const page of AUDITED) {
    const figures = await lighthouseMedians(audit, page);
    verdict.atLeast(`${page} performance`, figures.performance, 95);
    verdict.atLeast(`${page} accessibility`, figures.accessibility, 100);
    verdict.atLeast(`${page} best practices`, figures.bestPractices, 100);
    verdict.atMost(`${page} largest contentful paint`, figures.lcp / 1000, 1.8, ' s');
    verdict.atMost(`${page} total blocking time`, figures.tbt, 150, ' ms');
    verdict.atMost(`${page} layout shift`, figures.cls, 0.02);
  }
}
