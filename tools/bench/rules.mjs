// `npm run bench:rules`: measures the cost per request of a site's rules (`_redirects` and `_headers`) for worst-case
// rule sets, their compilation time and their memory. Needs a build. Prints the figures and exits with 1 when a target
// is missed.
import { median } from './measure.mjs';
import { Verdict } from './verdict.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const CALLS = 2_000;
const MOST_MICROSECONDS = 100;
/** Rules are compiled once per site that an edge loads. */
const MOST_COMPILE_MS = 50;
/** Memory limit of compiled rules: bytes per character of the stored rules. */
const MOST_BYTES_A_CHARACTER = 8;
const domain = new URL('../../dist/api/libs/hosting/contracts/src/', import.meta.url);
const { compileRules } = await import(new URL('site-rules.js', domain));
const { parseRedirects } = await import(new URL('redirect-rules.js', domain));
const { parseHeaders } = await import(new URL('header-rules.js', domain));
const verdict = new Verdict();

const times = (count, line) => Array.from({ length: count }, (_, i) => line(i));
const bits = (i, length) => [...i.toString(2).padStart(length, '0')];
const shape = (i, length) =>
  bits(i, length)
    .map((bit) => (bit === '0' ? '/a' : '/:p'))
    .join('');
const long = 'x'.repeat(24);

/** Rule sets, each with its most expensive request. */
const SETS = {
  'no rules': { redirects: [], path: '/a/b/c' },
  '2,000 plain paths': { redirects: times(2_000, (i) => `/old/${i} /new/${i}`), path: '/old/1999' },
  '2,000 paths that differ in the last segment': {
    redirects: times(2_000, (i) => `/:a/:b/:c/${long}/${i} /x`),
    path: `/1/2/3/${long}/none`,
  },
  '2,000 open paths': { redirects: times(2_000, (i) => `/:a/${i}/* /x/:splat`), path: '/a/none/b' },
  '2,000 placeholders in every arrangement': {
    redirects: times(2_000, (i) => `${shape(i, 11)} /x`),
    path: '/a'.repeat(11),
  },
  'open paths of every length, and long segments': {
    redirects: times(64, (i) => `${`/${long}`.repeat(i % 32)}${i < 32 ? '' : '/:p'}/* q=1 /x`),
    path: `/${long}`.repeat(400),
  },
  '2,000 conditions on one path': {
    redirects: times(2_000, (i) => `/s id=${i} /x/${i}`),
    path: '/s',
    query: 'id=none',
  },
  'conditions on every arrangement of names': {
    redirects: times(2_000, (i) => `/s ${times(9, (n) => `${(i % 64) + n}=1`).join(' ')} q=${i} /x`),
    path: '/s',
    query: ['q=none', ...times(99, (n) => `${n}=1`)].join('&'),
  },
  'a query of escaped names': {
    redirects: ['/s id=1 /x'],
    path: '/s',
    query: times(1_000, (n) => `%61%6${n % 10}${n}=${long}`).join('&'),
  },
  'a target of placeholders': { redirects: [`/a/* /b${'/:splat'.repeat(130)}`], path: `/a/${'b/'.repeat(60)}` },
  '100 paths of headers': {
    redirects: [],
    headers: times(100, (i) => `${i % 2 ? '/:a/*' : `/a/${i}`}\n  X-${i}: ${long}`),
    path: '/a/98',
  },
};

/** CPU time, which does not depend on the load of the machine. */
const microsecondsSince = (started) => {
  const { user, system } = process.cpuUsage(started);
  return user + system;
};

let hits = 0;
const timeOf = (rules, path, query, calls) => {
  const started = process.cpuUsage();
  for (let i = 0; i < calls; i += 1) {
    if (rules.redirectFor(path, query)) hits += 1;
    hits += rules.headersFor(path).length;
  }
  return microsecondsSince(started) / calls;
};

for (const [name, { redirects, headers = [], path, query = '' }] of Object.entries(SETS)) {
  const stored = {
    redirects: parseRedirects(redirects.join('\n')).rules,
    headers: parseHeaders(headers.join('\n')).rules,
  };
  const compiles = times(ROUNDS, () => {
    const started = process.cpuUsage();
    compileRules(stored);
    return microsecondsSince(started) / 1_000;
  });
  const rules = compileRules(stored);
  timeOf(rules, path, query, CALLS);
  const cost = median(times(ROUNDS, () => timeOf(rules, path, query, CALLS)));
  verdict.atMost(`${name}: a request`, cost, MOST_MICROSECONDS, ' µs');
  verdict.atMost(`${name}: compiling`, median(compiles), MOST_COMPILE_MS, ' ms');
}
if (global.gc) memory();
if (hits < 0) verdict.failed('nothing was measured');
process.exit(verdict.end());

/** Measures the rules with the most memory per character. */
function memory() {
  const text = times(2_000, (i) => `${shape(i % 32, 5)}/${i} /x`).join('\n');
  const sites = times(50, () => parseRedirects(text).rules);
  const characters = sites.reduce((sum, rules) => sum + JSON.stringify(rules).length, 0);
  global.gc();
  const before = process.memoryUsage().heapUsed;
  const compiled = sites.map((redirects) => compileRules({ redirects, headers: [] }));
  global.gc();
  const bytes = process.memoryUsage().heapUsed - before;
  verdict.atMost(
    `memory of ${compiled.length} sites with 2,000 rules`,
    bytes / characters,
    MOST_BYTES_A_CHARACTER,
    ' bytes a character',
  );
}
