// `npm run bench:usage`: measures what metering costs a request, the meter alone, the month page over ten million events,
// and the close of a month of ten thousand accounts. Needs a build (`npm start` creates one). Prints the figures and exits
// with 1 when a target is missed. An argument (requests, meter, page or close) runs only this part; BENCH_ROUNDS,
// BENCH_EVENTS and BENCH_ACCOUNTS set smaller sizes.
import { cpus } from 'node:os';
import pg from 'pg';
import { startBenchFixture } from './bench-fixture.mjs';
import { cpuOf, cpuWithChildrenOf, interleaved, median, parentOf, percentile } from './measure.mjs';
import { pacedRound } from './paced-round.mjs';
import { medianWithInterval, pairedRounds } from './paired-rounds.mjs';
import { meterCost } from './usage-meter.mjs';
import { seedClosedMonth, seedEvents } from './usage-seed.mjs';
import { Verdict } from './verdict.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 30);
const EVENTS = Number(process.env.BENCH_EVENTS ?? 10_000_000);
const ACCOUNTS = Number(process.env.BENCH_ACCOUNTS ?? 10_000);
const RATE = 2_000;
const CALLS = 2_000;
/** The share of the rate that counts as reached. */
const NEARLY = 0.95;
const MAX_CPU_RATIO = 1.03;
const METER_SECONDS = 40;
const CALL_ROUNDS = 5;
const PAGES = 50;
const POLL_MS = 250;
const verdict = new Verdict();

console.log(`${cpus().length} × ${cpus()[0].model}, Node ${process.version}`);
const metered = await startBenchFixture();
const database = new pg.Client({ connectionString: metered.env.DATABASE_URL });
await database.connect();
try {
  const parts = { requests, meter, page: monthPage, close: monthClose };
  for (const [name, run] of Object.entries(parts)) if ((process.argv[2] ?? name) === name) await run();
} finally {
  await database.end();
  await metered.close();
}
process.exit(verdict.end());

/**
 * The same calls with and without metering. When the machine does not reach 2,000 a second, the calls are paced at half of
 * the reached rate, because the answers of a busy machine are late for other reasons.
 */
async function requests() {
  const unmetered = await startBenchFixture({ METERING: 'off' });
  const url = '/api/files/bench.md';
  try {
    for (const { ours } of [metered, unmetered]) await putFile(ours, url);
    const calls =
      (rate) =>
      ({ ours }) =>
      () =>
        pacedRound({ ...ours, url: ours.url + url, rate, amount: CALLS });
    const products = [metered, unmetered];
    const pids = products.map(({ ours }) => ours.pid);
    const [warmUp] = await pairedRounds(1, products.map(calls(RATE)), pids);
    const reached = Math.min(...warmUp.results.map(({ rate }) => rate));
    const rate = reached >= RATE * NEARLY ? RATE : Math.round(reached / 2);
    console.log(`${reached.toFixed(0)} calls a second are reached; measured at ${rate} a second`);
    reportRequests(await pairedRounds(ROUNDS, products.map(calls(rate)), pids));
  } finally {
    await unmetered.close();
  }
}

function reportRequests(rounds) {
  const cpu = [0, 1].map((n) => median(rounds.map(({ cpuMs }) => cpuMs[n] / CALLS)));
  const p50 = [0, 1].map((n) => median(rounds.map(({ results }) => results[n].p50Ms)));
  console.log(
    ['on', 'off']
      .map((name, n) => `metering ${name}: ${cpu[n].toFixed(3)} ms CPU, p50 ${p50[n].toFixed(2)} ms`)
      .join(' | '),
  );
  const ratio = medianWithInterval(rounds.map(({ cpuMs: [on, off] }) => on / off));
  const added = medianWithInterval(rounds.map(({ results: [on, off] }) => on.p50Ms - off.p50Ms));
  console.log(`of the ratios, 95 % confidence: ${ratio.low.toFixed(3)} to ${ratio.high.toFixed(3)}`);
  console.log(`of the added p50, 95 % confidence: ${added.low.toFixed(3)} to ${added.high.toFixed(3)} ms`);
  verdict.atMost('CPU of a call with metering, relative to without', ratio.median, MAX_CPU_RATIO);
  verdict.atMost('p50 that metering adds', added.median, 0.1, ' ms');
}

