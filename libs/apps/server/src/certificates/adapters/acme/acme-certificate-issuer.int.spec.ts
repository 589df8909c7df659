import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  findPrograms,
  PEBBLE,
  type PebbleOptions,
  type RunningDns,
  type RunningPebble,
  setOwnRecord,
  startDns,
  startPebble,
} from '@homeport/dev-services';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Agent } from 'undici';
import { suiteSize } from '@homeport/platform/server/testing';
import { ChallengeEdge } from '../../../testing/acme/challenge-edge';
import { PracticeChallengeZone, type SetRecord } from '../../../testing/acme/practice-challenge-zone';
import { certificateIssuerContract } from '../../../testing/certificate-issuer.contract';
import { certificateOrder } from '../../../testing/certificate-orders';
import { ChallengePublisher } from '../../application/challenge-publisher';
import type { CertificateOrder, ChallengeType, OrderProgress } from '../../domain/certificate-order';
import { IssuanceFailed } from '../../domain/issuance-failed';
import { InMemoryAcmeAccounts } from '../memory/in-memory-acme-accounts';
import { InMemoryChallengeAnswers } from '../memory/in-memory-challenge-answers';
import { AcmeCertificateIssuer, type AcmeOptions } from './acme-certificate-issuer';

const isInstalled = (await findPrograms(PEBBLE)) !== undefined;
const { signal } = new AbortController();

let folder = '';
let dns: RunningDns;
let zone: PracticeChallengeZone;
let ports: { readonly httpPort: number; readonly tlsPort: number };
/** A clock that never lets orders wait for their pace. */
let seconds = 0;
const now = () => new Date(Date.now() + (seconds += 2) * 1_000);
const answers = new InMemoryChallengeAnswers();
const edge = new ChallengeEdge(answers);
const opened: { close(): unknown }[] = [];
const setRecord: SetRecord = (...record) =>
  setOwnRecord({ EMBEDDED_DNS_URL: dns.controlUrl, EMBEDDED_DNS_TOKEN: dns.token }, ...record);

async function pebble(options: Partial<PebbleOptions> = {}): Promise<RunningPebble> {
  const running = await startPebble({ dnsServer: `127.0.0.1:${dns.port}`, ...ports, ...options });
  opened.push(running);
  return running;
}

async function issuerAt(authority: RunningPebble, options: Partial<AcmeOptions> = {}): Promise<AcmeCertificateIssuer> {
  const dispatcher = new Agent({ connect: { ca: await readFile(authority.caFile) } });
  opened.push(dispatcher);
  return new AcmeCertificateIssuer({
    directories: [authority.directory],
    dispatcher,
    accounts: new InMemoryAcmeAccounts(),
    now,
    email: 'operator@example.com',
    publisher: new ChallengePublisher({ answers, zone }),
    challengeNameOf: ({ id }) => `${id}.acme-zone.example`,
    ...options,
  });
}

/** An order whose name leads to the edge of this test. */
async function orderOf(challenge: ChallengeType, changes: Partial<CertificateOrder> = {}): Promise<CertificateOrder> {
  const id = randomUUID();
  const name = `${id.slice(0, 8)}.customer.example`;
  await setRecord(name, 'A', ['127.0.0.1']);
  await setRecord(`_acme-challenge.${name}`, 'CNAME', [`${id}.acme-zone.example`]);
  const names = challenge === 'dns-01' ? [`*.${name}`] : [name];
  return certificateOrder('', { id, claimId: id, names, challenge, ...changes });
}

/** Advances an order until it is issued, as later runs of the job do. */
async function issue(issuer: AcmeCertificateIssuer, order: CertificateOrder) {
  let { progress } = order;
  const save = async (saved: OrderProgress) => void (progress = saved);
  for (let run = 0; run < 20; run += 1) {
    const step = await issuer.advance({ ...order, progress }, { save, signal });
    if (step.outcome === 'issued') return step.certificate;
  }
  throw new Error('not issued');
}

/** @returns the failure of an order. */
function failureOf(issuer: AcmeCertificateIssuer, order: CertificateOrder): Promise<IssuanceFailed> {
  return issue(issuer, order).then(
    () => Promise.reject(new Error('issued')),
    (error: unknown) => {
      if (error instanceof IssuanceFailed) return error;
      throw error;
    },
  );
}

