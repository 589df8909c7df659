// `npm run bench:http2`: would HTTP/2 at the edge pay? Loads a page with many files in Chromium from a bare Node server by
// HTTP/1.1 and by HTTP/2, over connections with a delay. Needs a build and Chromium (`CHROMIUM_PATH`). Prints figures;
// there is no target.
import { once } from 'node:events';
import { createSecureServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer } from 'node:net';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { interleaved, median } from './measure.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const DELAYS_MS = [0, 20, 50];
const FILES = [20, 60];
const HOST = 'www.bench.test';
const { generateCertificateKey, signCertificate } = await import(
  fileURLToPath(new URL('../../dist/api/libs/platform/server/src/certificates/index.js', import.meta.url))
);

/** The size of a typical chunk of a script, compressed. */
const FILE = Buffer.alloc(10_240, '/');
const pageWith = (files) =>
  Array.from({ length: files }, (_, i) => `<script defer src="/${i}.js"></script>`).join('\n') + '<h1>Page</h1>';

const key = generateCertificateKey();
const now = Date.now();
const validity = { notBefore: new Date(now - 86_400_000), notAfter: new Date(now + 86_400_000) };
const cert = signCertificate({ commonName: HOST, names: [HOST], key, issuer: { commonName: HOST, key }, ...validity });
const tls = { cert, key: key.export({ type: 'pkcs8', format: 'pem' }) };
function handle(request, response) {
  const files = /^\/page-(\d+)$/.exec(request.url)?.[1];
  const body = files ? pageWith(Number(files)) : FILE;
  response.writeHead(200, { 'content-type': files ? 'text/html' : 'text/javascript', 'cache-control': 'no-store' });
  response.end(body);
}

/** Delays what both sides send by half of a round trip. */
async function delayed(port, roundTripMs) {
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1').setNoDelay();
    near.setNoDelay();
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      const later = (action) => setTimeout(action, roundTripMs / 2);
      from.on('data', (chunk) => later(() => to.write(chunk)));
      from.on('end', () => later(() => to.end()));
      from.on('error', () => to.destroy());
    }
  });
  return listening(server);
}

async function listening(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: server.address().port };
}

/** Milliseconds until a page and its files are loaded in a new browser profile. */
async function loadTime(browser, port, files) {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(`https://${HOST}:${port}/page-${files}`, { waitUntil: 'load' });
  const took = await page.evaluate(() => performance.getEntriesByType('navigation')[0].loadEventEnd);
  const protocol = await page.evaluate(() => performance.getEntriesByType('navigation')[0].nextHopProtocol);
  await context.close();
  return { took, protocol };
}

console.log(
  `${cpus().length} × ${cpus()[0].model}, Node ${process.version}, ${ROUNDS} rounds each, interleaved, medians`,
);
const servers = {
  'HTTP/1.1': await listening(createHttpsServer(tls, handle)),
  'HTTP/2': await listening(createSecureServer({ ...tls, allowHTTP1: true }, handle)),
};
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH,
  args: ['--no-sandbox', '--disable-gpu', `--host-resolver-rules=MAP ${HOST} 127.0.0.1`],
});
for (const files of FILES) {
  for (const delay of DELAYS_MS) {
    const measurements = {};
    for (const [name, { port }] of Object.entries(servers)) {
      const proxy = await delayed(port, delay);
      measurements[name] = () => loadTime(browser, proxy.port, files);
    }
    const results = await interleaved(ROUNDS, measurements);
    const figures = Object.entries(results).map(([name, each]) => {
      return `${name} (${each[0].protocol}) ${median(each.map(({ took }) => took)).toFixed(0)} ms`;
    });
    console.log(`${files} files of 10 KiB, round trip ${delay} ms: ${figures.join(', ')}`);
  }
}
await browser.close();
// Ends the servers too.
process.exit();
