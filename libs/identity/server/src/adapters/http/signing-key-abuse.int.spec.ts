import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { guardedApp } from '../../testing/guarded-app';
import { TestIssuer } from '../../testing/test-issuer';
import { JwksKeySet } from '../jwks/jwks-key-set';

const MINUTE = 60_000;

let issuer: TestIssuer;
let app: NestFastifyApplication;
/** The clock of the key set. */
let time: number;

beforeEach(async () => {
  time = 0;
  issuer = await TestIssuer.start();
});

async function openApp(timeoutMs = 60_000): Promise<void> {
  const limits = { timeoutMs, maxBytes: 256 * 1024 };
  const keySet = new JwksKeySet({ jwksUri: async () => issuer.jwksUri, now: () => time, limits });
  app = await guardedApp({ rules: issuer.rules(), keySet });
}

afterEach(async () => {
  await app.close();
  await issuer.stop();
});

async function call(token: string): Promise<number> {
  return (await app.inject({ url: '/person', headers: { authorization: `Bearer ${token}` } })).statusCode;
}

const forged = () => issuer.sign(issuer.claims(), { kid: randomBytes(8).toString('hex') });

describe('a flood of tokens with unknown keys', () => {
  it('fetches the keys at most twice a minute and still accepts valid tokens', async () => {
    await openApp();
    const good = await Promise.all(['ada', 'ben', 'carla'].map((sub) => issuer.token({ sub })));
    expect(await call(good[0] as string)).toBe(200);
    time += MINUTE;
    issuer.fetches = 0;
    const mixed = await Promise.all(
      Array.from({ length: 1_100 }, (_, i) => (i % 11 === 0 ? (good[i % 3] as string) : forged())),
    );
    const statuses = await Promise.all(mixed.map(call));
    expect(statuses.filter((_, i) => i % 11 === 0)).toEqual(Array(100).fill(200));
    expect(statuses.filter((_, i) => i % 11 !== 0)).toEqual(Array(1_000).fill(401));
    expect(issuer.fetches).toBeLessThanOrEqual(2);
  });
});

const FAULTS: readonly (readonly [string, RequestListener])[] = [
  ['cuts the connection', (request) => request.socket.destroy()],
  ['hangs', () => undefined],
  ['drips', (_request, response) => drip((more) => response.write(more), response)],
  ['truncates the body', (_request, response) => response.write('{"keys":[{"kty":', () => response.destroy())],
  ['sends 200 MiB', (_request, response) => drip(() => response.write('x'.repeat(64 * 1024)), response, 0)],
  ['fails', (_request, response) => response.writeHead(500).end('{"keys":[]}')],
  ['redirects', (_request, response) => response.writeHead(302, { location: 'https://evil.example/' }).end()],
  ['answers HTML', (_request, response) => response.end('<html></html>')],
];

function drip(write: (more: string) => void, response: NodeJS.EventEmitter, everyMs = 5): void {
  const timer = setInterval(() => write(' '), everyMs);
  response.once('close', () => clearInterval(timer));
}

describe.each(FAULTS)('a key set URL that %s', (_what, fault) => {
  // An endless response must be ended by the time limit.
  beforeEach(() => openApp(200));

  it('keeps accepting known keys for a day', async () => {
    const good = await issuer.token();
    expect(await call(good)).toBe(200);
    issuer.answer = fault;
    for (const minutes of [5, 11, 60, 600, 1_300]) {
      time = minutes * MINUTE;
      expect(await call(good)).toBe(200);
      expect(await call(await issuer.token({ sub: `person-${minutes}` }))).toBe(200);
    }
  });

  it('is an outage for tokens with an unknown key until the keys can be fetched', async () => {
    issuer.answer = fault;
    expect(await call(await issuer.token())).toBe(503);
    issuer.answer = undefined;
    time += MINUTE;
    expect(await call(await issuer.token())).toBe(200);
  });
});

describe('key rotation', () => {
  beforeEach(() => openApp());

  it('refuses a cached token once its key id maps to another key', async () => {
    const old = await issuer.token();
    expect([await call(old), await call(old)]).toEqual([200, 200]);
    const successor = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const jwk = { ...successor.publicKey.export({ format: 'jwk' }), kid: 'RS256' };
    issuer.answer = (_request, response) => response.end(JSON.stringify({ keys: [jwk] }));
    time += MINUTE;
    // An unknown key id triggers a new fetch of the keys.
    expect(await call(await forged())).toBe(401);
    expect(await call(old)).toBe(401);
    expect(await call(await issuer.sign(issuer.claims(), {}, successor.privateKey))).toBe(200);
  });

  it('accepts a new key within a minute and drops a withdrawn one', async () => {
    const [old, later] = [await issuer.token(), await issuer.sign(issuer.claims(), { alg: 'ES256' })];
    const serve =
      (kid: string): RequestListener =>
      (_request, response) => {
        response.end(JSON.stringify({ keys: issuer.jwks().filter((key) => key['kid'] === kid) }));
      };
    issuer.answer = serve('RS256');
    expect([await call(old), await call(later)]).toEqual([200, 401]);
    issuer.answer = serve('ES256');
    time += MINUTE;
    expect([await call(later), await call(old)]).toEqual([200, 401]);
  });
});
