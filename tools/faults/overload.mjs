// `npm run faults:overload`: measures the capacity of an API and an edge for a mix of requests, then offers five times as
// many for SECONDS (20), from a process that does not wait for the answers. Prints the figures and exits with 1 when a
// target is missed. Needs a build, taskset and two cores: the API has the first one alone; the second one has everything
// else, the generator included.
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { median, percentile } from '../bench/measure.mjs';
import { Verdict } from '../bench/verdict.mjs';
import { tarGz } from './hostile-archives.mjs';
import { ask, startProduct } from './product.mjs';

const SECONDS = Number(process.env.SECONDS ?? 20);
const FACTOR = Number(process.env.FACTOR ?? 5);
const PEAK_ROUNDS = Number(process.env.ROUNDS ?? 3);
const PEAK_SECONDS = Number(process.env.PEAK_SECONDS ?? 5);
/** Enough to keep the API busy, and below its limit for requests in progress. */
const PEAK_WIDTH = 64;
const RECOVERY_SECONDS = Number(process.env.RECOVERY_SECONDS ?? 5);
/** An answer that takes longer, after the overload, shows that the product has not recovered. */
const CALM_MS = 250;
/** Meanwhile the API finishes the requests that it accepted before it detected the overload. */
const ONSET_MS = 5_000;
const ORGANIZATIONS = 16;
const APPS = 20;
const FILES = 100;
const [MEASURED, OTHERS] = ['0', '1'];
const verdict = new Verdict();

console.log(`${cpus().length} × ${cpus()[0].model}, Node ${process.version}`);
execFileSync('taskset', ['-a', '-p', '-c', OTHERS, String(process.pid)]);
const product = await startProduct();
try {
  execFileSync('taskset', ['-a', '-p', '-c', MEASURED, String(product.api.pid)]);
  await run();
} finally {
  await product.close();
}
process.exit(verdict.end());

async function run() {
  const kinds = await prepare(product);
  const generator = fork(join(import.meta.dirname, 'load-generator.mjs'));
  measurePrecisely(generator);
  const ended = new AbortController();
  generator.once('exit', () => ended.abort());
  const load = async (message) => {
    generator.send(message);
    const [answer] = await once(generator, 'message', { signal: ended.signal });
    return answer;
  };
  try {
    await load({ kinds });
    await load({ saturate: { width: PEAK_WIDTH, seconds: PEAK_SECONDS } });
    const peaks = [];
    for (let i = 0; i < PEAK_ROUNDS; i += 1) {
      const { records } = await load({ saturate: { width: PEAK_WIDTH, seconds: PEAK_SECONDS } });
      failOnErrors(records, kinds);
      peaks.push(records.length / PEAK_SECONDS);
    }
    const peak = median(peaks);
    console.log(`peak: ${peak.toFixed(0)} requests a second of ${kinds.map(({ name }) => name).join(', ')}`);
    const share = peak / kinds.length;
    // The site shares a core with the generator: it gets the load that it can serve.
    const rates = kinds.map(({ isApi }) => share * (isApi ? FACTOR : 1));
    const { records: overload, delays } = await load({ offer: { rates, seconds: SECONDS } });
    const { records: after } = await load({ offer: { rates: kinds.map(() => share / 2), seconds: RECOVERY_SECONDS } });
    report(kinds, { peak, overload, after });
    console.log(`delays of the generator, in these durations: p99 ${percentile(delays, 0.99).toFixed(1)} ms`);
  } finally {
    generator.kill('SIGKILL');
  }
}

/** Real-time scheduling: the durations must not include that the generator waits for the programs beside it. */
function measurePrecisely({ pid }) {
  try {
    execFileSync('chrt', ['--rr', '--all-tasks', '--pid', '1', String(pid)], { stdio: 'ignore' });
  } catch {
    console.log('without real-time scheduling (needs root): durations include waits of the generator');
  }
}