(isInstalled ? describe : describe.skip)('AcmeCertificateIssuer with Pebble', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'homeport-acme-'));
    dns = await startDns({ dataDir: folder, domain: 'apps.localhost' });
    zone = new PracticeChallengeZone(setRecord);
    ports = await edge.listen();
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
    expect(answers.all()).toEqual([]);
  });
  afterAll(async () => {
    edge.close();
    await dns.close();
    await rm(folder, { recursive: true });
  });

  certificateIssuerContract(AcmeCertificateIssuer.name, async () => {
    const authority = await pebble();
    const accounts = new InMemoryAcmeAccounts();
    const at = (...directories: readonly string[]) => issuerAt(authority, { accounts, directories });
    return {
      issuer: await at(authority.directory),
      otherInstance: await at(authority.directory),
      unreachable: await at('https://127.0.0.1:1/dir'),
      newOrder: ({ isWildcard = false } = {}) => orderOf(isWildcard ? 'dns-01' : 'http-01'),
      passTime: () => undefined,
    };
  });

  it.each(['http-01', 'tls-alpn-01', 'dns-01'] as const)('gets a certificate by %s', async (challenge) => {
    const authority = await pebble();
    const order = await orderOf(challenge);
    const certificate = await issue(await issuerAt(authority), order);
    const leaf = new X509Certificate(certificate.chain);
    expect(leaf.subjectAltName).toBe(`DNS:${order.names[0]}`);
    expect(leaf.checkPrivateKey(createPrivateKey(certificate.privateKey))).toBe(true);
    expect(certificate).toMatchObject({ directory: authority.directory, notAfter: leaf.validToDate });
    expect(certificate.chain.match(/BEGIN CERTIFICATE/g)?.length).toBeGreaterThan(1);
    if (challenge !== 'dns-01') expect(edge.asked).toContainEqual({ type: challenge, name: order.names[0] });
  });

  it('goes on when nonces are rejected', async () => {
    const issuer = await issuerAt(await pebble({ rejectedNonces: 30 }));
    for (let i = 0; i < suiteSize(1, 5); i += 1) await issue(issuer, await orderOf('http-01'));
  });

  it('continues an order that another instance placed', async () => {
    const accounts = new InMemoryAcmeAccounts();
    const authority = await pebble();
    const order = await orderOf('http-01');
    let placed: OrderProgress | undefined;
    const killed = new Error('killed');
    const save = async (saved: OrderProgress) => {
      placed = saved;
      throw killed;
    };
    await expect((await issuerAt(authority, { accounts })).advance(order, { save, signal })).rejects.toBe(killed);
    const issuer = await issuerAt(authority, { accounts });
    const certificate = await issue(issuer, { ...order, progress: placed });
    expect(certificate.privateKey).toBe(placed?.privateKey);
    expect(new X509Certificate(certificate.chain).subjectAltName).toBe(`DNS:${order.names[0]}`);
  });

  it('gets a certificate after an edge was killed between the order and its answer', async () => {
    const issuer = await issuerAt(await pebble());
    const order = await orderOf('http-01');
    const [name = ''] = order.names;
    // No edge listens at this address.
    const kill = () => setRecord(name, 'A', ['127.0.0.2']);
    const failed = issuer.advance(order, { save: kill, signal });
    await expect(failed).rejects.toMatchObject({ problem: 'challenge-failed' });
    await setRecord(name, 'A', ['127.0.0.1']);
    await issue(issuer, { ...order, failures: 1 });
  });

  it('renews a certificate before it expires', async () => {
    const authority = await pebble();
    const issuer = await issuerAt(authority);
    const order = await orderOf('http-01');
    const { chain, directory } = await issue(issuer, order);
    const renewed = await issue(issuer, { ...order, replaces: { chain, directory } });
    expect(new X509Certificate(renewed.chain).subjectAltName).toBe(new X509Certificate(chain).subjectAltName);
    expect(renewed.serial).not.toBe(new X509Certificate(chain).serialNumber.toLowerCase());
  });

  it('reports an authority that does not answer, and registers again with one that lost its accounts', async () => {
    const accounts = new InMemoryAcmeAccounts();
    const authority = await pebble();
    const issuer = await issuerAt(authority, { accounts });
    await issue(issuer, await orderOf('http-01'));
    await authority.close();
    expect((await failureOf(issuer, await orderOf('http-01'))).problem).toBe('unavailable');
    const again = await pebble({ port: authority.port });
    await issue(await issuerAt(again, { accounts }), await orderOf('http-01'));
  });

  it('uses the next directory after three failures', async () => {
    const authority = await pebble();
    const directories = ['https://127.0.0.1:1/dir', authority.directory];
    const issuer = await issuerAt(authority, { directories });
    expect((await failureOf(issuer, await orderOf('http-01', { failures: 2 }))).problem).toBe('unavailable');
    const certificate = await issue(issuer, await orderOf('http-01', { failures: 3 }));
    expect(certificate.directory).toBe(authority.directory);
  });

  it('reports a challenge that the authority rejects, in its words', async () => {
    const issuer = await issuerAt(await pebble());
    const order = await orderOf('http-01');
    await setRecord(order.names[0] ?? '', 'A', []);
    const failure = await failureOf(issuer, order);
    expect(failure.problem).toBe('challenge-failed');
    expect(failure.message).toContain(order.names[0]);
  });

  it('registers with an external account', async () => {
    const key = Buffer.alloc(32, 7);
    const externalAccount = { keyId: 'homeport-1', key };
    const authority = await pebble({ externalAccount: { keyId: 'homeport-1', key: key.toString('base64url') } });
    expect((await failureOf(await issuerAt(authority), await orderOf('http-01'))).problem).toBe('rejected');
    await issue(await issuerAt(authority, { externalAccount }), await orderOf('http-01'));
  });
});
