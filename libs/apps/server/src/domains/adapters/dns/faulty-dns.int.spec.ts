import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Domain } from '@homeport/apps/contracts';
import { InMemoryApps } from '../../../shared/adapters/memory/in-memory-apps';
import { InMemoryAppsUnitOfWork } from '../../../shared/adapters/memory/in-memory-apps-unit-of-work';
import { domainClaim } from '../../../testing/domain-claims.contract';
import { FaultyNameServer, type NameServerFault } from '../../../testing/faulty-name-server';
import { DomainChecker } from '../../application/domain-checker';
import { DomainInspector } from '../../application/domain-inspector';
import { DomainPresenter } from '../../application/domain-presenter';
import type { DomainClaimFacts } from '../../domain/domain-claim';
import { parseDomainName } from '../../domain/domain-name';
import { DnsDomainResolver } from './dns-domain-resolver';

const START = new Date('2026-11-24T00:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NAME = 'www.acme.example';
const TXT = `_homeport.${NAME}`;
const OURS = '192.0.2.80';
const FAULTS: readonly NameServerFault[] = [
  ...(['closed', 'refused', 'servfail', 'lame', 'truncated', 'wrong-id', 'echo', 'garbage'] as const),
];
/** Milliseconds. Each look waits so long for servers that say nothing. */
const SHORT = 200;

/** A resolver, and the two name servers of the zone acme.example. */
const resolver = new FaultyNameServer(false);
const [first, second] = [new FaultyNameServer(true), new FaultyNameServer(true)];
const servers = [first, second];
const all = [resolver, ...servers];

beforeAll(async () => void (await Promise.all(all.map((server) => server.listen()))));
afterAll(async () => void (await Promise.all(all.map((server) => server.close()))));
beforeEach(() => {
  for (const server of all) server.clear();
  resolver.set('acme.example', 'NS', ['ns1.dns.example', 'ns2.dns.example']);
  resolver.set('ns1.dns.example', 'A', ['192.0.2.1']);
  // Reached by IPv6 alone.
  resolver.set('ns2.dns.example', 'AAAA', ['2001:db8::2']);
  resolver.set('edge.example', 'A', [OURS]);
});

/** Sets a record on the name servers, as a provider does. */
const set = (name: string, type: 'TXT' | 'CNAME' | 'CAA', values: readonly string[], on = servers) => {
  for (const server of on) server.set(name, type, values);
};

/** A claim, the checks of an instance, and a clock. */
class Installation {
  readonly #unitOfWork = new InMemoryAppsUnitOfWork(new InMemoryApps());
  #now = START;
  readonly #checker: DomainChecker;

  constructor(timeoutMs = 60_000) {
    const ports: Record<string, number> = { '192.0.2.1': first.port, '2001:db8::2': second.port };
    const serverAt = (address: string) => {
      const port = ports[address];
      return port === undefined ? undefined : { host: '127.0.0.1', port };
    };
    const dns = new DnsDomainResolver({ resolvers: [`127.0.0.1:${resolver.port}`], serverAt, timeoutMs });
    const inspector = new DomainInspector(dns, {
      cdnHostname: 'edge.example',
      challengeZone: undefined,
      caaIdentities: async () => ['ca.example'],
    });
    const now = () => this.#now;
    this.#checker = new DomainChecker({ unitOfWork: this.#unitOfWork, inspector, needsCertificate: false, now });
  }

  async add(changes: Partial<DomainClaimFacts> = {}): Promise<DomainClaimFacts> {
    const claim = domainClaim({ name: parseDomainName(NAME), createdAt: START, ...changes });
    await this.#unitOfWork.run(({ domainClaims }) => domainClaims.add(claim, []));
    return claim;
  }

  /** Checks a claim at a time. @returns undefined when it is released. */
  async check({ id, organization }: DomainClaimFacts, ms: number): Promise<Domain | undefined> {
    this.#now = new Date(START.getTime() + ms);
    const find = () => this.#unitOfWork.run(({ domainClaims }) => domainClaims.find(organization, id));
    const claim = await find();
    if (claim) await this.#checker.check(claim);
    const checked = await find();
    return checked && new DomainPresenter(false).present(checked);
  }
}

function publish(claim: DomainClaimFacts, on = servers): void {
  set(TXT, 'TXT', [`homeport-domain=${claim.token}`], on);
  set(NAME, 'CNAME', ['edge.example'], on);
  resolver.set(NAME, 'CNAME', ['edge.example']);
}

describe('servers that fail', () => {
  it.each(['silent', ...FAULTS] as const)('lose no domain, however long they do: %s', async (fault) => {
    const installation = new Installation(fault === 'silent' ? SHORT : undefined);
    const claim = await installation.add({ verifiedAt: START, routing: 'here' });
    publish(claim);
    for (const server of servers) server.fault = fault;
    for (const ms of [8 * DAY, 400 * DAY]) {
      const domain = await installation.check(claim, ms);
      expect(domain).toMatchObject({ status: 'active', ownership: 'verified' });
      expect(domain?.records[0]?.hint).toMatch(/^No name server (answers now|of )/);
    }
    for (const server of all) server.fault = fault;
    expect(await installation.check(claim, 401 * DAY)).toMatchObject({ status: 'active', ownership: 'verified' });
  });

  it.each(FAULTS)('count less than one that answers: %s', async (fault) => {
    const installation = new Installation();
    const claim = await installation.add();
    publish(claim);
    second.fault = fault;
    const domain = await installation.check(claim, 0);
    expect(domain).toMatchObject({ status: 'active', ownership: 'verified' });
    expect(domain?.records[0]?.seen).toEqual([
      { server: 'ns1.dns.example', answer: [`homeport-domain=${claim.token}`] },
      { server: 'ns2.dns.example', answer: [] },
    ]);
  });

  it.each(FAULTS)('give no name away: %s', async (fault) => {
    const installation = new Installation();
    const owner = await installation.add({ verifiedAt: START, routing: 'here' });
    const rival = await installation.add({ organization: 'globex', token: 'e'.repeat(32) });
    publish(rival);
    for (const server of servers) server.fault = fault;
    expect(await installation.check(rival, 0)).toMatchObject({ ownership: 'pending' });
    expect(await installation.check(owner, 0)).toMatchObject({ ownership: 'verified' });
  });
});

describe('servers that deny a name', () => {
  it('for an hour cost it attention, and nothing else', async () => {
    const installation = new Installation();
    const claim = await installation.add();
    publish(claim);
    await installation.check(claim, 0);
    for (const server of servers) server.fault = 'nxdomain';
    for (const ms of [1, HOUR / 2, HOUR]) {
      expect(await installation.check(claim, ms)).toMatchObject({ status: 'attention', ownership: 'failing' });
    }
    for (const server of servers) server.fault = undefined;
    expect(await installation.check(claim, HOUR + 1)).toMatchObject({ status: 'active', ownership: 'verified' });
  });

  it('suspend it after a notice and 7 days, and release it after 30', async () => {
    const installation = new Installation();
    const claim = await installation.add();
    publish(claim);
    await installation.check(claim, 0);
    for (const server of servers) server.fault = 'nxdomain';
    await installation.check(claim, 0);
    expect((await installation.check(claim, 2 * DAY))?.records[0]?.hint).toBeNull();
    const noticed = await installation.check(claim, 3 * DAY);
    expect(noticed).toMatchObject({ status: 'attention' });
    expect(noticed?.records[0]?.hint).toContain('suspended on 2026-12-01 and released on 2026-12-24');
    expect(await installation.check(claim, 7 * DAY)).toMatchObject({ status: 'suspended' });
    expect(await installation.check(claim, 30 * DAY)).toBeUndefined();
  });

  it('prove nothing while another has the record', async () => {
    const installation = new Installation();
    const claim = await installation.add();
    publish(claim, [first]);
    const pending = await installation.check(claim, 0);
    expect(pending).toMatchObject({ status: 'pending', ownership: 'pending' });
    expect(pending?.records[0]).toMatchObject({ state: 'wrong', hint: expect.stringContaining('1 of 2 name servers') });
    publish(claim);
    await installation.check(claim, 1);
    publish(claim, [first]);
    set(TXT, 'TXT', [], [second]);
    expect(await installation.check(claim, 60 * DAY)).toMatchObject({ ownership: 'verified' });
  });
});

describe('takeovers', () => {
  it('happen at once when the proof of the owner is denied, and name its record otherwise', async () => {
    const installation = new Installation();
    const owner = await installation.add({ verifiedAt: START, routing: 'here' });
    const rival = await installation.add({ organization: 'globex', token: 'e'.repeat(32) });
    publish(rival);
    const values = [owner, rival].map(({ token }) => `homeport-domain=${token}`);
    set(TXT, 'TXT', values);
    const blocked = await installation.check(rival, 0);
    expect(blocked).toMatchObject({ ownership: 'pending' });
    expect(blocked?.records[0]?.hint).toContain(`Remove its TXT record at "${TXT}": ${values[0]}`);
    set(TXT, 'TXT', values.slice(1));
    expect(await installation.check(rival, 1)).toMatchObject({ ownership: 'verified', status: 'active' });
    expect(await installation.check(owner, 1)).toBeUndefined();
  });
});

describe('names that lead elsewhere', () => {
  const routingOf = async (claim: DomainClaimFacts, installation: Installation) => {
    const domain = await installation.check(claim, 0);
    return [domain?.routing, domain?.records[1]?.hint];
  };

  it('are found behind loops and long chains of CNAME records', async () => {
    const installation = new Installation();
    const claim = await installation.add();
    const chain = Array.from({ length: 15 }, (_, n) => `hop-${n}.acme.example`);
    [NAME, ...chain].forEach((name, n) => resolver.set(name, 'CNAME', [chain[n] ?? 'edge.example']));
    set(NAME, 'CNAME', [chain[0] as string]);
    expect(await routingOf(claim, installation)).toEqual(['here', expect.stringContaining('leads here through hop-0')]);
    resolver.set('hop-9.acme.example', 'CNAME', ['hop-3.acme.example']);
    expect((await routingOf(claim, installation))[0]).toBe('elsewhere');
  });

  it('by an IPv6 address that is left over lead here partly', async () => {
    const installation = new Installation();
    const claim = await installation.add({ name: parseDomainName('acme.example') });
    resolver.set('acme.example', 'A', [OURS]);
    resolver.set('acme.example', 'AAAA', ['2001:db8::bad']);
    for (const server of servers) server.set('acme.example', 'A', [OURS]);
    expect(await routingOf(claim, installation)).toEqual(['partly', expect.stringContaining('2001:db8::bad')]);
  });

  it('keep their route when no resolver answers', async () => {
    const installation = new Installation();
    const claim = await installation.add();
    publish(claim);
    await installation.check(claim, 0);
    resolver.fault = 'servfail';
    expect(await installation.check(claim, DAY)).toMatchObject({ status: 'active', routing: 'here' });
  });
});

describe('CAA records', () => {
  it('that forbid our authority are shown with the record to add', async () => {
    const installation = new Installation();
    const claim = await installation.add();
    publish(claim);
    expect((await installation.check(claim, 0))?.records).toHaveLength(2);
    set('acme.example', 'CAA', ['issue "other.example"', 'iodef "mailto:ops@acme.example"']);
    const caa = (await installation.check(claim, 1))?.records[2];
    expect(caa).toMatchObject({ type: 'CAA', name: 'acme.example', value: '0 issue "ca.example"', state: 'wrong' });
    expect(caa?.seen[0]?.answer).toContain('issue "other.example"');
    set('acme.example', 'CAA', ['issue "other.example"', 'issue "ca.example; validationmethods=http-01"']);
    expect((await installation.check(claim, 2))?.records).toHaveLength(2);
  });
});
