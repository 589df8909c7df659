import 'reflect-metadata';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AuthorityKeyIdentifierExtension, type Extension, X509CertificateGenerator } from '@peculiar/x509';
import { webcrypto } from 'node:crypto';
import { MockAgent } from 'undici';
import { IssuanceFailed } from '../../domain/issuance-failed';
import { AcmeConnection } from './acme-connection';
import { renewalIdOf } from './certificate-files';
import { readRenewalAdvice } from './renewal-information';

const ORIGIN = 'https://acme.example';
/** The example of RFC 9773, section 4.1. */
const KEY_ID = '69885b6b87464041e1b37b847ba0ae2cde01c8d4';
const RENEWAL_ID = 'aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE';
const WINDOW = { start: '2026-12-01T00:00:00Z', end: '2026-12-03T00:00:00Z' };
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const { signal } = new AbortController();

async function chainWith(extensions: Extension[]): Promise<string> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const facts = { serialNumber: '87654321', name: 'CN=www.example.com', signingAlgorithm: algorithm, keys, extensions };
  return (await X509CertificateGenerator.createSelfSigned(facts)).toString('pem');
}

describe('readRenewalAdvice', () => {
  let agent: MockAgent;
  let chain: string;

  beforeEach(async () => {
    agent = new MockAgent();
    agent.disableNetConnect();
    chain = await chainWith([new AuthorityKeyIdentifierExtension(KEY_ID)]);
  });
  afterEach(() => agent.close());

  const answers = (path: string, status: number, body: object, headers: Record<string, string> = {}) =>
    agent
      .get(ORIGIN)
      .intercept({ path })
      .reply(status, body, { headers: { 'content-type': 'application/json', ...headers } });

  /** @param renewalInfo of the directory. */
  function connection(renewalInfo: object = { renewalInfo: `${ORIGIN}/renewal` }): AcmeConnection {
    const urls = { newNonce: `${ORIGIN}/nonce`, newAccount: `${ORIGIN}/account`, newOrder: `${ORIGIN}/order` };
    answers('/directory', 200, { ...urls, ...renewalInfo });
    return new AcmeConnection(`${ORIGIN}/directory`, agent);
  }

  const advice = (of = chain) => readRenewalAdvice(connection(), of, signal);
  const answersRenewal = (status: number, body: object, headers?: Record<string, string>) =>
    answers(`/renewal/${RENEWAL_ID}`, status, body, headers);

  it('asks for the certificate by its authority and serial number', async () => {
    expect(await renewalIdOf(chain)).toBe(RENEWAL_ID);
    answersRenewal(200, { suggestedWindow: WINDOW }, { 'retry-after': '7200' });
    const window = { start: new Date(WINDOW.start), end: new Date(WINDOW.end) };
    expect(await advice()).toEqual({ window, retryAfterMs: 2 * HOUR_MS });
    agent.assertNoPendingInterceptors();
  });

  it.each([
    [undefined, 6 * HOUR_MS],
    ['1', MINUTE_MS],
    ['8640000', 24 * HOUR_MS],
    ['soon', 6 * HOUR_MS],
  ])('asks again after a useful time: Retry-After %j', async (retryAfter, expected) => {
    answersRenewal(200, { suggestedWindow: WINDOW }, retryAfter === undefined ? {} : { 'retry-after': retryAfter });
    expect((await advice())?.retryAfterMs).toBe(expected);
  });

  it.each([
    [{}],
    [{ suggestedWindow: { start: WINDOW.end, end: WINDOW.start } }],
    [{ suggestedWindow: { start: WINDOW.start, end: WINDOW.start } }],
    [{ suggestedWindow: { start: 'tomorrow', end: WINDOW.end } }],
    [{ suggestedWindow: { start: 5, end: WINDOW.end } }],
  ])('ignores a window without sense: %j', async (body) => {
    answersRenewal(200, body);
    expect(await advice()).toBeUndefined();
  });

  it('gives no advice about certificates that the authority does not know', async () => {
    answersRenewal(404, { type: 'urn:ietf:params:acme:error:malformed' });
    expect(await advice()).toBeUndefined();
  });

  it('gives none for authorities without renewal information, and certificates without a key identifier', async () => {
    expect(await readRenewalAdvice(connection({}), chain, signal)).toBeUndefined();
    expect(await advice(await chainWith([]))).toBeUndefined();
  });

  it('reports an authority that does not answer', async () => {
    answersRenewal(503, {});
    await expect(advice()).rejects.toMatchObject({ problem: 'unavailable' } satisfies Partial<IssuanceFailed>);
  });
});
