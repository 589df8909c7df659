// `npm run faults:hostile`: runs slow uploads, slow readers, hostile archives, incomplete JSON bodies and expensive
// redirect rules at once against an API and an edge with a heap of 512 MiB, for MINUTES (60). Measures a customer of
// another organization before and during the attack. Prints the figures and exits with 1 when a target is missed. Needs
// a build.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { peakMemoryOf } from '../bench/measure.mjs';
import { Verdict } from '../bench/verdict.mjs';
import { measureBaseline } from './baseline-client.mjs';
import { siteWithLongPaths, siteWithRules, tarGz } from './hostile-archives.mjs';
import { ask, startProduct } from './product.mjs';

const MINUTES = Number(process.env.MINUTES ?? 60);
const CALM_MINUTES = Math.min(3, MINUTES);
const HEAP_MIB = 512;
const ATTACKERS = ['evil-one', 'evil-two', 'evil-three'];

const verdict = new Verdict();
const product = await startProduct({ NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}` });
try {
  await run();
} finally {
  await product.close();
}
process.exit(verdict.end());

async function run() {
  const { customer, target } = await prepare(product);
  const calm = await measureBaseline(customer, CALM_MINUTES);
  const attacker = fork(join(import.meta.dirname, 'attacker.mjs'));
  try {
    attacker.send({ target });
    const meanwhile = await measureBaseline(customer, MINUTES);
    attacker.send('report');
    const [counts] = await once(attacker, 'message');
    report({ calm, meanwhile, counts });
  } finally {
    attacker.kill('SIGKILL');
  }
}

function report({ calm, meanwhile, counts }) {
  const { api, edge, restarts } = product;
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
