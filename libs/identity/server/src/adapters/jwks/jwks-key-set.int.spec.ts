import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { KeysUnavailable } from '../../domain/identity.errors';
import { JwksKeySet } from './jwks-key-set';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const LIMITS = { timeoutMs: 10_000, maxBytes: 64 * 1024 };

const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
const EC = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
const NEXT = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;

/** A test issuer with scripted responses; counts the requests. */
class ScriptedIssuer {
  fetches = 0;
  answer: RequestListener = () => undefined;
  #server: Server | undefined;

  async listen(): Promise<void> {
    this.#server = createServer((request, response) => {
      this.fetches++;
      this.answer(request, response);
    });
    await new Promise<void>((resolve) => this.#server?.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server?.address() as AddressInfo).port}/jwks`;
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  publishes(keys: Readonly<Record<string, KeyObject>>): void {
    this.says(
      JSON.stringify({ keys: Object.entries(keys).map(([kid, key]) => ({ ...key.export({ format: 'jwk' }), kid })) }),
    );
  }

  says(body: string, status = 200): void {
    this.answer = (_request, response) => response.writeHead(status).end(body);
  }
}

const issuer = new ScriptedIssuer();
let clock = 0;
let uri: () => Promise<string>;
let keySet: JwksKeySet;

beforeAll(() => issuer.listen());
afterAll(() => issuer.close());
beforeEach(() => {
  clock = 1_000_000;
  issuer.fetches = 0;
  issuer.publishes({ rsa: RSA, ec: EC });
  uri = async () => issuer.url;
  keySet = new JwksKeySet({ jwksUri: () => uri(), now: () => clock, limits: LIMITS });
});

/** The failure modes of an issuer. */
const OUTAGES: readonly (readonly [string, () => void])[] = [
  ['refuses connections', () => (uri = async () => 'http://127.0.0.1:1/jwks')],
  ['breaks connections', () => (issuer.answer = (_request, response) => response.destroy())],
  ['answers 500', () => issuer.says('{"keys":[]}', 500)],
  ['answers 404', () => issuer.says('', 404)],
  ['redirects', () => (issuer.answer = (_request, response) => response.writeHead(302, { location: '/' }).end())],
  ['sends garbage', () => issuer.says('<html>')],
  ['sends null', () => issuer.says('null')],
  ['sends no keys', () => issuer.says('{"keys":[]}')],
  [
    'sends unusable keys',
    () => issuer.says('{"keys":[{"kty":"oct","kid":"rsa","k":"AAAA"},{"kty":"RSA","kid":"rsa"}]}'),
  ],
  ['sends an oversized document', () => issuer.says(JSON.stringify({ keys: [], padding: 'x'.repeat(70_000) }))],
  ['sends too many keys', () => issuer.publishes(Object.fromEntries(Array.from({ length: 101 }, (_, id) => [id, EC])))],
  ['cannot be discovered', () => (uri = () => Promise.reject(new Error('no discovery document')))],
];

/** Finds a key by its id and by the algorithm that the tests use for its key type. */
function find(keyId: string): Promise<KeyObject | undefined> {
  return keySet.find({ keyId, algorithm: keyId === 'rsa' ? 'RS256' : 'ES256' });
}

/** Waits for a background refresh: asks for a key that only a finished refresh can return. */
async function settled(): Promise<void> {
  await find('nobody').catch(() => undefined);
}

async function same(keyId: string, key: KeyObject): Promise<boolean> {
  const found = await find(keyId);
  return found !== undefined && found.equals(key);
}

