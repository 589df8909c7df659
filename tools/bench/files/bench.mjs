// `npm run bench:files`: what the file gateway costs, beside direct S3 and beside a plain gateway over the AWS SDK, in
// one run, round by round. Needs a build (`npm start` makes one). Prints the figures and ends with 1 when one is missed.
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import aws4 from 'aws4';
import { signInThrough, startHomeport } from '../../dev-services/index.ts';
import { median, peakMemoryOf, round } from './measure.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const KIB = 1024;

const dataDir = await mkdtemp(join(tmpdir(), 'homeport-bench-'));
const env = { PATH: process.env.PATH, HOME: process.env.HOME, RATE_LIMIT_PER_USER: '0', RATE_LIMIT_PER_ADDRESS: '0' };
const homeport = await startHomeport({ dataDir, env, port: 0, ports: { dns: 0, identity: 0, postgres: 0, s3: 0 } });
const settings = homeport.services.env;
const failures = [];
let sdkGateway;
try {
  const { token, subject, issuer } = await signedIn();
  const prefix = `u/${createHash('sha256').update(`${issuer}\n${subject}`).digest('base64url')}/`;
  const discovery = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
  sdkGateway = fork(new URL('./sdk-gateway.mjs', import.meta.url), {
    env: { ...env, ...settings, AUTH_JWKS_URI: discovery.jwks_uri, BENCH_PREFIX: prefix },
  });
  const [sdkPort] = await once(sdkGateway, 'message');
  const headers = { authorization: `Bearer ${token}` };
  const ours = { url: `${homeport.url.replace('localhost', '127.0.0.1')}`, pid: homeport.api.pid, headers };
  const sdk = { url: `http://127.0.0.1:${sdkPort}`, pid: sdkGateway.pid, headers };
  await seed(ours, prefix);

  const small = Buffer.alloc(4 * KIB, 'x');
  const get = { path: '/api/files/4k.bin', amount: 3_000 };
  const put = { path: '/api/files/put.bin', method: 'PUT', body: small, amount: 1_500 };
  const list = { path: '/api/files?prefix=list/&limit=1000', amount: 120, connections: 8 };
  console.log(
    `${cpus().length} × ${cpus()[0].model}, Node ${process.version}, ${ROUNDS} rounds each, interleaved, medians`,
  );
  const gets = await compare('GET 4 KiB', get, { ours, sdk, direct: direct(prefix, '4k.bin') });
  const puts = await compare('PUT 4 KiB', put, { ours, sdk });
  const lists = await compare('LIST 1,000', list, { ours, sdk });
  demand('GET 4 KiB, CPU', gets.ours.cpu, 0.4, 'ms');
  demand('PUT 4 KiB, CPU', puts.ours.cpu, 0.5, 'ms');
  demand('LIST 1,000, CPU', lists.ours.cpu, 4, 'ms');
  demandLeast('GET 4 KiB, requests a second against direct S3', gets.ours.rps / gets.direct.rps, 0.75);
  console.log(`peak memory of the gateway: ${peakMemoryOf(homeport.api.pid).toFixed(0)} MiB`);
} finally {
  sdkGateway?.kill();
  await homeport.close();
  await rm(dataDir, { recursive: true, force: true });
}
if (failures.length > 0) console.log(`missed: ${failures.join('; ')}`);
process.exit(failures.length > 0 ? 1 : 0);

async function signedIn() {
  const start = `${homeport.url}/auth/sign-in?provider=northwind&return_to=/settings`;
  const { jar } = await signInThrough(start, { person: 'ada' });
  const cookie = jar.header(homeport.url);
  const session = await fetch(`${homeport.url}/auth/session`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } });
  const { access_token: token } = await session.json();
  const { sub: subject, iss: issuer } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
  return { token, subject, issuer };
}

async function seed({ url, headers }) {
  const put = async (path, body) => {
    const { status } = await fetch(`${url}/api/files/${path}`, { method: 'PUT', headers, body });
    if (status >= 300) throw new Error(`seeding ${path}: ${status}`);
  };
  await put('4k.bin', Buffer.alloc(4 * KIB, 'x'));
  await put('put.bin', Buffer.alloc(4 * KIB, 'x'));
  for (let i = 0; i < 1_000; i += 20) {
    await Promise.all(Array.from({ length: 20 }, (_, j) => put(`list/file%20${i + j}.md`, '# A file')));
  }
}

/** The same object at S3 itself, through a signed address. */
function direct(prefix, name) {
  const { host, origin } = new URL(settings.S3_ENDPOINT);
  const path = `/${settings.S3_BUCKET}/${prefix}${name}?X-Amz-Expires=3600`;
  const { path: signed } = aws4.sign(
    { service: 's3', region: settings.S3_REGION, host, path, signQuery: true },
    { accessKeyId: settings.S3_ACCESS_KEY_ID, secretAccessKey: settings.S3_SECRET_ACCESS_KEY },
  );
  return { url: origin, path: signed, headers: {} };
}

async function compare(name, workload, targets) {
  const rounds = Object.fromEntries(Object.keys(targets).map((each) => [each, []]));
  for (let i = 0; i <= ROUNDS; i++) {
    for (const [each, { url, pid, headers, path = workload.path }] of Object.entries(targets)) {
      const result = await round({ ...workload, url: url + path, pid, headers });
      // The first round warms everything up.
      if (i > 0) rounds[each].push(result);
    }
  }
  const medians = Object.fromEntries(
    Object.entries(rounds).map(([each, results]) => [
      each,
      { cpu: median(results.map(({ cpu }) => cpu)), rps: median(results.map(({ rps }) => rps)) },
    ]),
  );
  const words = Object.entries(medians).map(
    ([each, { cpu, rps }]) => `${each} ${cpu === undefined ? '' : `${cpu.toFixed(2)} ms, `}${rps.toFixed(0)}/s`,
  );
  console.log(`${name}: ${words.join(' | ')}`);
  return medians;
}

function demand(what, figure, most, unit) {
  console.log(`${figure <= most ? 'reached' : 'MISSED '}  ${what}: ${figure.toFixed(2)} ${unit}, at most ${most}`);
  if (figure > most) failures.push(what);
}

function demandLeast(what, figure, least) {
  console.log(`${figure >= least ? 'reached' : 'MISSED '}  ${what}: ${figure.toFixed(2)}, at least ${least}`);
  if (figure < least) failures.push(what);
}