/** The meter alone, at 2,000 calls a second, as a share of one core and of the CPU of a call. */
async function meter() {
  const costUs = await meterCost({ databaseUrl: metered.env.DATABASE_URL, rate: RATE, seconds: METER_SECONDS });
  const url = '/api/files/bench.md';
  await putFile(metered.ours, url);
  const call = () => pacedRound({ ...metered.ours, url: metered.ours.url + url, rate: RATE, amount: CALLS });
  const { run } = await interleaved(CALL_ROUNDS, { run: call });
  const callUs = median(run.map(({ cpuMs }) => cpuMs)) * 1_000;
  console.log(
    `the meter alone: ${costUs.toFixed(1)} µs of CPU a call, ${((costUs * RATE) / 10_000).toFixed(1)} % of a core at ` +
      `${RATE} calls a second; a metered call takes ${callUs.toFixed(0)} µs`,
  );
  verdict.atMost(
    'CPU of the meter, as a ratio of a call with to one without',
    callUs / (callUs - costUs),
    MAX_CPU_RATIO,
  );
}

async function putFile({ url, headers }, path) {
  const { status } = await fetch(url + path, { method: 'PUT', headers, body: 'x'.repeat(4_096) });
  if (status >= 300) throw new Error(`PUT ${path}: ${status}`);
}

/** The calls of the page `/usage` that read events. */
async function monthPage() {
  const started = performance.now();
  await seedEvents(database, { events: EVENTS, organization: 'org_northwind' });
  console.log(`${EVENTS} events were stored in ${((performance.now() - started) / 1_000).toFixed(0)} s`);
  const month = await timesOf('/api/usage');
  const { items } = await timesOf('/api/usage/daily?item=agent-run');
  const line = month.lines.find(({ item }) => item === 'agent-run');
  const total = items.reduce((sum, { quantity }) => sum + Number(quantity), 0);
  if (total === 0 || total !== Number(line.quantity)) throw new Error(`${total} by day, ${line.quantity} in the month`);
}

/** @returns the last response. */
async function timesOf(path) {
  const times = [];
  let body;
  for (let n = 0; n <= PAGES; n++) {
    const started = performance.now();
    const response = await fetch(metered.ours.url + path, { headers: metered.ours.headers });
    body = await response.json();
    if (n > 0) times.push(performance.now() - started);
  }
  console.log(`${path}: p95 ${percentile(times, 0.95).toFixed(1)} ms, highest ${Math.max(...times).toFixed(1)} ms`);
  verdict.atMost(`${path} over ${EVENTS} events, p50`, median(times), 100, ' ms');
  return body;
}

async function monthClose() {
  await seedClosedMonth(database, ACCOUNTS);
  const postmaster = await postmasterPid();
  const cpu = () => [cpuOf(metered.ours.pid), cpuWithChildrenOf(postmaster)];
  const before = cpu();
  await database.query(`insert into pgboss.job (name) values ('usage.months')`);
  for (;;) {
    const { rows } = await database.query(
      `select extract(epoch from charged_at - closed_at)::float as seconds from usage.closed_months
       where charged_at is not null order by period desc limit 1`,
    );
    if (rows.length > 0) {
      const { rows: charged } = await database.query('select count(*)::int as charges from pricing.charges');
      if (charged[0].charges < ACCOUNTS) throw new Error(`${charged[0].charges} of ${ACCOUNTS} accounts were charged`);
      const [api, postgres] = cpu().map((ms, n) => ((ms - before[n]) / 1_000).toFixed(1));
      console.log(`CPU of the close: API ${api} s, PostgreSQL ${postgres} s`);
      return verdict.atMost(`the close of ${ACCOUNTS} accounts`, rows[0].seconds, 60, ' s');
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function postmasterPid() {
  const { rows } = await database.query('select pg_backend_pid() as pid');
  return parentOf(rows[0].pid);
}