describe('JwksKeySet with a healthy issuer', () => {
  it('finds RSA and EC keys by their id with one fetch', async () => {
    expect(await same('rsa', RSA)).toBe(true);
    expect(await same('ec', EC)).toBe(true);
    expect(issuer.fetches).toBe(1);
  });

  it('returns undefined for an unknown key', async () => {
    expect(await find('unheard-of')).toBeUndefined();
    expect(await find('undefined')).toBeUndefined();
    expect(await find('__proto__')).toBeUndefined();
  });

  it('does not fetch while the keys are fresh, and refreshes once in the background after that', async () => {
    await find('rsa');
    let asked = 0;
    uri = async () => {
      asked++;
      return issuer.url;
    };
    clock += 10 * MINUTE;
    expect(await same('rsa', RSA)).toBe(true);
    expect(asked).toBe(0);
    clock += 1;
    expect(await same('rsa', RSA)).toBe(true);
    expect(asked).toBe(1);
    expect(await same('ec', EC)).toBe(true);
    await settled();
    expect(asked).toBe(1);
    expect(issuer.fetches).toBe(2);
  });

  it('uses the system clock and a time limit of 1.5 seconds by default', async () => {
    const limits = jest.spyOn(AbortSignal, 'timeout');
    keySet = new JwksKeySet({ jwksUri: uri });
    expect(await same('rsa', RSA)).toBe(true);
    expect(await same('ec', EC)).toBe(true);
    expect(issuer.fetches).toBe(1);
    expect(limits.mock.calls).toEqual([[1_500]]);
    limits.mockRestore();
  });

  it('accepts at most 256 KiB by default', async () => {
    const keys = [{ ...RSA.export({ format: 'jwk' }), kid: 'rsa' }];
    const document = (size: number) => JSON.stringify({ keys }).padEnd(size);
    keySet = new JwksKeySet({ jwksUri: uri });
    issuer.says(document(256 * 1024 + 1));
    await expect(find('rsa')).rejects.toBeInstanceOf(KeysUnavailable);
    keySet = new JwksKeySet({ jwksUri: uri });
    issuer.says(document(256 * 1024));
    expect(await same('rsa', RSA)).toBe(true);
  });

  it('does not wait for a refresh when the key is known', async () => {
    await find('rsa');
    clock += 11 * MINUTE;
    const asked = new Promise<void>((resolve) => (issuer.answer = () => resolve()));
    expect(await same('rsa', RSA)).toBe(true);
    await asked;
  });

  it('finds a rotated key after the cooldown, not before', async () => {
    await find('rsa');
    issuer.publishes({ next: NEXT });
    clock += 30_000;
    expect(await find('next')).toBeUndefined();
    expect(issuer.fetches).toBe(1);
    clock += 1;
    expect(await same('next', NEXT)).toBe(true);
    expect(issuer.fetches).toBe(2);
  });

  it('drops a withdrawn key with the next refresh', async () => {
    await find('rsa');
    issuer.publishes({ ec: EC });
    clock += 11 * MINUTE;
    await find('rsa');
    await settled();
    expect(await find('rsa')).toBeUndefined();
  });

  it('fetches once per cooldown for 1,000 forged key ids and keeps serving known keys', async () => {
    await find('rsa');
    clock += 30_001;
    const forged = Array.from({ length: 1_000 }, (_, index) => find(`forged-${index}`));
    const known = Array.from({ length: 100 }, () => same('rsa', RSA));
    expect(new Set(await Promise.all(forged))).toEqual(new Set([undefined]));
    expect(new Set(await Promise.all(known))).toEqual(new Set([true]));
    expect(issuer.fetches).toBe(2);
    clock += 30_000;
    await find('forged-again');
    expect(issuer.fetches).toBe(2);
    clock += 1;
    await find('forged-again');
    expect(issuer.fetches).toBe(3);
  });

  it('shares one fetch between concurrent callers', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => same('rsa', RSA)));
    expect(answers).not.toContain(false);
    expect(issuer.fetches).toBe(1);
  });

  it('becomes ready with one fetch and needs none once it has keys', async () => {
    await keySet.ready();
    clock += DAY;
    await keySet.ready();
    expect(issuer.fetches).toBe(1);
    clock += 1;
    await keySet.ready();
    expect(issuer.fetches).toBe(2);
  });

  it('skips entries that are not signing keys and keeps the others', async () => {
    const usable = { ...RSA.export({ format: 'jwk' }), kid: 'rsa', use: 'sig' };
    const encryption = { ...EC.export({ format: 'jwk' }), kid: 'ec', use: 'enc' };
    issuer.says(JSON.stringify({ keys: [{ kty: 'RSA', kid: 'broken', n: 1 }, encryption, usable] }));
    expect(await same('rsa', RSA)).toBe(true);
    expect(await find('ec')).toBeUndefined();
    expect(await find('broken')).toBeUndefined();
  });

  it.each([null, 1, 'x', []])('skips the invalid entry %j', async (entry) => {
    issuer.says(JSON.stringify({ keys: [entry, { ...RSA.export({ format: 'jwk' }), kid: 'rsa' }] }));
    expect(await same('rsa', RSA)).toBe(true);
  });

  it('finds a key only for its algorithm', async () => {
    const [rsa, ec] = [RSA, EC].map((key) => ({ ...key.export({ format: 'jwk' }), kid: 'rsa' }));
    issuer.says(JSON.stringify({ keys: [{ ...rsa, alg: 'PS256' }] }));
    expect(await find('rsa')).toBeUndefined();
    expect(await keySet.find({ keyId: 'rsa', algorithm: 'PS256' })).toBeDefined();
    clock += MINUTE;
    issuer.says(JSON.stringify({ keys: [ec, rsa] }));
    expect(await same('rsa', RSA)).toBe(true);
    expect((await keySet.find({ keyId: 'rsa', algorithm: 'ES256' }))?.equals(EC)).toBe(true);
    expect(await keySet.find({ keyId: 'rsa', algorithm: 'ES384' })).toBeUndefined();
  });
});

