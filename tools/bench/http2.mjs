// `npm run bench:http2`: loads a page with many files in Chromium from the server of the edge by HTTP/1.1 and by HTTP/2,
// over connections with a delay, and compares the processor time of a request. Needs a build and Chromium
// (`CHROMIUM_PATH`). Prints figures; there is no target.
import { once } from 'node:events';
import { Agent, get } from 'node:https';
import { connect as connectByHttp2 } from 'node:http2';
import { connect, createServer } from 'node:net';
import { cpus } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { interleaved, median } from './measure.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const DELAYS_MS = [0, 20, 50];
const FILES = [20, 60];
const HOST = 'www.bench.test';
const REQUESTS = 2_000;
const built = (path) => fileURLToPath(new URL(`../../dist/api/libs/${path}.js`, import.meta.url));
const { generateCertificateKey, signCertificate } = await import(built('platform/server/src/certificates/index'));
const { EdgeServer } = await import(built('hosting/server/src/routing/adapters/http/edge-server'));
const { TlsTermination } = await import(built('hosting/server/src/tls/adapters/node/tls-termination'));

/** The size of a typical chunk of a script, compressed. */
const FILE = Buffer.alloc(10_240, '/');
const pageWith = (files) =>
  Array.from({ length: files }, (_, i) => `<script defer src="/${i}.js"></script>`).join('\n') + '<h1>Page</h1>';

const key = generateCertificateKey();
const now = Date.now();
const validity = { notBefore: new Date(now - 86_400_000), notAfter: new Date(now + 86_400_000) };
const cert = signCertificate({ commonName: HOST, names: [HOST], key, issuer: { commonName: HOST, key }, ...validity });
const certificate = { version: '1', chain: cert, key: key.export({ type: 'pkcs8', format: 'pem' }), hsts: false };
const termination = new TlsTermination({
  directory: { findCertificate: async () => certificate, findKeyAuthorization: async () => undefined },
  changes: { isConnected: true, listen: () => undefined },
  ticketSecret: Buffer.alloc(32, 1),
  log: console,
});
const server = new EdgeServer(handle, {
  createServer: (options, listener) => termination.createServer(options, listener),
});
const port = await server.listen(0, '127.0.0.1');

function handle(request, response) {
  const files = /^\/page-(\d+)$/.exec(request.url)?.[1];
  const body = files ? pageWith(Number(files)) : FILE;
  response.writeHead(200, { 'content-type': files ? 'text/html' : 'text/javascript', 'cache-control': 'no-store' });
  response.end(body);
}

/** Delays what both sides send by half of a round trip. */
async function delayed(target, roundTripMs) {
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1').setNoDelay();
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
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server.address();
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
const browsers = { 'HTTP/1.1': await launch('--disable-http2'), 'HTTP/2': await launch() };
for (const files of FILES) {
  for (const delay of DELAYS_MS) {
    const proxy = await delayed(port, delay);
    const measurements = {};
    for (const [name, browser] of Object.entries(browsers)) {
      measurements[name] = () => loadTime(browser, proxy.port, files);
    }
    const results = await interleaved(ROUNDS, measurements);
    const figures = Object.entries(results).map(([name, each]) => {
      return `${name} (${each[0].protocol}) ${median(each.map(({ took }) => took)).toFixed(0)} ms`;
    });
    console.log(`${files} files of 10 KiB, round trip ${delay} ms: ${figures.join(', ')}`);
  }
}
for (const browser of Object.values(browsers)) await browser.close();
const times = await interleaved(ROUNDS, {
  'HTTP/1.1': processorTime(requestByHttp1),
  'HTTP/2': processorTime(requestByHttp2),
});
for (const [name, each] of Object.entries(times)) {
  console.log(`${name}: ${median(each).toFixed(0)} µs for a request of 10 KiB, server and client together`);
}
// Ends the server too.
process.exit();

function launch(...args) {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH,
    args: ['--no-sandbox', '--disable-gpu', `--host-resolver-rules=MAP ${HOST} 127.0.0.1`, ...args],
  });
}

/** Microseconds of the processor for each request, six at once on one connection or six. */
function processorTime(createRequester) {
  return async () => {
    const request = createRequester();
    await request();
    const before = process.cpuUsage();
    const send = async () => {
      for (let i = 0; i < REQUESTS / 6; i += 1) await request();
    };
    await Promise.all(Array.from({ length: 6 }, send));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / REQUESTS;
  };
}

function requestByHttp1() {
  const agent = new Agent({ keepAlive: true, maxSockets: 6 });
  const at = { host: '127.0.0.1', port, path: '/0.js', agent, servername: HOST, rejectUnauthorized: false };
  return async () => {
    const [response] = await once(get(at), 'response');
    await text(response);
  };
}

function requestByHttp2() {
  const session = connectByHttp2(`https://127.0.0.1:${port}`, { servername: HOST, rejectUnauthorized: false });
  return () => text(session.request({ ':path': '/0.js' }));
}
