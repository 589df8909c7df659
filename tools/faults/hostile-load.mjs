// `npm run faults:hostile`: runs slow uploads, slow readers, hostile archives, incomplete JSON bodies and expensive
// redirect rules at once against an API and an edge with a heap of 512 MiB, for MINUTES (60). Measures a customer of
// another organization before and during the attack. Prints the figures and exits with 1 when a target is missed. Needs
// a build.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { peakMemoryOf } from '../bench/measure.mjs';
import { Verdict } from '../bench/verdict.mjs';
import { freePort, removePostgresData, startApi, startEdge, startServices } from '../dev-services/index.ts';
import { measureBaseline } from './baseline-client.mjs';
import { siteWithLongPaths, siteWithRules, tarGz } from './hostile-archives.mjs';
import { startTokenIssuer } from './token-issuer.mjs';

const MINUTES = Number(process.env.MINUTES ?? 60);
const CALM_MINUTES = Math.min(3, MINUTES);
const HEAP_MIB = 512;
const DOMAIN = 'apps.localhost';
const ATTACKERS = ['evil-one', 'evil-two', 'evil-three'];

const dataDir = await mkdtemp(join(tmpdir(), 'homeport-hostile-'));
const closers = [];
const verdict = new Verdict();
try {
  await run(await startProduct());
} finally {
  for (const close of closers.toReversed()) await close();
  await removePostgresData(dataDir);
  await rm(dataDir, { recursive: true, force: true });
}
process.exit(verdict.end());

async function run(product) {
  const { customer, target } = await prepare(product);
  const calm = await measureBaseline(customer, CALM_MINUTES);
  const attacker = fork(join(import.meta.dirname, 'attacker.mjs'));
  closers.push(() => attacker.kill('SIGKILL'));
  attacker.send({ target });
  const meanwhile = await measureBaseline(customer, MINUTES);
  attacker.send('report');
  const [counts] = await once(attacker, 'message');
  report(product, { calm, meanwhile, counts });
}

function report({ api, edge, restarts }, { calm, meanwhile, counts }) {
  for (const [result, amount] of Object.entries(counts).toSorted()) console.log(`attack ${result}: ${amount}`);
  for (const [name, { pid }] of Object.entries({ api, edge })) {
    console.log(`${name}: peak memory ${peakMemoryOf(pid).toFixed(0)} MiB`);
  }
  const reasons = Object.entries(Object.groupBy(meanwhile.failures, (failure) => failure));
  for (const [failure, all] of reasons) console.log(`customer got ${failure}: ${all.length} times`);
  verdict.atMost('processes that ended', restarts.length, 0);
  verdict.atMost('failed calls of the customer while calm', calm.failures.length, 0);
  verdict.atMost('failed calls of the customer under attack', meanwhile.failures.length, 0);
  for (const [kind, times] of Object.entries(meanwhile.times)) {
    const [before, after] = [p99(calm.times[kind]), p99(times)];
    console.log(`${kind}: p99 ${before.toFixed(1)} ms calm, ${after.toFixed(1)} ms under attack, of ${times.length}`);
  }
  const all = ({ times }) => p99(Object.values(times).flat());
  console.log(`all calls: p99 ${all(calm).toFixed(1)} ms calm, ${all(meanwhile).toFixed(1)} ms under attack`);
  verdict.atMost('p99 of the customer, under attack against calm', all(meanwhile) / all(calm), 5);
}

function p99(times) {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))];
}

async function startProduct() {
  const issuer = await startTokenIssuer();
  closers.push(() => issuer.close());
  const shell = { PATH: process.env.PATH, HOME: process.env.HOME };
  const ports = { dns: 0, identity: 0, postgres: 0, s3: 0 };
  const services = await startServices({
    dataDir,
    publicUrl: 'http://localhost',
    ports,
    env: { ...shell, ...issuer.env },
  });
  closers.push(() => services.close());
  const env = {
    ...shell,
    ...issuer.env,
    ...services.env,
    PLATFORM_DOMAIN: DOMAIN,
    LOG_LEVEL: 'warn',
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`,
    // The rate limits would stop most attacks before they take effect.
    RATE_LIMIT_PER_USER: '0',
    RATE_LIMIT_PER_ADDRESS: '0',
  };
  const [apiPort, edgePort] = [await freePort(), await freePort()];
  const onLog = (service, line) => /heap|FATAL|"level":(50|60)/.test(line) && console.log(service, line.slice(0, 300));
  const api = await startApi({ port: apiPort, host: '127.0.0.1', publicUrl: 'http://localhost', env, onLog });
  closers.push(() => api.close());
  const edge = await startEdge({ port: edgePort, host: '127.0.0.1', env, onLog });
  closers.push(() => edge.close());
  const restarts = [];
  for (const child of [api, edge]) void child.died.then((reason) => restarts.push(reason));
  return { issuer, apiPort, edgePort, api, edge, restarts };
}

async function prepare({ issuer, apiPort, edgePort }) {
  const as = async (organization) => {
    const token = await issuer.token(`person-of-${organization}`, organization);
    const app = await ask(apiPort, token, '/api/apps', {
      type: 'application/json',
      content: JSON.stringify({ name: `Site of ${organization}` }),
    });
    return { token, app };
  };
  const upload = ({ token, app }, archive) =>
    ask(apiPort, token, `/api/apps/${app.id}/deploys`, { type: 'application/gzip', content: archive });
  const calm = await as('calm');
  await upload(calm, await tarGz([['index.html', 'a calm site']]));
  const evil = await Promise.all(ATTACKERS.map(as));
  const large = await uploadLargest((archive) => upload(evil[0], archive));
  await upload(evil[1], await siteWithRules(2_000));
  return {
    customer: { apiPort, edgePort, token: calm.token, appId: calm.app.id, siteHost: calm.app.hostname },
    target: {
      apiPort,
      edgePort,
      tokens: evil.map(({ token }) => token),
      appIds: evil.map(({ app }) => app.id),
      deployId: large.id,
      rulesHost: evil[1].app.hostname,
    },
  };
}

/** Uploads a deploy with the longest paths that the API accepts. */
async function uploadLargest(upload) {
  for (const pathBytes of [1_000, 500, 250, 100]) {
    const deploy = await upload(await siteWithLongPaths(20_000, pathBytes)).catch(() => undefined);
    if (deploy) {
      console.log(`deploy with 20,000 files, paths of ${pathBytes} bytes`);
      return deploy;
    }
  }
  throw new Error('no deploy with 20,000 files is accepted');
}

async function ask(port, token, path, { type, content }) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: content });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer).slice(0, 300)}`);
  return answer;
}
