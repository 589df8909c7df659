import { beforeEach, describe, expect, it } from '@jest/globals';
import type { DomainRecord } from '@homeport/apps/contracts';
import { InMemoryDomainResolver } from '../adapters/memory/in-memory-domain-resolver';
import { DomainInspector } from '../application/domain-inspector';
import { parseDomainName } from './domain-name';

const NAME = 'www.acme.com';
const OURS = '192.0.2.80';
const CLAIM = { id: 'claim', kind: 'hostname', name: parseDomainName(NAME), token: 'f'.repeat(32) } as const;
const VALUE = `homeport-domain=${CLAIM.token}`;

let dns: InMemoryDomainResolver;

beforeEach(() => {
  dns = new InMemoryDomainResolver();
  dns.set('edge.example', 'A', [OURS]);
});

async function inspect(claim: Parameters<DomainInspector['inspect']>[0] = CLAIM): Promise<readonly DomainRecord[]> {
  const options = {
    cdnHostname: 'edge.example',
    challengeZone: 'acme.example',
    caaIdentities: async () => ['ca.example'],
  };
  return (await new DomainInspector(dns, options).inspect(claim)).records;
}
const hintOf = async (purpose: DomainRecord['purpose'], claim?: Parameters<typeof inspect>[0]) =>
  (await inspect(claim)).find((record) => record.purpose === purpose)?.hint;

describe('hints for the ownership record', () => {
  it('are absent before anything is there, and when all is right', async () => {
    expect(await hintOf('ownership')).toBeNull();
    dns.set(`_homeport.${NAME}`, 'TXT', ['other', VALUE]);
    expect(await hintOf('ownership')).toBeNull();
  });

  it.each([
    ['_homeport.www.acme.com.acme.com', 'your DNS provider adds the domain to the name'],
    ['www.acme.com', 'Its name has to be "_homeport.www.acme.com"'],
    ['_homeport.acme.com', 'Its name has to be "_homeport.www.acme.com"'],
    ['homeport.www.acme.com', 'Its name has to be "_homeport.www.acme.com"'],
  ])('find it at the wrong name %s', async (place, hint) => {
    dns.set(place, 'TXT', [VALUE]);
    expect(await hintOf('ownership')).toContain(`The record is at "${place}"`);
    expect(await hintOf('ownership')).toContain(hint);
  });

  it.each([`"${VALUE}"`, ` ${VALUE} `, `“${VALUE}”`])(
    'find quotation marks and spaces in the value %s',
    async (value) => {
      dns.set(`_homeport.${NAME}`, 'TXT', [value]);
      expect(await hintOf('ownership')).toContain('quotation marks or spaces');
    },
  );

  it('show another value', async () => {
    dns.set(`_homeport.${NAME}`, 'TXT', ['homeport-domain=old']);
    expect(await hintOf('ownership')).toContain('another value (homeport-domain=old)');
  });

  it('name an empty record', async () => {
    dns.set(`_homeport.${NAME}`, 'TXT', ['']);
    expect(await hintOf('ownership')).toContain('There is an empty TXT record.');
  });

  it('count the servers that have it', async () => {
    dns.set(`_homeport.${NAME}`, 'TXT', [VALUE], ['ns2.test']);
    expect(await hintOf('ownership')).toContain('1 of 2 name servers');
  });

  it('tell an outage, and a domain without name servers', async () => {
    for (const server of dns.servers) dns.silent.add(server);
    expect(await hintOf('ownership')).toContain('No name server answers now');
    dns = new InMemoryDomainResolver([]);
    expect(await hintOf('ownership')).toContain('Check that the domain is registered');
  });
});

describe('hints for the routing record', () => {
  it('name addresses in place of the CNAME record', async () => {
    dns.set(NAME, 'A', ['203.0.113.9']);
    expect(await hintOf('routing')).toContain('has the address 203.0.113.9. Remove its A and AAAA records');
    dns.set(NAME, 'A', [OURS]);
    expect(await hintOf('routing')).toContain('leads here by its addresses, which may change');
  });

  it.each(['104.16.1.2', '2606:4700::1'])(
    'name the proxy of a content delivery network in front: %s',
    async (address) => {
      dns.set(NAME, address.includes(':') ? 'AAAA' : 'A', [address]);
      expect(await hintOf('routing')).toContain('Set the record to "DNS only"');
    },
  );

  it('name a CNAME record to another host, and one at a doubled name', async () => {
    dns.set(`${NAME}.acme.com`, 'CNAME', ['edge.example']);
    expect(await hintOf('routing')).toContain('adds the domain to the name');
    dns.set(NAME, 'CNAME', ['old.example']);
    expect(await hintOf('routing')).toContain('leads to old.example. Change it to edge.example');
    dns.set(NAME, 'A', [OURS]);
    expect(await hintOf('routing')).toContain('leads here through old.example, which may change');
  });

  it('name old addresses beside ours', async () => {
    const apex = { ...CLAIM, name: parseDomainName('acme.com') };
    dns.set('acme.com', 'A', [OURS, '203.0.113.9']);
    expect(await hintOf('routing', apex)).toContain('also has the address 203.0.113.9');
    dns.set('acme.com', 'A', [OURS]);
    dns.set('acme.com', 'AAAA', ['2001:db8::9']);
    expect(await hintOf('routing', apex)).toContain('also has the address 2001:db8::9');
  });
});

describe('hints for certificates', () => {
  const base = { ...CLAIM, kind: 'base', name: parseDomainName('apps.acme.com') } as const;

  it('find a doubled name of the challenge record', async () => {
    dns.set('_acme-challenge.apps.acme.com.acme.com', 'CNAME', ['claim.acme.example']);
    expect(await hintOf('challenge', base)).toContain('adds the domain to the name');
  });

  it.each([
    [[], undefined],
    [['issue "ca.example"'], undefined],
    [['issue "other.example"', 'issue "CA.example; account=1"'], undefined],
    [['iodef "mailto:a@acme.com"'], undefined],
    [['issuewild ";"'], undefined],
    [['issue "other.example"'], '0 issue "ca.example"'],
    [['issue ";"'], '0 issue "ca.example"'],
  ])('add what the CAA records %j miss', async (values, missing) => {
    dns.set('acme.com', 'CAA', values);
    expect((await inspect()).find(({ type }) => type === 'CAA')?.value).toBe(missing);
  });

  it('read issuewild for base domains, and the records of the closest name', async () => {
    dns.set('acme.com', 'CAA', ['issue "ca.example"', 'issuewild ";"']);
    const caa = async () => (await inspect(base)).find(({ type }) => type === 'CAA');
    expect(await caa()).toMatchObject({ name: 'acme.com', value: '0 issuewild "ca.example"' });
    dns.set('apps.acme.com', 'CAA', ['issue "ca.example"']);
    expect(await caa()).toBeUndefined();
  });
});
