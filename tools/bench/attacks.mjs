// `npm run bench:attacks`: two tenants attack each other, a third one and the host, while the third is measured through
// the edge. First without a sandbox, where they must read everything. Needs a build (`npm start` creates one),
// bubblewrap, and root for a network namespace. Prints the figures and exits with 1 when a target is missed. With
// `--sample`, prints what was read and answered as JSON, and measures nothing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { METADATA, PRIVATE, startAttackedProduct } from './attacks/attacked-product.mjs';
import { median, percentile } from './measure.mjs';
import { Verdict } from './verdict.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const ROUND_MS = Number(process.env.BENCH_ROUND_MS ?? 4_000);
/** An attack lasts; its beginning, for which each app has CPU credit, is not measured. */
const SETTLE_MS = 1_000;
const REQUESTS_PER_SECOND = 100;
/** Requests of the third tenant in the sample, one after the other. */
const SAMPLE_REQUESTS = 200;
const EXHAUSTING = ['cpu', 'processes', 'memory', 'disk', 'log', 'connections'];
/** Above it, other programs hide what the attacks do. */
const BUSY_MACHINE_MS = 30;
const isSample = process.argv.includes('--sample');
const IN_NAMESPACE = '--in-namespace';

if (process.argv.includes(IN_NAMESPACE)) await attack();
else process.exit(await repeatInNamespace());

/** Addresses of others belong to the loopback interface there, so that nothing leaves this machine. */
async function repeatInNamespace() {
  const commands = ['ip link set lo up', ...[METADATA, PRIVATE].map((each) => `ip addr add ${each}/32 dev lo`)];
  const script = [...commands, 'exec "$@"'].join(' && ');
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1), IN_NAMESPACE];
  const child = spawn('unshare', ['--net', 'sh', '-c', script, 'sh', ...command], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal));
  const [code] = await once(child, 'exit');
  return code ?? 1;
}

async function attack() {
  const product = await startAttackedProduct();
  let result;
  try {
    const stop = await product.startRuntime('bare');
    const tenants = await product.deployTenants();
    const withoutWalls = await readsOf(tenants);
    await stop();
    await product.startRuntime('bubblewrap');
    const read = await readsOf(tenants);
    result = { withoutWalls, read, ...(isSample ? await answersOf(tenants) : await measure(tenants)) };
  } finally {
    await product.close();
  }
  process.exit(isSample ? print(result) : report(result));
}

/** What each attacker reads. */
async function readsOf({ attackers, neighbor }) {
  await neighbor('/');
  return Promise.all(attackers.map(async (visit) => JSON.parse((await visit('/read')).body)));
}

async function exhaust({ attackers }, kinds, ms) {
  const path = `/exhaust?kinds=${kinds.join()}&ms=${ms}`;
  const started = await Promise.all(attackers.map((visit) => visit(path)));
  if (started.some(({ status }) => status !== 200)) throw new Error('An attacker did not start.');
}

/** The statuses that the third tenant's visitors get while the others exhaust everything. */
async function answersOf(tenants) {
  await exhaust(tenants, EXHAUSTING, 60_000);
  const answers = {};
  for (let count = 0; count < SAMPLE_REQUESTS; count += 1) {
    const { status } = await tenants.neighbor('/');
    answers[status] = (answers[status] ?? 0) + 1;
  }
  return { answers };
}

/** The response times of the third tenant by attack; `calm` is without one. */
async function measure(tenants) {
  const scenarios = ['calm', ...EXHAUSTING, 'all'];
  const rounds = Object.fromEntries(scenarios.map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of scenarios) {
      if (name !== 'calm') await exhaust(tenants, name === 'all' ? EXHAUSTING : [name], SETTLE_MS + ROUND_MS);
      await pause(SETTLE_MS);
      rounds[name].push(await responseTimes(tenants.neighbor, ROUND_MS));
      // Attackers end by themselves.
      await pause(750);
    }
  }
  return { rounds };
}

/** Sends requests at a fixed rate, whether earlier ones were answered or not. */
async function responseTimes(visit, ms) {
  const pending = [];
  const began = performance.now();
  for (let count = 0; count < (ms * REQUESTS_PER_SECOND) / 1_000; count += 1) {
    const due = began + (count * 1_000) / REQUESTS_PER_SECOND;
    await pause(Math.max(0, due - performance.now()));
    const sent = performance.now();
    pending.push(visit('/').then(({ status }) => ({ status, ms: performance.now() - sent })));
  }
  return Promise.all(pending);
}

function report({ withoutWalls, read, rounds }) {
  const verdict = new Verdict();
  console.log(`${cpus().length} × ${cpus()[0].model}, Node ${process.version}, ${ROUNDS} rounds, interleaved`);
  console.log(`read without a sandbox: ${withoutWalls[0].join(', ')}`);
  verdict.atLeast(
    'kinds of reads that succeed without a sandbox',
    Math.min(...withoutWalls.map((all) => all.length)),
    17,
  );
  verdict.atMost('kinds of reads that succeed in bubblewrap', read.flat().length, 0);
  const failed = Object.values(rounds)
    .flat(2)
    .filter(({ status }) => status !== 200);
  verdict.atMost('failed requests of the third tenant', failed.length, 0);
  const of = (times, share) =>
    percentile(
      times.map(({ ms }) => ms),
      share,
    );
  const p99Of = (name) => median(rounds[name].map((times) => of(times, 0.99)));
  const calm = p99Of('calm');
  for (const [name, all] of Object.entries(rounds)) {
    const p50 = median(all.map((times) => of(times, 0.5)));
    console.log(`${name}: p50 ${p50.toFixed(2)} ms, p99 ${p99Of(name).toFixed(2)} ms`);
  }
  if (calm > BUSY_MACHINE_MS) verdict.failed('p99 of the third tenant, because other programs use this machine');
  for (const name of [...EXHAUSTING, 'all'])
    verdict.atMost(`p99 of the third tenant, attack “${name}” against calm`, p99Of(name) / calm, 2);
  return verdict.end();
}

function print(result) {
  console.log(JSON.stringify(result));
  return 0;
}
