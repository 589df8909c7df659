import { createHash, createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { suiteSize } from '@homeport/platform/server/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { CompactJWSHeaderParameters } from 'jose';
import { guardedApp } from '../../testing/guarded-app';
import { TestIssuer } from '../../testing/test-issuer';
import { JwksKeySet } from '../jwks/jwks-key-set';

/** One fixed time for issuer and guard: the duration of the run changes no case. */
const NOW = Math.floor(Date.now() / 1_000);
const INVALID = 'identity.token-invalid';
const EXPIRED = 'identity.token-expired';
const MUTATIONS = suiteSize(2_000, 10_000);
/** Values that are invalid for text and number claims. */
const NO_TEXTS = [undefined, null, '', 0, 7, true, [], ['x'], {}, { x: 1 }];
const NO_NUMBERS = [null, '', '7', `${NOW + 600}`, true, [], [NOW], {}];
const STRANGER = generateKeyPairSync('rsa', { modulusLength: 2048 });

type Case = readonly [name: string, token: () => string | Promise<string>, code?: string];
type Header = Partial<CompactJWSHeaderParameters> & Record<string, unknown>;

let issuer: TestIssuer;
let app: NestFastifyApplication;

beforeAll(async () => {
  jest.spyOn(Date, 'now').mockReturnValue(NOW * 1_000);
  issuer = await TestIssuer.start();
  app = await guardedApp({ rules: issuer.rules(), keySet: new JwksKeySet({ jwksUri: async () => issuer.jwksUri }) });
});

afterAll(async () => {
  jest.restoreAllMocks();
  await app?.close();
  await issuer?.stop();
});

async function call(token: string) {
  const { statusCode, headers, body } = await app.inject({
    url: '/person',
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: statusCode, headers, body: JSON.parse(body) as Record<string, unknown> };
}

const claims = (changes: Record<string, unknown>): Case => [
  `claims ${JSON.stringify(changes, (_key, value: unknown) => value ?? String(value))}`,
  () => issuer.sign(issuer.claims(changes)),
];
const header = (changes: Header): Case => [
  `header ${JSON.stringify(changes)}`,
  () => raw({ alg: 'RS256', kid: 'RS256', typ: 'at+jwt', ...changes }, issuer.claims()),
];
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs with RS256 regardless of the header, so that only the header is wrong. */
function raw(head: Record<string, unknown>, payload: unknown): string {
  const signed = `${part(head)}.${part(payload)}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), issuer.keys.RS256.privateKey).toString('base64url')}`;
}

const BAD: readonly Case[] = [
  ...NO_TEXTS.map((iss) => claims({ iss })),
  ...['https://evil.example', 'http://127.0.0.1', ' '].map((iss) => claims({ iss })),
  ...NO_TEXTS.map((aud) => claims({ aud })),
  ...['other', 'homeport-api ', 'HOMEPORT-API', 'homeport', ['other'], [['homeport-api']], ['homeport-api', 7]].map(
    (aud) => claims({ aud }),
  ),
  ...NO_TEXTS.map((sub) => claims({ sub })),
  ...[undefined, ...NO_NUMBERS].map((exp) => claims({ exp })),
  ...[NOW - 31, NOW - 3_600, 0, 1, -1, 1.5].map((exp): Case => [
    `expired ${exp}`,
    () => issuer.token({ exp }),
    EXPIRED,
  ]),
  ...NO_NUMBERS.map((nbf) => claims({ nbf })),
  ...[NOW + 100, NOW * 1_000].map((nbf) => claims({ nbf })),
  ...NO_NUMBERS.map((iat) => claims({ iat })),
  ...[NOW + 100, NOW * 1_000].map((iat) => claims({ iat })),
  ...NO_TEXTS.slice(1).map((org_id) => claims({ org_id })),
  ...[null, '', 'id', 'refresh', 7, ['access']].map((token_use) => claims({ token_use })),
  ...['ID', 'id', 7, null, ['ID']].map((typ) => claims({ typ })),
  claims({ at_hash: 'x' }),
  claims({ c_hash: 'x' }),
  ...['none', 'None', 'HS256', 'HS512', 'RS512', 'ES384', 'rs256', '', null, 7, ['RS256'], {}].map((alg) =>
    header({ alg: alg as string }),
  ),
  ...['id+jwt', 'logout+jwt', 'dpop+jwt', 'JWE', '', null, 7, ['JWT']].map((typ) => header({ typ: typ as string })),
  ...[[], ['exp'], ['b64'], ['unheard-of'], null, 'b64', {}].map((crit) => header({ crit: crit as string[] })),
  ...['', null, 7, 'unheard-of', '__proto__', 'constructor', '../RS256', 'PS256', 'ES256', 'EdDSA'].map((kid) =>
    header({ kid: kid as string }),
  ),
  ['a header without key id', () => raw({ alg: 'RS256' }, issuer.claims())],
  ...['RS256', 'PS256', 'ES256', 'EdDSA'].map((alg): Case => [
    `${alg} claimed for another signature`,
    () => raw({ alg, kid: alg === 'RS256' ? 'ES256' : alg }, issuer.claims()),
  ]),
  ...['pem', 'der', 'jwk'].map((format): Case => [
    `HS256 keyed with the public key as ${format}`,
    () => confused(format),
  ]),
  ['another key', () => issuer.sign(issuer.claims(), {}, STRANGER.privateKey)],
  ['an embedded key in the header', () => signedByHeader('jwk')],
  ['a key set URL in the header', () => signedByHeader('jku')],
  ['a certificate in the header', () => signedByHeader('x5c')],
  ...['null', '"text"', '7', '[]', '', 'not json', '{"sub":'].map((payload): Case => [
    `the payload ${payload}`,
    () => issuer.sign(payload),
  ]),
  ...['a', 'a.b', 'a.b.c', 'a.b.c.d', '..', '....', 'e30.e30.e30', 'null', '%00', 'eyJ.eyJ.x'].map((text): Case => [
    `the text ${text}`,
    () => text,
  ]),
  ['a fourth part', async () => `${await issuer.token()}.x`],
  ['no signature', async () => (await issuer.token()).replace(/[^.]*$/, '')],
  ['half a signature', async () => (await issuer.token()).slice(0, -100)],
  ['another encoding of the same signature', async () => respelled(await issuer.token())],
  ['a padded signature', async () => `${await issuer.token()}==`],
  ['more than 8 KiB', () => issuer.token({ padding: 'x'.repeat(9_000) })],
  ['more than 8 KiB of empty parts', () => 'a.'.repeat(4_200)],
];

/** The last character of a signature has unused bits, so several encodings decode to the same bytes. */
function respelled(token: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return token.slice(0, -1) + letters[letters.indexOf(token.slice(-1)) + 1];
}

async function confused(format: string): Promise<string> {
  const { publicKey } = issuer.keys.RS256;
  const secret =
    format === 'jwk'
      ? JSON.stringify(publicKey.export({ format }))
      : publicKey.export({ format: format as 'pem', type: 'spki' });
  const signed = `${part({ alg: 'HS256', kid: 'RS256', typ: 'at+jwt' })}.${part(issuer.claims())}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

function signedByHeader(how: string): Promise<string> {
  const jwk = STRANGER.publicKey.export({ format: 'jwk' });
  const headers: Record<string, Header> = {
    jwk: { jwk: jwk as never, kid: 'mine' },
    jku: { jku: 'https://evil.example/jwks.json', kid: 'mine' },
    x5c: { x5c: ['MIIB'], kid: 'mine' },
  };
  return issuer.sign(issuer.claims(), headers[how], STRANGER.privateKey);
}

const GOOD: readonly Case[] = [
  ...(['RS256', 'PS256', 'ES256', 'EdDSA'] as const).map((alg): Case => [
    alg,
    () => issuer.sign(issuer.claims(), { alg }),
  ]),
  ...['JWT', 'jwt', 'at+jwt', 'AT+JWT', 'application/at+jwt'].map((typ) => header({ typ })),
  ['no header type', () => raw({ alg: 'RS256', kid: 'RS256' }, issuer.claims())],
  claims({ aud: ['homeport-api'] }),
  claims({ aud: ['other', 'homeport-api'] }),
  claims({ exp: NOW - 5 }),
  claims({ exp: NOW + 1e9 }),
  claims({ exp: NOW + 600.5 }),
  claims({ iat: undefined }),
  claims({ nbf: NOW }),
  claims({ nbf: NOW + 20 }),
  claims({ iat: NOW + 20 }),
  claims({ token_use: 'access' }),
  claims({ typ: 'Bearer' }),
  claims({ org_id: 'org-1' }),
  claims({ sub: 'auth0|ü 🎉 ${x}' }),
  claims({ name: 'Ada', email: 'ada@example.com', groups: ['a'], nested: { deep: [1] } }),
];

describe('token corpus', () => {
  it('is large enough and has no duplicates', () => {
    expect(BAD.length).toBeGreaterThanOrEqual(150);
    expect(GOOD.length).toBeGreaterThanOrEqual(20);
    expect(new Set(BAD.map(([name]) => name)).size).toBe(BAD.length);
  });

  it.each(BAD)('refuses %s', async (_name, token, code = INVALID) => {
    const { status, headers, body } = await call(await token());
    expect([status, body['code']]).toEqual([401, code]);
    expect(headers['www-authenticate']).toMatch(/^Bearer error="invalid_token"/);
  });

  it.each(GOOD)('accepts %s', async (_name, token) => {
    const { status, body } = await call(await token());
    expect([status, body['issuer']]).toEqual([200, issuer.url]);
  });

  it(`refuses ${MUTATIONS} mutated tokens`, async () => {
    const good = await issuer.token({ org_id: 'org-1' });
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.= %';
    const seed = randomBytes(8).toString('hex');
    for (let round = 0; round < MUTATIONS; round++) {
      const token = mutated(good, alphabet, `${seed}-${round}`);
      const { status } = await call(token);
      if (status !== 401) throw new Error(`${status} for ${token}, made of ${good} by the seed ${seed}-${round}`);
    }
    expect((await call(good)).status).toBe(200);
  });
});

/** Changes, drops, adds, doubles or swaps a character; deterministic for a seed. */
function mutated(token: string, alphabet: string, seed: string): string {
  const random = createHash('sha256').update(seed).digest();
  const [a, b, kind, letter] = [0, 2, 4, 6].map((at) => random.readUInt16LE(at)) as [number, number, number, number];
  const at = a % token.length;
  const to = at + 1 + (b % 20);
  const char = alphabet[letter % alphabet.length] as string;
  const candidates = [
    token.slice(0, at) + char + token.slice(at + 1),
    token.slice(0, at) + token.slice(to),
    token.slice(0, at) + char + token.slice(at),
    token.slice(0, at) + token.slice(at, to) + token.slice(at),
    token.slice(0, at),
    token.slice(0, at) + token.slice(at, to).toUpperCase() + token.slice(to),
  ];
  const candidate = (candidates[kind % candidates.length] as string).trim();
  return candidate === token || candidate === '' ? mutated(token, alphabet, `${seed}+`) : candidate;
}
