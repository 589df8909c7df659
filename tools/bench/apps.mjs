// `npm run bench:apps`: measures listing many apps, and a thousand concurrent registrations. Needs a build (`npm start`
// creates one). Prints the figures and exits with 1 when a target is missed.
import { cpus } from 'node:os';
import pg from 'pg';
import { interleaved, median } from './measure.mjs';
import { startBenchFixture } from './bench-fixture.mjs';
import { Verdict } from './verdict.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const CALLS = 200;
const FEW = 100;
const MANY = 10_000;
const AT_ONCE = 1_000;
const verdict = new Verdict();

console.log(
  `${cpus().length} × ${cpus()[0].model}, Node ${process.version}, ${ROUNDS} rounds each, interleaved, medians`,
);
const SETTINGS = { APPS_PER_ORGANIZATION: '100000' };
const [alone, crowded] = [await startBenchFixture(SETTINGS), await startBenchFixture(SETTINGS)];
try {
  await lists();
  await registrations();
} finally {
  await Promise.all([alone.close(), crowded.close()]);
}
process.exit(verdict.end());

async function lists() {
  await seed(alone, 'org_northwind', FEW);
  await seed(crowded, 'org_northwind', FEW);
  await seed(crowded, 'org_globex', MANY);
  const otherOrganization = await crowded.otherOrganizationHeaders();
  const times = await interleaved(ROUNDS, {
    alone: () => p50(alone.ours.url, '', alone.ours.headers),
    crowded: () => p50(crowded.ours.url, '', crowded.ours.headers),
    small: () => p50(crowded.ours.url, '?limit=100', crowded.ours.headers),
    large: () => p50(crowded.ours.url, '?limit=100', otherOrganization),
  });
  const of = (name) => median(times[name]);
  console.log(
    `list of ${FEW}, p50: alone ${of('alone').toFixed(2)} ms | beside ${MANY} of others ${of('crowded').toFixed(2)} ms`,
  );
  console.log(`page of 100, p50: of ${FEW} ${of('small').toFixed(2)} ms | of ${MANY} ${of('large').toFixed(2)} ms`);
  verdict.atMost(`a list beside ${MANY} apps of others, against one alone`, of('crowded') / of('alone'), 1.1);
  verdict.atMost(`a page of 100 out of ${MANY}, against one of ${FEW}`, of('large') / of('small'), 1.5);
}

/** Median duration of sequential calls, in milliseconds. */
async function p50(url, query, headers) {
  const times = [];
  for (let i = 0; i < CALLS; i++) {
    const started = performance.now();
    const response = await fetch(`${url}/api/apps${query}`, { headers });
    await response.arrayBuffer();
    times.push(performance.now() - started);
  }
  return median(times);
}

async function registrations() {
  const { url, headers } = alone.ours;
  const register = (i) =>
    fetch(`${url}/api/apps`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `At once ${i}` }),
    });
  const started = performance.now();
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => register(i)));
  const seconds = (performance.now() - started) / 1000;
  const created = answers.filter(({ status }) => status === 201).length;
  const apps = await Promise.all(answers.map((answer) => answer.json()));
  const active = apps.filter(({ dns_status: status }) => status === 'dns-active').length;
  console.log(`${AT_ONCE} registrations at once: ${seconds.toFixed(1)} s, ${active} active in the answer`);
  verdict.atLeast(`of ${AT_ONCE} registrations at once, answered with 201`, created, AT_ONCE);
}

/** Inserts apps with their DNS records directly into the database. */
async function seed({ env }, organization, amount) {
  const client = new pg.Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  await client.query(
    `with added as (
       insert into apps.apps (organization, name, subdomain, type, created_by)
       select $1, 'Shop ' || n, replace($1, '_', '-') || '-shop-' || n, 'static', 'bench' from generate_series(1, $2) n
       returning id, organization, subdomain)
     insert into apps.dns_records (subdomain, organization, app_id, known_target, known_ttl, state)
     select subdomain, organization, id, 'edge.localhost', 60, 'settled' from added`,
    [organization, amount],
  );
  await client.query('analyze apps.apps, apps.dns_records');
  await client.end();
}
