import { randomUUID } from 'node:crypto';
import type { App } from '@homeport/apps/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type InProcessApi, startInProcessApi } from './testing/in-process-api';
import { TokenClient } from './testing/token-client';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FULL_SCOPES = ['apps:read', 'apps:write', 'deploys:write'];

let api: InProcessApi;
let client: TokenClient;
let ada: string;
let app: App;
let valid: string;

beforeAll(async () => {
  api = await startInProcessApi();
  client = new TokenClient(api.url);
  ada = await api.issuer.token({ sub: 'ada', org_id: 'acme' });
  app = await client.register(ada, 'Guarded shop');
  valid = (await client.createToken(ada, { scopes: FULL_SCOPES })).token;
});

afterAll(() => api?.stop());

function replaced(token: string, index: number, character: string): string {
  return token.slice(0, index) + character + token.slice(index + 1);
}

/** Spellings of a valid token that are not the token. */
function malformedTokens(token: string): string[] {
  const [secret, checksum] = [token.slice(3, 37), token.slice(37)];
  const wrongCharacters = Array.from({ length: 40 }, (_, index) => {
    const character = token[index + 3] as string;
    return replaced(token, index + 3, ALPHABET[(ALPHABET.indexOf(character) + 1) % 62] as string);
  });
  const truncated = Array.from({ length: 20 }, (_, index) => token.slice(0, 42 - 2 * index));
  const extended = ['0', 'x', '=', '.', '..', '\\', '"', "'", '%00', '%20', '+', '/', '-', '_'].map(
    (end) => token + end,
  );
  const otherPrefixes = ['', 'hp', 'hp-', 'HP_', 'Hp_', 'hp__', 'ghp_', 'hp_hp_', 'xhp_'].map(
    (each) => each + token.slice(3),
  );
  const otherAlphabets = ['-', '_', '+', '/', '=', '~', '!', '$', ',', ';'].map((each) => replaced(token, 10, each));
  return [
    ...new Set([
      ...wrongCharacters,
      ...truncated,
      ...extended,
      ...otherPrefixes,
      ...otherAlphabets,
      `hp_${checksum}${secret}`,
      `hp_${secret.toLowerCase()}${checksum}`,
      `hp_${secret.toUpperCase()}${checksum}`,
      `hp_${[...secret].toReversed().join('')}${checksum}`,
      `hp_${secret}000000`,
      `hp_${'0'.repeat(40)}`,
      `hp_${'z'.repeat(40)}`,
      `${token},${token}`,
      `${token}.${token}`,
      Buffer.from(token).toString('base64url'),
      Buffer.from(token).toString('hex'),
    ]),
  ].filter((each) => each !== '' && each !== token);
}

