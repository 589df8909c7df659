import { generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { exportJWK, FlattenedSign } from 'jose';
import { type RunningAcme, startAcme } from './index.ts';

let dataDir: string;
let acme: RunningAcme;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'homeport-acme-'));
  acme = await startAcme({ dataDir });
});
afterEach(async () => {
  await acme.close();
  await rm(dataDir, { recursive: true });
});

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const url = (path: string) => `http://127.0.0.1:${acme.port}${path}`;
const newNonce = async () => (await fetch(url('/nonce'), { method: 'HEAD' })).headers.get('replay-nonce') ?? '';

interface Sent {
  readonly key: KeyObject;
  /** The identity: the key itself, or the URL of the account. */
  readonly by: object;
  readonly payload?: object;
  readonly nonce?: string;
  readonly signedUrl?: string;
}

async function post(path: string, { key, by, payload, nonce, signedUrl = url(path) }: Sent): Promise<Response> {
  const bytes = payload === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(payload));
  const header = { alg: 'ES256', nonce: nonce ?? (await newNonce()), url: signedUrl, ...by };
  const body = JSON.stringify(await new FlattenedSign(bytes).setProtectedHeader(header).sign(key));
  return fetch(url(path), { method: 'POST', headers: { 'content-type': 'application/jose+json' }, body });
}

async function problemOf(response: Response): Promise<string> {
  return `${response.status} ${((await response.json()) as { type: string }).type.replace(/.*:/, '')}`;
}

async function bindingFor(jwk: object, secret = acme.externalAccount.key): Promise<object> {
  const header = { alg: 'HS256', kid: acme.externalAccount.keyId, url: url('/account') };
  const signed = new FlattenedSign(Buffer.from(JSON.stringify(jwk))).setProtectedHeader(header);
  return { externalAccountBinding: await signed.sign(Buffer.from(secret, 'base64url')) };
}

/** Registers an account. */
async function account(): Promise<{ key: KeyObject; by: { kid: string } }> {
  const { privateKey: key, publicKey } = newKey();
  const jwk = await exportJWK(publicKey);
  const response = await post('/account', { key, by: { jwk }, payload: await bindingFor(jwk) });
  expect(response.status).toBe(201);
  return { key, by: { kid: response.headers.get('location') ?? '' } };
}

const ORDER = { identifiers: [{ type: 'dns', value: 'shop.apps.localhost' }] };

describe('the certificate authority of a development machine', () => {
  it('keeps its root over restarts, and its key private', async () => {
    const before = await readFile(acme.rootFile, 'utf8');
    const { subject, ca } = new X509Certificate(before);
    expect([subject, ca]).toEqual([expect.stringContaining('Homeport development'), true]);
    const folder = join(dataDir, 'acme');
    for (const file of ['root-key.json', 'account-key.json']) {
      expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
    }
    const { externalAccount } = acme;
    await acme.close();
    acme = await startAcme({ dataDir });
    expect(await readFile(acme.rootFile, 'utf8')).toBe(before);
    expect(acme.externalAccount).toEqual(externalAccount);
  });

  it('registers only those who know the key of the data folder', async () => {
    const { privateKey: key, publicKey } = newKey();
    const jwk = await exportJWK(publicKey);
    const other = await exportJWK(newKey().publicKey);
    const register = async (payload: object) => problemOf(await post('/account', { key, by: { jwk }, payload }));
    for (const payload of [{}, await bindingFor(jwk, 'AAAA'), await bindingFor(other)]) {
      expect(await register(payload)).toBe('403 externalAccountRequired');
    }
  });

  it('accepts each nonce once, for the URL that was signed, with the right signature', async () => {
    const { key, by } = await account();
    const nonce = await newNonce();
    expect((await post('/order', { key, by, payload: ORDER, nonce })).status).toBe(201);
    expect(await problemOf(await post('/order', { key, by, payload: ORDER, nonce }))).toBe('400 badNonce');
    const elsewhere = { key, by, payload: ORDER, signedUrl: url('/account') };
    expect(await problemOf(await post('/order', elsewhere))).toBe('401 unauthorized');
    const stranger = { key: newKey().privateKey, by, payload: ORDER };
    expect(await problemOf(await post('/order', stranger))).toBe('400 malformed');
    const unknown = { key, by: { kid: url('/account/none') }, payload: ORDER };
    expect(await problemOf(await post('/order', unknown))).toBe('400 accountDoesNotExist');
  });

  it('shows an order to its account alone, and refuses a malformed signing request', async () => {
    const owner = await account();
    const order = (await post('/order', { ...owner, payload: ORDER })).headers.get('location') ?? '';
    const path = new URL(order).pathname;
    expect((await post(path, owner)).status).toBe(200);
    expect(await problemOf(await post(path, await account()))).toBe('404 malformed');
    expect(await problemOf(await post(`${path}/finalize`, { ...owner, payload: { csr: 'AAAA' } }))).toBe('400 badCSR');
  });

  it.each(['', 'localhost', '-a.test', 'a..test', 'https://a.test', '*.*.test'])(
    'orders no name “%s”',
    async (value) => {
      const payload = { identifiers: [{ type: 'dns', value }] };
      expect(await problemOf(await post('/order', { ...(await account()), payload }))).toBe('400 malformed');
    },
  );

  it('answers no other host, so that pages of a browser cannot use it', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = { host: 'evil.example' };
      request(url('/directory'), { headers }, (response) => resolve(response.resume().statusCode))
        .once('error', reject)
        .end();
    });
    expect(status).toBe(421);
  });
});
