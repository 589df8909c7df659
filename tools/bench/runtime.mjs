// `npm run bench:runtime`: measures the sandbox of SSR apps (cold starts, memory at rest, freezing), and apps through
// the product (time of a request, 100 apps asleep and woken). Needs a build (`npm start` creates one) and bubblewrap.
// Prints the figures and exits with 1 when a target is missed.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { interleaved, median, percentile } from './measure.mjs';
import { SERVER_FILE, sampleApps } from './runtime/sample-apps.mjs';
import { measureServedApps } from './runtime/served-apps.mjs';
import { Verdict } from './verdict.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 20);
const INSTANCES = 10;
const MEBIBYTE = 1024 ** 2;
const LIMITS = { memoryBytes: 256 * MEBIBYTE, cpus: 1, processes: 64, tmpBytes: 64 * MEBIBYTE };
const root = resolve(import.meta.dirname, '../..');
const SANDBOX = join(root, 'dist/api/libs/hosting/server/src/runtime/sandbox');

const load = (file) => import(pathToFileURL(join(SANDBOX, file)).href);
const { BareSandbox } = await load('bare-sandbox.js');
const { BubblewrapSandbox } = await load('bubblewrap-sandbox.js');
const folder = await mkdtemp(join(tmpdir(), 'homeport-bench-'));
const verdict = new Verdict();
console.log(`${cpus().length} × ${cpus()[0].model}, Node ${process.version}, ${ROUNDS} rounds, interleaved`);
try {
  await chmod(folder, 0o711);
  const options = { runDirectory: join(folder, 'run'), node: process.execPath };
  const bubblewrap = await BubblewrapSandbox.open(options);
  const bare = new BareSandbox(options);
  const servers = await sampleApps();
  const [plain, react] = [await folderOf('plain', servers.plain), await folderOf('react', servers.react)];
  await coldStarts({ bubblewrap, bare, plain, react });
  await freezing(bubblewrap, plain);
  // Without control groups the sandbox states its memory as PSS, in which shared pages count once.
  await memoryAtRest(await BubblewrapSandbox.open({ ...options, groups: undefined }), react);
  await servedApps(bubblewrap, plain, servers);
} finally {
  await rm(folder, { recursive: true });
}
process.exit(verdict.end());

/** Writes the server of an app into a folder, as the runtime does. */
async function folderOf(name, server) {
  const path = join(folder, name);
  await mkdir(path, { mode: 0o755 });
  await writeFile(join(path, SERVER_FILE), server, { mode: 0o644 });
  return path;
}

async function launch(sandbox, appFolder) {
  const app = await sandbox.launch({
    ...{ instanceId: randomUUID(), appId: randomUUID(), appFolder, environment: {}, limits: LIMITS },
    plan: { framework: 'node', kind: 'script', entry: SERVER_FILE, environment: {} },
    onLine: ({ line }) => console.error(line),
  });
  await app.listening;
  return app;
}

async function ask({ socketPath }) {
  const outgoing = request({ socketPath, agent: false }).end();
  const [response] = await once(outgoing, 'response');
  await response.resume().toArray();
  if (response.statusCode !== 200) throw new Error(`The app answered ${response.statusCode}.`);
}

/** Milliseconds from the launch to the first answer. */
async function coldStart(sandbox, app) {
  const started = performance.now();
  const launched = await launch(sandbox, app);
  await ask(launched);
  const took = performance.now() - started;
  await launched.stop(1_000);
  return took;
}

async function coldStarts({ bare, bubblewrap, plain, react }) {
  const times = await interleaved(ROUNDS, {
    'plain server, no sandbox': () => coldStart(bare, plain),
    'plain server, bubblewrap': () => coldStart(bubblewrap, plain),
    'Express and React, no sandbox': () => coldStart(bare, react),
    'Express and React, bubblewrap': () => coldStart(bubblewrap, react),
  });
  for (const [name, all] of Object.entries(times)) {
    console.log(`${name}: p50 ${median(all).toFixed(0)} ms, p95 ${percentile(all, 0.95).toFixed(0)} ms`);
  }
  const measured = times['Express and React, bubblewrap'];
  verdict.atMost('cold start of Express and React, p50', median(measured), 250, ' ms');
  verdict.atMost('cold start of Express and React, p95', percentile(measured, 0.95), 600, ' ms');
}

async function freezing(sandbox, app) {
  const launched = await launch(sandbox, app);
  const times = await interleaved(ROUNDS, {
    freeze: () => timed(() => launched.freeze()),
    'thaw and request': () => timed(() => launched.thaw().then(() => ask(launched))),
  });
  for (const [name, all] of Object.entries(times)) console.log(`${name}: p50 ${median(all).toFixed(1)} ms`);
  await launched.stop(1_000);
}

async function memoryAtRest(sandbox, app) {
  const all = await Promise.all(Array.from({ length: INSTANCES }, () => launch(sandbox, app)));
  for (const each of all) await ask(each);
  const sizes = await Promise.all(all.map((each) => each.memoryBytes()));
  await Promise.all(all.map((each) => each.stop(1_000)));
  verdict.atMost(`memory (PSS) of each of ${INSTANCES} instances`, median(sizes) / MEBIBYTE, 35, ' MiB');
}

/** Compares the product with the same server without it. */
async function servedApps(sandbox, app, servers) {
  const direct = await launch(sandbox, app);
  try {
    await measureServedApps(verdict, servers, direct.socketPath);
  } finally {
    await direct.stop(1_000);
  }
}

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
