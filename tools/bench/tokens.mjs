// `npm run bench:tokens`: compares the answers for resources of another organization with those for absent ones, byte by
// byte and by duration, for valid and for rejected tokens. Needs a build (`npm start` creates one). Prints the figures
// and exits with 1 when an answer tells whether a resource exists.
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { cpus } from 'node:os';
import { buffer, text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { pack } from 'tar-stream';
import { startBenchFixture } from './bench-fixture.mjs';
import { median } from './measure.mjs';
import { Verdict } from './verdict.mjs';

const { newTokenSecret } = await import(
  new URL('../../dist/api/libs/identity/server/src/tokens/domain/token-secret.js', import.meta.url)
);

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 2_000);
const WARM_UP = 50;
/**
 * Without a difference, one of two answers is slower in 50 % of the rounds. The limit is four standard errors: with
 * twenty comparisons, one run in 800 exceeds it by chance.
 */
const MAX_DEVIATION = Number(((4 * 50) / Math.sqrt(ROUNDS)).toFixed(2));
const SCOPES = ['apps:read', 'apps:write', 'deploys:write', 'environment:write', 'logs:read'];
const READ_APP = ({ app }) => `GET /api/apps/${app}`;
const READ_DEPLOY = ({ deploy }) => `GET /api/deploys/${deploy}`;
const ACTIVATE_DEPLOY = ({ deploy }) => `POST /api/deploys/${deploy}/activate`;
const REVOKE_TOKEN = ({ token }) => `DELETE /api/tokens/${token}`;
const READ_FILE = ({ file }) => `GET /api/files/${file}`;
/** The calls of a token that is bound to one app. */
const CALLS_OF_ONE_APP = {
  'read an app': READ_APP,
  'list deploys': ({ app }) => `GET /api/apps/${app}/deploys`,
  'roll back': ({ app }) => `POST /api/apps/${app}/rollback`,
  'delete an app': ({ app }) => `DELETE /api/apps/${app}`,
  'read a deploy': READ_DEPLOY,
  'activate a deploy': ACTIVATE_DEPLOY,
  'revoke a token': REVOKE_TOKEN,
  'read a file': READ_FILE,
};
const CALLS_OF_ALL_APPS = {
  'read an app': READ_APP,
  'read a deploy': READ_DEPLOY,
  'activate a deploy': ACTIVATE_DEPLOY,
};
const CALLS_OF_A_PERSON = { 'revoke a token': REVOKE_TOKEN, 'read a file': READ_FILE };
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const verdict = new Verdict();

console.log(`${cpus().length} × ${cpus()[0].model}, Node ${process.version}, ${ROUNDS} rounds each, in random order`);
const fixture = await startBenchFixture();
try {
  const ours = await organizationOf(fixture.ours.headers);
  const theirs = await organizationOf(await fixture.otherOrganizationHeaders());
  // Persons first: their tokens expire after 10 minutes.
  const rejected = await rejectedTokens(ours);
  await compareForeignResources(ours, theirs);
  await compareRejectedTokens(ours, rejected);
  const { status } = await send(READ_APP(theirs), bearer(theirs.ofAllApps));
  verdict.atLeast('status of the app of the other organization afterwards', status, 200);
} finally {
  agent.destroy();
  await fixture.close();
}
process.exit(verdict.end());

/** Creates one resource of each kind, and tokens. */
async function organizationOf(person) {
  const post = async (path, body, type) => {
    const { status, body: created } = await send(`POST ${path}`, { ...person, 'content-type': type }, body);
    if (status !== 201) throw new Error(`POST ${path}: ${status} ${created}`);
    return JSON.parse(created);
  };
  const postJson = (path, body) => post(path, JSON.stringify(body), 'application/json');
  const { id: app } = await postJson('/api/apps', { name: `Bench ${randomUUID().slice(0, 8)}` });
  const archive = pack();
  archive.entry({ name: 'index.html' }, '<h1>Bench</h1>');
  archive.finalize();
  const { id: deploy } = await post(`/api/apps/${app}/deploys`, gzipSync(await buffer(archive)), 'application/gzip');
  const file = `${randomUUID()}.md`;
  await send(`PUT /api/files/${file}`, person, '# Bench');
  const createToken = (more) => postJson('/api/tokens', { name: 'Bench', scopes: SCOPES, ...more });
  const [ofAll, ofOne] = [await createToken({}), await createToken({ app_id: app })];
  const tokens = { ofAllApps: ofAll.token, ofOneApp: ofOne.token, createToken };
  return { app, deploy, file, token: ofAll.id, person, ...tokens };
}

/** The ids of resources that do not exist. */
function absent() {
  return { app: randomUUID(), deploy: randomUUID(), token: randomUUID(), file: `${randomUUID()}.md` };
}

function bearer(token) {
  return { authorization: `Bearer ${token}` };
}

