// `npm run bench:edge-start`: how soon a started edge answers its first visitor, how much memory it takes at rest, and
// what its metrics cost. Needs a build (`npm start` creates one). Prints the figures and exits with 1 when a target is
// missed.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort, LOW_MEMORY_NODE_ARGS } from '../dev-services/index.ts';
import { interleaved, median, round } from './measure.mjs';
import { startBenchFixture } from './bench-fixture.mjs';
import { Verdict } from './verdict.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const CALLS = 50_000;
const DOMAIN = 'apps.localhost';
const MAIN = fileURLToPath(new URL('../../dist/api/apps/edge/src/main.js', import.meta.url));
/** Time in which a started process frees what only its start needed. */
const REST_MS = 3_000;
const POLL_MS = 2;
const verdict = new Verdict();

console.log(`${cpus().length} × ${cpus()[0].model}, Node ${process.version}, ${ROUNDS} rounds each, medians`);
const bench = await startBenchFixture();
try {
  const host = await deploySite();
  const metrics = { MANAGEMENT_PORT: String(await freePort()) };
  const NODE_COMPILE_CACHE = await mkdtemp(join(tmpdir(), 'homeport-bench-cache-'));
  const starts = await interleaved(ROUNDS, {
    'metrics off': () => measureStart(host),
    'metrics on': () => measureStart(host, metrics),
    // Compiled code of an earlier start.
    'compile cache': () => measureStart(host, { NODE_COMPILE_CACHE }),
  });
  await rm(NODE_COMPILE_CACHE, { recursive: true, force: true });
  for (const [name, each] of Object.entries(starts)) {
    const of = (figure) => median(each.map((one) => one[figure]));
    verdict.atMost(`first response of a started edge, ${name}`, of('ms'), 300, ' ms');
    verdict.atMost(`memory at rest, ${name}`, of('memory'), 70, ' MiB');
  }
  await measureMetrics(host, metrics);
} finally {
  await bench.close();
}
process.exit(verdict.end());

/** @returns the host of a new site. */
async function deploySite() {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-bench-site-'));
  try {
    await writeFile(join(folder, 'index.html'), randomBytes(7_680).toString('base64'));
    const archive = execFileSync('tar', ['-cz', '-C', folder, '.']);
    const post = async (path, type, body) => {
      const headers = { ...bench.ours.headers, 'content-type': type };
      const answer = await fetch(bench.ours.url + path, { method: 'POST', headers, body });
      if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    };
    const app = await post('/api/apps', 'application/json', JSON.stringify({ name: 'Bench' }));
    await post(`/api/apps/${app.id}/deploys`, 'application/gzip', archive);
    return app.hostname;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function start(more = {}) {
  const port = await freePort('127.0.0.1');
  const settings = { EDGE_PORT: String(port), HOST: '127.0.0.1', PLATFORM_DOMAIN: DOMAIN, LOG_LEVEL: 'error' };
  const env = { ...bench.env, MALLOC_ARENA_MAX: '1', SHUTDOWN_NOTICE_MS: '0', ...settings, ...more };
  const began = performance.now();
  const child = spawn(process.execPath, [...LOW_MEMORY_NODE_ARGS, MAIN], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return { port, child, began };
}

/** Starts an edge, waits for its first page, and lets it rest. */
async function measureStart(host, more) {
  const { port, child, began } = await start(more);
  while ((await statusOf(port, host)) !== 200) await setTimeout(POLL_MS);
  const ms = performance.now() - began;
  await setTimeout(REST_MS);
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  const memory = Number(/^VmRSS:\s+(\d+)/m.exec(status)[1]) / 1024;
  await stop(child);
  return { ms, memory };
}

/** Compares the CPU time of a cached page with metrics and without. */
async function measureMetrics(host, metrics) {
  const [off, on] = [await start(), await start(metrics)];
  try {
    for (const { port } of [off, on]) while ((await statusOf(port, host)) !== 200) await setTimeout(POLL_MS);
    const page =
      ({ port, child: { pid } }) =>
      () =>
        round({ url: `http://127.0.0.1:${port}/`, pid, headers: { host }, amount: CALLS });
    const times = await interleaved(ROUNDS, { off: page(off), on: page(on) });
    const cpu = (name) => median(times[name].map((each) => each.cpu));
    for (const name of ['off', 'on'])
      console.log(`10 KiB, metrics ${name}: ${(1_000 * cpu(name)).toFixed(1)} µs of CPU each`);
    verdict.atMost('CPU of a page with metrics, relative to without', cpu('on') / cpu('off'), 1.05);
  } finally {
    await Promise.all([off, on].map(({ child }) => stop(child)));
  }
}

async function stop(child) {
  const exited = once(child, 'exit');
  child.kill();
  await exited;
}

/** @returns 0 while the port is closed. */
async function statusOf(port, host) {
  const sent = request({ port, host: '127.0.0.1', path: '/', headers: { host }, agent: false });
  sent.end();
  try {
    const [response] = await once(sent, 'response');
    response.resume();
    return response.statusCode;
  } catch {
    return 0;
  }
}
