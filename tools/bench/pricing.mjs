// `npm run bench:pricing`: compares the pricing statement with a bare Fastify route that sends the same bytes, and
// measures the rating of one usage. Needs a build (`npm start` creates one). Prints the figures and exits with 1 when a
// target is missed.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { interleaved, median, round } from './measure.mjs';
import { startBenchFixture } from './bench-fixture.mjs';
import { Verdict } from './verdict.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 13);
/** About one second of calls per round, and many rounds: the CPU share on a shared machine changes every second. */
const CALLS = 20_000;
const RATINGS = 50_000;
const verdict = new Verdict();

console.log(
  `${cpus().length} × ${cpus()[0].model}, Node ${process.version}, ${ROUNDS} rounds each, interleaved, medians`,
);
const fixture = await startBenchFixture();
try {
  const { statement, response } = await read(fixture.ours.url);
  await against(fixture.ours, response);
  rating(statement.usage, await built('rate.js'), await built('card-items.js'));
} finally {
  await fixture.close();
}
process.exit(verdict.end());

function built(file) {
  return import(fileURLToPath(new URL(`../../dist/api/libs/pricing/contracts/src/${file}`, import.meta.url)));
}

async function read(url) {
  const response = await fetch(`${url}/v1/pricing`, { headers: { 'accept-encoding': 'identity' } });
  const body = Buffer.from(await response.arrayBuffer());
  const message = { body: body.toString('base64'), type: response.headers.get('content-type') };
  return { statement: JSON.parse(body), response: message };
}

async function against({ url, pid }, response) {
  const bare = fork(new URL('./bare-fastify.mjs', import.meta.url));
  bare.send(response);
  const [port] = await once(bare, 'message');
  try {
    const measure = (target) => () => round({ ...target, connections: 16, amount: CALLS });
    const times = await interleaved(ROUNDS, {
      ours: measure({ url: `${url}/v1/pricing`, pid }),
      bare: measure({ url: `http://127.0.0.1:${port}/`, pid: bare.pid }),
    });
    const of = (name, figure) => median(times[name].map((each) => each[figure]));
    for (const name of ['ours', 'bare']) {
      console.log(`${name}: ${of(name, 'rps').toFixed(0)}/s, ${(1000 * of(name, 'cpu')).toFixed(0)} µs of CPU each`);
    }
    verdict.atLeast('statements a second, against a bare Fastify route', of('ours', 'rps') / of('bare', 'rps'), 0.5);
  } finally {
    bare.kill();
  }
}

/** Rates a usage of every item on the card. */
function rating(card, { rate }, { itemsOf }) {
  const usage = {};
  for (const { group, id } of itemsOf(card)) (usage[group] ??= {})[id] = 1234.5;
  const times = [];
  for (let i = 0; i <= ROUNDS; i++) {
    const started = performance.now();
    for (let n = 0; n < RATINGS; n++) rate(usage, card, n % 2 ? { coveredCents: 0n } : undefined);
    if (i > 0) times.push((1000 * (performance.now() - started)) / RATINGS);
  }
  verdict.atMost('rating one usage of everything', median(times), 20, ' µs');
}