function report(kinds, { peak, overload, after }) {
  for (const [at, { name }] of kinds.entries()) {
    const records = overload.filter(([kind]) => kind === at);
    const of = (matches) => records.filter(([, , , status]) => matches(status));
    const [good, refused] = [of(isGood), of(isRefusal)];
    console.log(
      `${name}: ${good.length} succeeded (p50 ${percentileOf(good, 0.5)}, p99 ${percentileOf(good, 0.99)}, worst ${percentileOf(good, 1)} ms), ` +
        `${refused.length} refused (p50 ${percentileOf(refused, 0.5)}, p99 ${percentileOf(refused, 0.99)}, worst ${percentileOf(refused, 1)} ms), ` +
        `${of(isFailure).length} failed, ${of((status) => status === 0).length} cut, ${of((status) => status === -1).length} not sent`,
    );
  }
  const api = kinds.flatMap(({ isApi }, at) => (isApi ? [at] : []));
  const ofApi = overload.filter(([kind]) => api.includes(kind));
  const good = ofApi.filter(([, , , status]) => isGood(status));
  const refused = ofApi.filter(([, , , status]) => isRefusal(status));
  const peakOfApi = (peak * api.length) / kinds.length;
  const offered = ofApi.length / SECONDS;
  console.log(`offered to the API: ${offered.toFixed(0)} requests a second`);
  verdict.atLeast('offered to the API, against its peak', offered / peakOfApi, FACTOR * 0.95);
  verdict.atLeast('goodput of the API, against its peak', good.length / SECONDS / peakOfApi, 0.8);
  const established = refused.filter(([, began]) => began > ONSET_MS);
  console.log(`p99 of refusals after the first ${ONSET_MS / 1_000} s: ${percentileOf(established, 0.99)} ms`);
  verdict.atMost('p99 of refusals', Number(percentileOf(refused, 0.99)), 50, ' ms');
  verdict.atMost('p99 of accepted requests', Number(percentileOf(good, 0.99)), 1_000, ' ms');
  verdict.atMost(
    'requests without an answer',
    overload.length - overload.filter(([, , , status]) => status > 0).length,
    0,
  );
  const troubled = after.filter(([, , duration, status]) => !isGood(status) || duration > CALM_MS);
  const recovery = Math.max(0, ...troubled.map(([, began, duration]) => began + duration));
  verdict.atMost('recovery after the overload', recovery / 1_000, 2, ' s');
  verdict.atMost('processes that ended', product.restarts.length, 0);
}

function percentileOf(records, share) {
  return records.length === 0
    ? '0'
    : percentile(
        records.map(([, , duration]) => duration),
        share,
      ).toFixed(1);
}

function isGood(status) {
  return status >= 200 && status < 300;
}

function isRefusal(status) {
  return status === 1;
}

/** Such as 503 because PostgreSQL is slow. */
function isFailure(status) {
  return status >= 300;
}

function failOnErrors(records, kinds) {
  const failed = records.find(([, , , status]) => !isGood(status));
  if (failed) throw new Error(`${kinds[failed[0]].name}: ${failed[3]} below the capacity`);
}

/** Creates organizations with apps, files and a site. @returns the kinds of requests, each a list of messages. */
async function prepare({ issuer, apiPort, edgePort }) {
  const people = await Promise.all(
    Array.from({ length: ORGANIZATIONS }, async (_, i) => ({
      token: await issuer.token(`person-${i}`, `org-${i}`),
      i,
    })),
  );
  const sites = await Promise.all(people.map((person) => prepareOrganization(apiPort, person)));
  const api = (name, path) => ({
    name,
    isApi: true,
    port: apiPort,
    messages: people.map(({ token }) => message(path, '127.0.0.1', `authorization: Bearer ${token}\r\n`)),
  });
  return [
    api('file', '/api/files/notes/0.md'),
    api('files', '/api/files?prefix=notes/'),
    api('apps', `/api/apps?limit=${APPS}`),
    { name: 'site', isApi: false, port: edgePort, messages: sites.map((host) => message('/', host)) },
  ];
}

async function prepareOrganization(apiPort, { token, i }) {
  for (let at = 0; at < FILES; at += 1) {
    const content = Buffer.alloc(4_096, 'f');
    await ask(apiPort, token, `/api/files/notes/${at}.md`, { method: 'PUT', type: 'text/markdown', content });
  }
  const apps = [];
  for (let at = 0; at < APPS; at += 1) {
    const content = JSON.stringify({ name: `Site ${at} of ${i}` });
    apps.push(await ask(apiPort, token, '/api/apps', { type: 'application/json', content }));
  }
  const archive = await tarGz([['index.html', 'x'.repeat(10_240)]]);
  await ask(apiPort, token, `/api/apps/${apps[0].id}/deploys`, { type: 'application/gzip', content: archive });
  return apps[0].hostname;
}

function message(path, host, more = '') {
  return `GET ${path} HTTP/1.1\r\nhost: ${host}\r\n${more}\r\n`;
}
