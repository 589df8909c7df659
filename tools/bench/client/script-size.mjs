import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { cookiesOf } from './session-cookies.mjs';

const FOLDER = new URL('../../../dist/client/browser/', import.meta.url);

/** Each page with the heading that it shows when it is complete. */
const PAGES = [
  ['/signin', 'Sign in to Homeport'],
  ['/', 'Apps'],
];

/** Measures the scripts of a first visit, per page. @returns pairs of path and gzip bytes. */
export async function initialScripts(browser, { fixture, url }) {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const weights = [];
  for (const [path, heading] of PAGES) {
    if (path === '/') await context.addCookies(await cookiesOf(fixture, url));
    const page = await context.newPage();
    const scripts = new Set();
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.add(new URL(request.url()).pathname.slice(1));
    });
    await page.goto(url + path, { waitUntil: 'networkidle' });
    // On a busy machine, the network may be idle before the scripts start.
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    const sizes = await Promise.all([...scripts].map(gzipSize));
    weights.push([path, sizes.reduce((sum, size) => sum + size, 0)]);
    await page.close();
  }
  await context.close();
  return weights;
}

async function gzipSize(name) {
  return gzipSync(await readFile(new URL(name, FOLDER)), { level: 9 }).length;
}
