import { randomUUID } from 'node:crypto';
import type { App } from '@homeport/apps/contracts';
import { TestIssuer } from '@homeport/identity/server/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type InProcessApi, startInProcessApi } from './testing/in-process-api';
import { TokenClient } from './testing/token-client';

type Claims = Readonly<Record<string, unknown>>;

const PUBLIC_URL = 'http://localhost:3999';
const REFUSED = { error: 'invalid_request', error_description: 'The subject token is not accepted for this audience.' };
/** The claims that GitHub states about a job of the production environment. */
const GITHUB: Claims = {
  sub: 'repo:acme/shop:environment:production',
  repository: 'acme/shop',
  repository_id: '1001',
  repository_owner: 'acme',
  repository_owner_id: '17',
  ref: 'refs/heads/main',
  ref_type: 'branch',
  environment: 'production',
  event_name: 'push',
  workflow: 'deploy',
};
const RULES = {
  repository: 'acme/shop',
  repository_owner_id: '17',
  ref: 'refs/heads/main',
  environment: 'production',
  event_name: 'push',
};

let api: InProcessApi;
let client: TokenClient;
let pipelines: TestIssuer;
let strangers: TestIssuer;
let app: App;

beforeAll(async () => {
  [pipelines, strangers] = await Promise.all([TestIssuer.start(), TestIssuer.start()]);
  pipelines.serveDiscovery();
  strangers.serveDiscovery();
  api = await startInProcessApi({ PUBLIC_URL });
  client = new TokenClient(api.url);
  const ada = await api.issuer.token({ sub: 'ada', org_id: 'acme' });
  app = await client.register(ada, 'Guarded pipeline');
  await client.createTrust(ada, app.id, { issuer: pipelines.url, claims: RULES, scopes: ['deploys:write'] });
});

afterAll(async () => {
  await api?.stop();
  await Promise.all([pipelines?.stop(), strangers?.stop()]);
});

const now = () => Math.floor(Date.now() / 1_000);
const claimsOf = (changes: Claims = {}, issuer = pipelines): Claims =>
  issuer.claims({ aud: PUBLIC_URL, jti: randomUUID(), ...GITHUB, ...changes });
const signed = (changes: Claims = {}, header: object = {}): Promise<string> =>
  pipelines.sign(claimsOf(changes), { typ: 'JWT', ...header });

/** Expects the same refusal for this app and for one that does not exist. */
async function expectRefused(what: string, subject_token: string): Promise<void> {
  for (const audience of [app.id, randomUUID()]) {
    const { status, body } = await client.exchange({ subject_token, audience });
    expect([what, status, body]).toEqual([what, 400, REFUSED]);
  }
}

/** Values that are not the value, for a claim that must match it exactly. */
function differentFrom(value: string): unknown[] {
  return [
    undefined,
    null,
    '',
    '*',
    `${value} `,
    ` ${value}`,
    `${value}\0`,
    `${value}/`,
    `x${value}`,
    value.slice(0, -1),
    value.slice(1),
    [value],
    [value, value],
    { value },
    true,
    0,
  ];
}

/** Tokens that the issuer signed for jobs that the trust does not name. */
function jobsOfOthers(): [string, Claims][] {
  const claims = Object.entries(RULES).flatMap(([name, value]) =>
    differentFrom(value).map((other): [string, Claims] => [`${name} ${JSON.stringify(other)}`, { [name]: other }]),
  );
  const fork = {
    repository: 'mallory/shop',
    repository_id: '2002',
    repository_owner: 'mallory',
    repository_owner_id: '66',
  };
  return [
    ...claims,
    ['a fork', { ...fork, sub: 'repo:mallory/shop:environment:production' }],
    ['a fork with the name of the owner in its claims', { ...fork, sub: GITHUB['sub'], repository_owner: 'acme' }],
    ['a pull request', { event_name: 'pull_request', ref: 'refs/pull/7/merge', sub: 'repo:acme/shop:pull_request' }],
    [
      // GitHub runs it in the repository, on its main branch, with the rights of the repository.
      'a pull request of a fork on the main branch',
      { event_name: 'pull_request_target', head_ref: 'main', sub: 'repo:acme/shop:pull_request' },
    ],
    ['another branch', { ref: 'refs/heads/main2', sub: 'repo:acme/shop:ref:refs/heads/main2' }],
    ['a tag with the name of the branch', { ref: 'refs/tags/main', ref_type: 'tag' }],
    ['another environment', { environment: 'staging', sub: 'repo:acme/shop:environment:staging' }],
    ['a repository that took over the name', { repository_owner_id: '18' }],
    ['other letters', { repository: 'Acme/Shop' }],
    ['letters that look alike', { repository: 'аcme/shop' }],
  ];
}

