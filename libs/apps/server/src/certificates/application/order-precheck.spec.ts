import { beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryDomainResolver } from '../../domains/adapters/memory/in-memory-domain-resolver';
import { DomainInspector } from '../../domains/application/domain-inspector';
import { parseDomainName } from '../../domains/domain/domain-name';
import { domainClaim } from '../../testing/domain-claims.contract';
import { InMemoryCertificateIssuer } from '../adapters/memory/in-memory-certificate-issuer';
import { InMemoryChallengeAnswers } from '../adapters/memory/in-memory-challenge-answers';
import type { CertificateOrder } from '../domain/certificate-order';
import type { ChallengeAnswer } from './challenge-answers.port';
import { ChallengePublisher } from './challenge-publisher';
import { OrderPrecheck } from './order-precheck';

const NAME = 'www.acme.com';
const OURS = '192.0.2.80';
const CHALLENGE = '_acme-challenge.acme.com';
const claim = domainClaim({ id: 'claim', name: parseDomainName(NAME) });
const base = domainClaim({ id: 'claim', kind: 'base', name: parseDomainName('acme.com') });

let dns: InMemoryDomainResolver;
let issuer: InMemoryCertificateIssuer;
let answers: InMemoryChallengeAnswers;
/** The challenges that reach an edge. */
let reachable: Set<ChallengeAnswer['type']>;

beforeEach(() => {
  dns = new InMemoryDomainResolver();
  dns.set('edge.example', 'A', [OURS]);
  dns.set(NAME, 'CNAME', ['edge.example']);
  dns.set(NAME, 'A', [OURS]);
  issuer = new InMemoryCertificateIssuer(() => new Date());
  issuer.identities = ['ca.example'];
  answers = new InMemoryChallengeAnswers();
  reachable = new Set(['http-01', 'tls-alpn-01']);
});

function orderOf(changes: Partial<CertificateOrder> = {}): CertificateOrder {
  const unplaced = { progress: undefined, failures: 0, replaces: undefined, createdAt: new Date(), lease: 'lease' };
  return { id: 'order', claimId: 'claim', names: [NAME], challenge: 'http-01', ...unplaced, ...changes };
}

function check(order = orderOf(), of = claim) {
  const inspector = new DomainInspector(dns, { cdnHostname: 'edge.example', challengeZone: 'acme.example' });
  const publisher = new ChallengePublisher({ answers, zone: undefined });
  const probe = { reaches: async ({ type }: ChallengeAnswer) => reachable.has(type) };
  return new OrderPrecheck({ inspector, resolver: dns, issuer, publisher, probe }).check(
    order,
    of,
    AbortSignal.timeout(5_000),
  );
}

describe('the check before an order', () => {
  it('prefers HTTP, and uses TLS where only that reaches an edge', async () => {
    expect(await check()).toEqual({ challenge: 'http-01' });
    reachable.delete('http-01');
    expect(await check()).toEqual({ challenge: 'tls-alpn-01' });
    reachable.clear();
    expect(await check()).toEqual({ blockedBy: `our own request to ${NAME} was not answered by an edge` });
  });

  it('leaves no answer behind', async () => {
    await check();
    expect(answers.all()).toEqual([]);
  });

  it('blocks while the name leads elsewhere', async () => {
    dns.set(NAME, 'CNAME', ['old.example']);
    dns.set(NAME, 'A', ['203.0.113.9']);
    expect(await check()).toEqual({ blockedBy: `the addresses of ${NAME} lead elsewhere` });
  });

  it.each([
    [['issue "ca.example"']],
    [['issue "other.example"', 'issue "CA.example; account=1"']],
    [['iodef "mailto:a@acme.com"']],
  ])('permits the CAA records %j', async (values) => {
    dns.set('acme.com', 'CAA', values);
    expect(await check()).toEqual({ challenge: 'http-01' });
  });

  it.each([NAME, 'acme.com'])('blocks when the CAA records of %s forbid the authority', async (place) => {
    dns.set(place, 'CAA', ['issue "other.example"']);
    const reason = `the CAA record of ${place} does not permit the authority: issue "other.example" (ns1.test)`;
    expect(await check()).toEqual({ blockedBy: reason });
  });

  it('blocks when one server alone forbids the authority', async () => {
    dns.set('acme.com', 'CAA', ['issue "ca.example"'], ['ns1.test']);
    dns.set('acme.com', 'CAA', ['issue ";"'], ['ns2.test']);
    const { blockedBy } = (await check()) as { blockedBy: string };
    expect(blockedBy).toContain('(ns2.test)');
  });

  it('leaves the decision to an authority that has no name in CAA records', async () => {
    issuer.identities = [];
    dns.set('acme.com', 'CAA', ['issue "other.example"']);
    expect(await check()).toEqual({ challenge: 'http-01' });
  });

  it('needs the challenge record of a base domain, and no request to it', async () => {
    dns.set('*.acme.com', 'CNAME', ['edge.example']);
    dns.set(`check-${base.token.slice(0, 8)}.acme.com`, 'A', [OURS]);
    reachable.clear();
    const order = orderOf({ names: ['*.acme.com'], challenge: 'dns-01' });
    expect(await check(order, base)).toEqual({ blockedBy: `the record ${CHALLENGE} is missing` });
    dns.set(CHALLENGE, 'CNAME', ['claim.acme.example']);
    expect(await check(order, base)).toEqual({ challenge: 'dns-01' });
    dns.set('acme.com', 'CAA', ['issue "ca.example"', 'issuewild ";"']);
    expect(await check(order, base)).toMatchObject({ blockedBy: expect.stringContaining('issuewild ";"') });
  });
});

describe('the check before an order while DNS fails', () => {
  it('blocks while no server answers', async () => {
    for (const server of dns.servers) dns.silent.add(server);
    expect(await check()).toMatchObject({ blockedBy: expect.stringContaining('unknown') });
  });
});