async function compareForeignResources(ours, theirs) {
  const callers = {
    person: [ours.person, CALLS_OF_A_PERSON],
    'token of all apps': [bearer(ours.ofAllApps), CALLS_OF_ALL_APPS],
    'token of one app': [bearer(ours.ofOneApp), CALLS_OF_ONE_APP],
  };
  for (const [caller, [headers, calls]] of Object.entries(callers)) {
    const { status } = await send('GET /api/apps', headers);
    if (status !== 200) throw new Error(`The ${caller} is not accepted any more: ${status}.`);
    for (const [name, call] of Object.entries(calls)) await compare(`${caller}: ${name}`, headers, call, theirs);
  }
}

async function rejectedTokens(ours) {
  const valid = newTokenSecret();
  return {
    'wrong checksum': valid.slice(0, -1) + (valid.endsWith('0') ? '1' : '0'),
    unknown: newTokenSecret(),
    revoked: await revokedToken(ours),
    expired: await expiredToken(ours),
  };
}

/** Rejected tokens ask for an app of the same organization. */
async function compareRejectedTokens(ours, tokens) {
  for (const [name, token] of Object.entries(tokens)) await compare(`${name} token`, bearer(token), READ_APP, ours);
  const call = READ_APP(ours);
  const [unknown, revoked] = [bearer(tokens.unknown), bearer(tokens.revoked)];
  const requests = { existing: [call, revoked], absent: [call, unknown], alsoAbsent: [call, bearer(newTokenSecret())] };
  report('revoked token against an unknown one', await measure(requests));
  // A difference that the method has to find: a wrong checksum costs no query, and everyone can compute it.
  const control = { existing: [call, unknown], absent: [call, bearer(tokens['wrong checksum'])] };
  verdict.atLeast('control: unknown token against a wrong checksum, deviation', deviation(await measure(control)), 10);
}

async function revokedToken({ createToken, person }) {
  const { id, token } = await createToken({});
  await send(`DELETE /api/tokens/${id}`, person);
  return token;
}

/** The API creates no expired token. */
async function expiredToken({ createToken }) {
  const { id, token } = await createToken({});
  const client = new pg.Client({ connectionString: fixture.env.DATABASE_URL });
  await client.connect();
  await client.query(`update identity.tokens set expires_at = now() - interval '1 day' where id = $1`, [id]);
  await client.end();
  return token;
}

/** Compares the answers for an existing resource with those for two absent ones. */
async function compare(name, headers, call, existing) {
  const resources = { existing, absent: absent(), alsoAbsent: absent() };
  const requests = Object.entries(resources).map(([key, resource]) => [key, [call(resource), headers]]);
  report(name, await measure(Object.fromEntries(requests)));
}

/** Sends one request of each kind in every round, in random order. @returns durations and answers by kind. */
async function measure(requests) {
  const results = Object.keys(requests).map((key) => [key, { durations: [], answers: new Set() }]);
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const order = results.map((result) => [Math.random(), result]).toSorted(([one], [other]) => one - other);
    for (const [, [key, { durations, answers }]] of order) {
      const started = performance.now();
      const { body, status, headers } = await send(...requests[key]);
      if (round >= 0) durations.push(performance.now() - started);
      answers.add([status, headers, body].join('\n'));
    }
  }
  return Object.fromEntries(results);
}

function report(name, { existing, absent: missing, alsoAbsent }) {
  const [one, other, control] = [existing, missing, alsoAbsent].map(({ durations }) => median(durations));
  const isEqual = new Set([...existing.answers, ...missing.answers, ...alsoAbsent.answers]).size === 1;
  const medians = `medians ${one.toFixed(3)} and ${other.toFixed(3)} ms`;
  const ratios = `ratio ${(one / other).toFixed(3)}, same against same ${(control / other).toFixed(3)}`;
  console.log(`${name}: ${[...existing.answers][0].slice(0, 3)}, ${medians}, ${ratios}`);
  verdict.atLeast(`${name}: equal answers`, Number(isEqual), 1);
  verdict.atMost(`${name}: deviation from 50 %`, deviation({ existing, absent: missing }), MAX_DEVIATION);
}

/** How far the share of rounds in which the existing resource was slower is from 50 %, in percentage points. */
function deviation({ existing, absent: missing }) {
  const slower = existing.durations.filter((duration, round) => duration > missing.durations[round]).length;
  return Math.abs((slower * 100) / existing.durations.length - 50);
}

/** Requests have one id, so that equal answers are equal in every byte. The date is left out. */
function send(call, headers, body) {
  const [method, path] = call.split(' ');
  return new Promise((resolve, reject) => {
    const options = { agent, method, headers: { 'x-request-id': 'bench-tokens', ...headers } };
    const outgoing = request(fixture.ours.url + path, options, (response) => {
      const sentHeaders = JSON.stringify({ ...response.headers, date: undefined });
      text(response).then(
        (answer) => resolve({ status: response.statusCode, headers: sentHeaders, body: answer }),
        reject,
      );
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}
