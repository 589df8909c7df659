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

/** An issuer whose next answers a test writes down; it counts how often it is asked. */
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

/** What an issuer in trouble does. */
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
    'sends keys of no use',
    () => issuer.says('{"keys":[{"kty":"oct","kid":"rsa","k":"AAAA"},{"kty":"RSA","kid":"rsa"}]}'),
  ],
  ['sends too much', () => issuer.says(JSON.stringify({ keys: [], padding: 'x'.repeat(70_000) }))],
  ['cannot be discovered', () => (uri = () => Promise.reject(new Error('no discovery document')))],
];

/** A key by its id, and for the one algorithm that keys of its kind are for here. */
function find(keyId: string): Promise<KeyObject | undefined> {
  return keySet.find({ keyId, algorithm: keyId === 'rsa' ? 'RS256' : 'ES256' });
}

/** Waits for a refresh in the background by asking for something only a finished refresh can answer. */
async function settled(): Promise<void> {
  await find('nobody').catch(() => undefined);
}

async function same(keyId: string, key: KeyObject): Promise<boolean> {
  const found = await find(keyId);
  return found !== undefined && found.equals(key);
}

describe('JwksKeySet while the issuer is healthy', () => {
  it('finds RSA and EC keys by their id with one fetch', async () => {
    expect(await same('rsa', RSA)).toBe(true);
    expect(await same('ec', EC)).toBe(true);
    expect(issuer.fetches).toBe(1);
  });

  it('answers undefined for a key nobody has', async () => {
    expect(await find('unheard-of')).toBeUndefined();
    expect(await find('undefined')).toBeUndefined();
    expect(await find('__proto__')).toBeUndefined();
  });

  it('asks for nothing while the keys are fresh, and once in the background after that', async () => {
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

  it('goes by the clock of the instance and gives up after 1.5 seconds when it is told nothing else', async () => {
    const limits = jest.spyOn(AbortSignal, 'timeout');
    keySet = new JwksKeySet({ jwksUri: uri });
    expect(await same('rsa', RSA)).toBe(true);
    expect(await same('ec', EC)).toBe(true);
    expect(issuer.fetches).toBe(1);
    expect(limits.mock.calls).toEqual([[1_500]]);
    limits.mockRestore();
  });

  it('takes no more than 256 KiB when it is told nothing else', async () => {
    const keys = [{ ...RSA.export({ format: 'jwk' }), kid: 'rsa' }];
    const document = (size: number) => JSON.stringify({ keys }).padEnd(size);
    keySet = new JwksKeySet({ jwksUri: uri });
    issuer.says(document(256 * 1024 + 1));
    await expect(find('rsa')).rejects.toBeInstanceOf(KeysUnavailable);
    keySet = new JwksKeySet({ jwksUri: uri });
    issuer.says(document(256 * 1024));
    expect(await same('rsa', RSA)).toBe(true);
  });

  it('does not wait for the refresh of a key it has', async () => {
    await find('rsa');
    clock += 11 * MINUTE;
    const asked = new Promise<void>((resolve) => (issuer.answer = () => resolve()));
    expect(await same('rsa', RSA)).toBe(true);
    await asked;
  });

  it('finds a rotated key as soon as the cooldown has passed, and never before', async () => {
    await find('rsa');
    issuer.publishes({ next: NEXT });
    clock += 30_000;
    expect(await find('next')).toBeUndefined();
    expect(issuer.fetches).toBe(1);
    clock += 1;
    expect(await same('next', NEXT)).toBe(true);
    expect(issuer.fetches).toBe(2);
  });

  it('forgets a withdrawn key with the next refresh', async () => {
    await find('rsa');
    issuer.publishes({ ec: EC });
    clock += 11 * MINUTE;
    await find('rsa');
    await settled();
    expect(await find('rsa')).toBeUndefined();
  });

  it('fetches once in a cooldown for 1,000 forged key ids, and known keys stay known', async () => {
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

  it('fetches once for everybody who asks at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => same('rsa', RSA)));
    expect(answers).not.toContain(false);
    expect(issuer.fetches).toBe(1);
  });

  it('is ready with one fetch, and with none once it has keys', async () => {
    await keySet.ready();
    clock += DAY;
    await keySet.ready();
    expect(issuer.fetches).toBe(1);
    clock += 1;
    await keySet.ready();
    expect(issuer.fetches).toBe(2);
  });

  it('skips what is no signing key and keeps the others', async () => {
    const usable = { ...RSA.export({ format: 'jwk' }), kid: 'rsa', use: 'sig' };
    const encryption = { ...EC.export({ format: 'jwk' }), kid: 'ec', use: 'enc' };
    issuer.says(JSON.stringify({ keys: [{ kty: 'RSA', kid: 'broken', n: 1 }, encryption, usable] }));
    expect(await same('rsa', RSA)).toBe(true);
    expect(await find('ec')).toBeUndefined();
    expect(await find('broken')).toBeUndefined();
  });

  it.each([null, 1, 'x', []])('skips %j where a key should be', async (entry) => {
    issuer.says(JSON.stringify({ keys: [entry, { ...RSA.export({ format: 'jwk' }), kid: 'rsa' }] }));
    expect(await same('rsa', RSA)).toBe(true);
  });

  it('finds a key for the algorithm it is for, and for no other', async () => {
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
  it('serves the keys it knows and fails for the ones it does not', async () => {
    await find('rsa');
    breakDown();
    clock += 11 * MINUTE;
    expect(await same('rsa', RSA)).toBe(true);
    await expect(find('unheard-of')).rejects.toBeInstanceOf(KeysUnavailable);
    await expect(find('unheard-of')).rejects.toBeInstanceOf(KeysUnavailable);
    expect(await same('ec', EC)).toBe(true);
    await expect(keySet.ready()).resolves.toBeUndefined();
  });

  it('has no keys at all when it begins that way, and recovers after a second', async () => {
    breakDown();
    await expect(find('rsa')).rejects.toBeInstanceOf(KeysUnavailable);
    await expect(keySet.ready()).rejects.toBeInstanceOf(KeysUnavailable);
    issuer.publishes({ rsa: RSA });
    uri = async () => issuer.url;
    clock += 1_000;
    await expect(find('rsa')).rejects.toBeInstanceOf(KeysUnavailable);
    clock += 1;
    expect(await same('rsa', RSA)).toBe(true);
    expect(await find('unheard-of')).toBeUndefined();
  });
});

describe('JwksKeySet in a long outage', () => {
  beforeEach(async () => {
    await find('rsa');
    issuer.fetches = 0;
    issuer.says('', 503);
  });

  it('asks at most once in a cooldown, whoever asks', async () => {
    clock += 11 * MINUTE;
    await Promise.allSettled(Array.from({ length: 1_000 }, (_, index) => find(`forged-${index}`)));
    await Promise.all(Array.from({ length: 100 }, () => find('rsa')));
    clock += 30_000;
    await find('rsa');
    await settled();
    expect(issuer.fetches).toBe(1);
  });

  it('serves a known key for a day and not a moment longer, between two tries as well', async () => {
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

  it('serves everybody again once the issuer is back', async () => {
    clock += 2 * DAY;
    await expect(find('rsa')).rejects.toBeInstanceOf(KeysUnavailable);
    issuer.publishes({ rsa: RSA });
    clock += 30_001;
    expect(await same('rsa', RSA)).toBe(true);
    await expect(keySet.ready()).resolves.toBeUndefined();
  });

  it('keeps what went wrong for the log', async () => {
    clock += 30_001;
    const failure: unknown = await find('unheard-of').catch((error: unknown) => error);
    expect((failure as KeysUnavailable).cause).toMatchObject({ message: expect.stringContaining('answered 503') });
  });
});

describe('JwksKeySet with an issuer that does not finish', () => {
  it('gives up at its limit, and counts that as an outage', async () => {
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