describe.each(OUTAGES)('JwksKeySet while the issuer %s', (_name, breakDown) => {
  it('serves known keys and fails for unknown ones', async () => {
    await find('rsa');
    breakDown();
    clock += 11 * MINUTE;
    expect(await same('rsa', RSA)).toBe(true);
    await expect(find('unheard-of')).rejects.toBeInstanceOf(KeysUnavailable);
    await expect(find('unheard-of')).rejects.toBeInstanceOf(KeysUnavailable);
    expect(await same('ec', EC)).toBe(true);
    await expect(keySet.ready()).resolves.toBeUndefined();
  });

  it('has no keys after a failed start and recovers after half a second', async () => {
    breakDown();
    await expect(find('rsa')).rejects.toBeInstanceOf(KeysUnavailable);
    await expect(keySet.ready()).rejects.toBeInstanceOf(KeysUnavailable);
    issuer.publishes({ rsa: RSA });
    uri = async () => issuer.url;
    clock += 500;
    await expect(find('rsa')).rejects.toBeInstanceOf(KeysUnavailable);
    clock += 1;
    expect(await same('rsa', RSA)).toBe(true);
    expect(await find('unheard-of')).toBeUndefined();
  });
});

describe('JwksKeySet during a long outage', () => {
  beforeEach(async () => {
    await find('rsa');
    issuer.fetches = 0;
    issuer.says('', 503);
  });

  it('fetches at most once per cooldown for all callers', async () => {
    clock += 11 * MINUTE;
    await Promise.allSettled(Array.from({ length: 1_000 }, (_, index) => find(`forged-${index}`)));
    await Promise.all(Array.from({ length: 100 }, () => find('rsa')));
    clock += 30_000;
    await find('rsa');
    await settled();
    expect(issuer.fetches).toBe(1);
  });

  it('serves a known key for exactly one day, also between two attempts', async () => {
    clock += DAY;
    expect(await same('rsa', RSA)).toBe(true);
    await settled();
    clock += 1;
    await expect(find('rsa')).rejects.toBeInstanceOf(KeysUnavailable);
    await expect(keySet.ready()).rejects.toBeInstanceOf(KeysUnavailable);
    clock += 30_001;
    await expect(find('rsa')).rejects.toBeInstanceOf(KeysUnavailable);
    await expect(find('rsa')).rejects.toBeInstanceOf(KeysUnavailable);
    await expect(keySet.ready()).rejects.toBeInstanceOf(KeysUnavailable);
  });

  it('serves all keys again once the issuer has recovered', async () => {
    clock += 2 * DAY;
    await expect(find('rsa')).rejects.toBeInstanceOf(KeysUnavailable);
    issuer.publishes({ rsa: RSA });
    clock += 30_001;
    expect(await same('rsa', RSA)).toBe(true);
    await expect(keySet.ready()).resolves.toBeUndefined();
  });

  it('keeps the cause of the failure for the log', async () => {
    clock += 30_001;
    const failure: unknown = await find('unheard-of').catch((error: unknown) => error);
    expect((failure as KeysUnavailable).cause).toMatchObject({ message: expect.stringContaining('answered 503') });
  });
});

describe('JwksKeySet with an issuer that never completes a response', () => {
  it('stops at its time limit and reports an outage', async () => {
    keySet = new JwksKeySet({ jwksUri: () => uri(), now: () => clock, limits: { ...LIMITS, timeoutMs: 40 } });
    issuer.answer = () => undefined;
    await expect(find('rsa')).rejects.toBeInstanceOf(KeysUnavailable);
    clock += 1_001;
    issuer.answer = (_request, response) => void response.write('{"keys":[');
    await expect(keySet.ready()).rejects.toBeInstanceOf(KeysUnavailable);
    clock += 1_001;
    issuer.publishes({ rsa: RSA });
    expect(await same('rsa', RSA)).toBe(true);
  });
});