/** Wrong times, audiences and issuers. */
function wrongTerms(): [string, Claims][] {
  const audiences = [
    undefined,
    null,
    '',
    [],
    {},
    7,
    `${PUBLIC_URL}/`,
    `${PUBLIC_URL}/auth/token`,
    PUBLIC_URL.replace('http:', 'https:'),
    PUBLIC_URL.replace('3999', '3998'),
    PUBLIC_URL.toUpperCase(),
    'https://github.com/acme',
    [PUBLIC_URL, 'https://other.example'],
    [PUBLIC_URL, PUBLIC_URL],
    [[PUBLIC_URL]],
    app.id,
  ];
  const times: Claims[] = [
    { exp: now() - 31 },
    { exp: now() - 86_400 },
    { exp: 0 },
    { exp: -1 },
    { exp: undefined },
    { exp: null },
    { exp: String(now() + 600) },
    { exp: [now() + 600] },
    { nbf: now() + 600 },
    { nbf: String(now()) },
    { nbf: null },
    { iat: now() + 600 },
    { iat: 'now' },
    { iat: null },
  ];
  const issuers = [
    undefined,
    null,
    '',
    7,
    [pipelines.url],
    `${pipelines.url}/`,
    strangers.url,
    api.issuer.url,
    PUBLIC_URL,
  ];
  return [
    ...audiences.map((aud): [string, Claims] => [`audience ${JSON.stringify(aud)}`, { aud }]),
    ...times.map((each): [string, Claims] => [`time ${JSON.stringify(each)}`, each]),
    ...issuers.map((iss): [string, Claims] => [`issuer ${JSON.stringify(iss)}`, { iss }]),
  ];
}

/** Tokens that the issuer did not sign. */
async function forgedTokens(): Promise<[string, string][]> {
  const valid = await signed();
  const [header = '', payload = '', signature = ''] = valid.split('.');
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const algorithms = ['none', 'None', 'HS256', 'HS512', 'RS1', 'ES256K', '', undefined, null, 7];
  return [
    ...algorithms.map((alg): [string, string] => [
      `algorithm ${JSON.stringify(alg)}`,
      `${encoded({ alg, kid: 'RS256' })}.${payload}.${signature}`,
    ]),
    ['no signature', `${header}.${payload}.`],
    ['two parts', `${header}.${payload}`],
    ['four parts', `${valid}.${signature}`],
    ['a changed payload', `${header}.${encoded(claimsOf({ repository_id: '1' }))}.${signature}`],
    ['a truncated signature', valid.slice(0, -4)],
    ['a padded signature', `${valid}==`],
    ['a space', `${valid} x`],
    ['a payload that is a list', await pipelines.sign('[]')],
    ['a payload that is no JSON', await pipelines.sign('x')],
    ['the key of another', await pipelines.sign(claimsOf(), { typ: 'JWT' }, strangers.keys.PS256.privateKey)],
    ['an unknown key', await signed({}, { kid: 'unknown' })],
    ['no key id', await signed({}, { kid: '' })],
    ['its own key', await signed({}, { jwk: pipelines.jwks()[0], kid: 'own' })],
    ['a critical header', `${encoded({ alg: 'RS256', kid: 'RS256', crit: ['x'], x: 1 })}.${payload}.${signature}`],
    ['the token of a stranger', await strangers.sign(claimsOf({}, strangers), { typ: 'JWT' })],
    ['the token of a person', await api.issuer.token({ sub: 'ada', org_id: 'acme' })],
    ['an access token', `hp_${'0'.repeat(40)}`],
    ['no token', 'x'],
    ['a long text', 'x'.repeat(9_000)],
  ];
}

describe('tokens that are not of a trusted pipeline', () => {
  it('are refused with the same text, whether the app exists or not, when another job has them', async () => {
    const jobs = jobsOfOthers();
    expect(jobs.length).toBeGreaterThanOrEqual(85);
    for (const [what, changes] of jobs) await expectRefused(what, await signed(changes));
    expect((await client.exchange({ subject_token: await signed(), audience: app.id })).status).toBe(200);
  });

  it('are refused with the same text when they are expired, or for another audience or issuer', async () => {
    const terms = wrongTerms();
    expect(terms.length).toBeGreaterThanOrEqual(35);
    for (const [what, changes] of terms) await expectRefused(what, await signed(changes));
  });

  it('are refused with the same text when they are forged', async () => {
    const forged = await forgedTokens();
    expect(forged.length).toBeGreaterThanOrEqual(28);
    for (const [what, token] of forged) await expectRefused(what, token);
    expect((await client.exchange({ subject_token: await signed(), audience: app.id })).status).toBe(200);
  });
});
