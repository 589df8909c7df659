// `npm run audit:jobs`: counts the clicks and keys of eight common jobs, in Chromium on the built product with embedded
// services. Needs a build (`npm start` creates one). Prints the counts beside those of the best peers, and exits with 1
// when a job needs more.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { ensureBrowser } from '../bootstrap/browser.ts';
import { startBenchFixture } from './bench-fixture.mjs';
import { Hand } from './client/hand.mjs';
import { JOBS } from './client/jobs.mjs';
import { cookiesOf } from './client/session-cookies.mjs';

const FOLDER_FILES = 340;
const TIMEOUT_MS = 60_000;
/** Counted together: a drag takes the place of a click. */
const COUNTED = [
  ['clicks and drags', ({ clicks = 0, drags = 0 }) => clicks + drags],
  ['keys', ({ keys = 0 }) => keys],
];

const executablePath = await ensureBrowser({ env: process.env });
const fixture = await startBenchFixture();
const url = fixture.ours.url.replace('127.0.0.1', 'localhost');
const scratch = await mkdtemp(join(tmpdir(), 'homeport-jobs-'));
/** A part of the name of a job, to run only this job. */
const only = process.argv[2] ?? '';
const missed = [];
try {
  const work = { fixture, url, ...(await writeFolders()) };
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  for (const job of JOBS.filter(({ name }) => name.includes(only))) await measure(browser, job, work);
  await browser.close();
} finally {
  await fixture.close();
  await rm(scratch, { recursive: true, force: true });
}
if (missed.length > 0) console.log(`missed: ${missed.join('; ')}`);
process.exit(missed.length > 0 ? 1 : 0);

async function measure(browser, { name, peer, best, run }, work) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true });
  context.setDefaultTimeout(TIMEOUT_MS);
  await context.addCookies(await cookiesOf(fixture, url));
  const page = await context.newPage();
  const hand = new Hand(page);
  try {
    const ms = await run({ ...work, page, hand });
    const isMissed = COUNTED.some(([, count]) => count(hand) > count(peer));
    if (isMissed) missed.push(name);
    console.log(
      `${isMissed ? 'MISSED ' : 'reached'}  ${name}: ${hand}, ${(ms / 1000).toFixed(1)} s; best peers: ${best}`,
    );
  } catch (error) {
    missed.push(name);
    console.log(`MISSED   ${name}: ${String(error).split('\n')[0]}`);
    if (process.env.JOBS_SCREENS) await page.screenshot({ path: join(process.env.JOBS_SCREENS, `${name}.png`) });
  } finally {
    await context.close();
  }
}

/** Writes a folder to upload and a site to deploy. */
async function writeFolders() {
  const [folder, site, nextSite] = ['photos', 'site', 'next-site'].map((name) => join(scratch, name));
  await Promise.all([mkdir(join(folder, 'more'), { recursive: true }), mkdir(site), mkdir(nextSite)]);
  const bytes = Buffer.alloc(85_000, 'x');
  for (let at = 0; at < FOLDER_FILES; at++)
    await writeFile(join(folder, at % 2 ? 'more' : '.', `picture ${at}.bin`), bytes);
  await writeFile(join(site, 'index.html'), '<!doctype html><title>First</title><h1>First</h1>');
  await writeFile(join(nextSite, 'index.html'), '<!doctype html><title>Second</title><h1>Second</h1>');
  return { folder, site, nextSite, folderFiles: FOLDER_FILES };
}