async function expectRefused(bearer: string): Promise<void> {
  const existing = await client.call(`GET /api/apps/${app.id}`, { bearer });
  const absent = await client.call(`GET /api/apps/${randomUUID()}`, { bearer });
  expect([bearer, existing.status, existing.body.code]).toEqual([bearer, 401, 'identity.token-invalid']);
  expect(existing.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  expect({ ...existing.body, request_id: '' }).toEqual({ ...absent.body, request_id: '' });
}

describe('bad tokens', () => {
  it('are more than 100 spellings of a valid token, all answered 401', async () => {
    const malformed = malformedTokens(valid);
    expect(malformed.length).toBeGreaterThan(100);
    for (const bearer of malformed) await expectRefused(bearer);
    expect((await client.call(`GET /api/apps/${app.id}`, { bearer: valid })).status).toBe(200);
  });

  it('are answered 401 with spaces, other schemes and in other places', async () => {
    const headers = [
      `Bearer ${valid.slice(0, 20)} ${valid.slice(20)}`,
      `Bearer ${valid} ${valid}`,
      `Bearer\u00a0${valid}`,
      `Bearer"${valid}"`,
      `Basic ${valid}`,
      `Basic ${Buffer.from(`token:${valid}`).toString('base64')}`,
      `Token ${valid}`,
      `Bearer: ${valid}`,
      `bearer=${valid}`,
      valid,
    ];
    for (const authorization of headers) {
      const { status } = await client.call(`GET /api/apps/${app.id}`, { headers: { authorization } });
      expect([authorization, status]).toEqual([authorization, 401]);
    }
    expect((await client.call(`GET /api/apps/${app.id}`, { headers: { cookie: `token=${valid}` } })).status).toBe(401);
    const query = await client.call(`GET /api/apps/${app.id}?access_token=${valid}`);
    expect(query.status).toBe(401);
  });

  it('are answered 401 with a valid checksum when they are unknown', async () => {
    const revoked = await client.createToken(ada, { scopes: FULL_SCOPES });
    await client.call(`DELETE /api/tokens/${revoked.id}`, { bearer: ada });
    await expectRefused(revoked.token);
  });

  it('are answered 401 identity.token-expired after their expiry', async () => {
    const { token } = await client.createToken(ada, {
      scopes: FULL_SCOPES,
      expires_at: new Date(Date.now() + 1_500).toISOString(),
    });
    // The test's time limit applies.
    let answer = await client.call(`GET /api/apps/${app.id}`, { bearer: token });
    while (answer.status === 200) answer = await client.call(`GET /api/apps/${app.id}`, { bearer: token });
    expect([answer.status, answer.body.code]).toEqual([401, 'identity.token-expired']);
    const absent = await client.call(`GET /api/apps/${randomUUID()}`, { bearer: token });
    expect({ ...answer.body, request_id: '' }).toEqual({ ...absent.body, request_id: '' });
  });

  it('reach nothing with another scope, another app or another organization', async () => {
    const ben = await api.issuer.token({ sub: 'ben', org_id: 'globex' });
    const otherApp = await client.register(ada, 'Bound shop');
    const rows = [
      [(await client.createToken(ada, { scopes: ['usage:write', 'logs:read', 'domains:write'] })).token, 403],
      [(await client.createPersonalToken(ada, { scopes: ['files:read', 'files:write'] })).token, 403],
      [(await client.createToken(ada, { scopes: FULL_SCOPES, app_id: otherApp.id })).token, 404],
      [(await client.createToken(ben, { scopes: FULL_SCOPES })).token, 404],
    ] as const;
    const routes = [
      'GET /api/apps/:id',
      'DELETE /api/apps/:id',
      'GET /api/apps/:id/deploys',
      'POST /api/apps/:id/rollback',
    ];
    for (const [bearer, expected] of rows) {
      for (const route of routes) {
        const existing = await client.call(route.replace(':id', app.id), { bearer });
        const absent = await client.call(route.replace(':id', randomUUID()), { bearer });
        expect([route, existing.status]).toEqual([route, expected]);
        expect({ ...existing.body, request_id: '' }).toEqual({ ...absent.body, request_id: '' });
      }
    }
  });
});

describe('the limit of what an organization creates', () => {
  it('counts registrations and tokens of all its people, and not reads', async () => {
    const limited = await startInProcessApi({ RATE_LIMIT_CREATIONS: '2' });
    try {
      const calls = new TokenClient(limited.url);
      const [ada, ben, other] = await Promise.all([
        limited.issuer.token({ sub: 'ada', org_id: 'acme' }),
        limited.issuer.token({ sub: 'ben', org_id: 'acme' }),
        limited.issuer.token({ sub: 'hank', org_id: 'globex' }),
      ]);
      const register = async (bearer: string) =>
        (await calls.call('POST /api/apps', { bearer, json: { name: '-' } })).status;
      await calls.createToken(ada, { scopes: ['apps:read'] });
      expect([await register(ben), await register(ada), await register(ben)]).toEqual([400, 429, 429]);
      expect((await calls.call('GET /api/apps', { bearer: ada })).status).toBe(200);
      expect(await register(other)).toBe(400);
    } finally {
      await limited.stop();
    }
  });
});

describe('the rate limit of tokens', () => {
  it('counts each token separately from its person', async () => {
    const limited = await startInProcessApi({ RATE_LIMIT_PER_USER: '3' });
    try {
      const calls = new TokenClient(limited.url);
      const person = await limited.issuer.token({ sub: 'ada', org_id: 'acme' });
      const one = await calls.createToken(person, { scopes: ['apps:read'] });
      const other = await calls.createToken(person, { scopes: ['apps:read'] });
      const statuses = async (bearer: string, times: number) => {
        const answers = [];
        for (let count = 0; count < times; count += 1)
          answers.push((await calls.call('GET /api/apps', { bearer })).status);
        return answers;
      };
      expect(await statuses(one.token, 4)).toEqual([200, 200, 200, 429]);
      expect(await statuses(other.token, 3)).toEqual([200, 200, 200]);
      expect(await statuses(person, 2)).toEqual([200, 429]);
    } finally {
      await limited.stop();
    }
  });
});
