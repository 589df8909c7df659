// `npm run bench:usage`: measures what metering costs a request, the month page over ten million events, and the close of
// a month of ten thousand accounts. Needs a build (`npm start` creates one). Prints the figures and exits with 1 when a
// target is missed. An argument (requests, page or close) runs only this part; BENCH_ROUNDS, BENCH_EVENTS and
// BENCH_ACCOUNTS set smaller sizes.
import { cpus } from 'node:os';
import pg from 'pg';
import { startBenchFixture } from './bench-fixture.mjs';
import { interleaved, median } from './measure.mjs';
import { pacedRound } from './paced-round.mjs';
import { seedClosedMonth, seedEvents } from './usage-seed.mjs';
import { Verdict } from './verdict.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const EVENTS = Number(process.env.BENCH_EVENTS ?? 10_000_000);
const ACCOUNTS = Number(process.env.BENCH_ACCOUNTS ?? 10_000);
const RATE = 2_000;
const CALLS = 4_000;
const PAGES = 50;
const POLL_MS = 250;
const verdict = new Verdict();

console.log(
  `${cpus().length} × ${cpus()[0].model}, Node ${process.version}, ${ROUNDS} rounds each, interleaved, medians`,
);
const metered = await startBenchFixture();
const database = new pg.Client({ connectionString: metered.env.DATABASE_URL });
await database.connect();
try {
  const parts = { requests, page: monthPage, close: monthClose };
  for (const [name, run] of Object.entries(parts)) if ((process.argv[2] ?? name) === name) await run();
} finally {
  await database.end();
  await metered.close();
}
process.exit(verdict.end());

/** The same calls with and without metering, at 2,000 a second when the machine reaches that. */
async function requests() {
  const unmetered = await startBenchFixture({ METERING: 'off' });
  const url = '/api/files/bench.md';
  try {
    for (const { ours } of [metered, unmetered]) await putFile(ours, url);
    const call = ({ ours }) => pacedRound({ ...ours, url: ours.url + url, rate: RATE, amount: CALLS });
    const rounds = await interleaved(ROUNDS, { on: () => call(metered), off: () => call(unmetered) });
    const of = (name, figure) => median(rounds[name].map((round) => round[figure]));
    const words = (name) =>
      `${name}: ${of(name, 'cpuMs').toFixed(3)} ms CPU, p50 ${of(name, 'p50Ms').toFixed(2)} ms, ${of(name, 'rate').toFixed(0)} a second`;
    console.log(`metering ${words('on')} | ${words('off')}`);
    const ratios = rounds.on.map(({ cpuMs }, n) => cpuMs / rounds.off[n].cpuMs);
    const added = rounds.on.map(({ p50Ms }, n) => p50Ms - rounds.off[n].p50Ms);
    verdict.atMost('CPU of a call with metering, relative to without', median(ratios), 1.03);
    verdict.atMost('p50 that metering adds', median(added), 0.1, ' ms');
  } finally {
    await unmetered.close();
  }
}

async function putFile({ url, headers }, path) {
  const { status } = await fetch(url + path, { method: 'PUT', headers, body: 'x'.repeat(4_096) });
  if (status >= 300) throw new Error(`PUT ${path}: ${status}`);
}

async function monthPage() {
  await seedEvents(database, { events: EVENTS, organization: 'org_northwind' });
  const times = [];
  for (let n = 0; n <= PAGES; n++) {
    const started = performance.now();
    const response = await fetch(`${metered.ours.url}/api/usage`, { headers: metered.ours.headers });
    const { lines } = await response.json();
    if (lines.every(({ item, quantity }) => item !== 'agent-run' || quantity === '0')) throw new Error('no usage');
    if (n > 0) times.push(performance.now() - started);
  }
  verdict.atMost(`the month page over ${EVENTS} events, p50`, median(times), 100, ' ms');
}

async function monthClose() {
  await seedClosedMonth(database, ACCOUNTS);
  await database.query(`insert into pgboss.job (name) values ('usage.months')`);
  for (;;) {
    const { rows } = await database.query(
      `select extract(epoch from charged_at - closed_at)::float as seconds from usage.closed_months
       where charged_at is not null order by period desc limit 1`,
    );
    if (rows.length > 0) {
      const { rows: charged } = await database.query('select count(*)::int as charges from pricing.charges');
      if (charged[0].charges < ACCOUNTS) throw new Error(`${charged[0].charges} of ${ACCOUNTS} accounts were charged`);
      return verdict.atMost(`the close of ${ACCOUNTS} accounts`, rows[0].seconds, 60, ' s');
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
