import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  BIND,
  findPrograms,
  KNOT,
  type NameServerOptions,
  type RunningNameServer,
  startBind,
  startKnot,
} from '@homeport/dev-services';
import { recordOutages } from '@homeport/platform/server/testing';
import { RecordConflict, type ZoneRecord } from '../../application/dns-zone.port';
import { lookUpCname } from '../../../testing/dns-lookup';
import { dnsZoneContract } from '../../../testing/dns-zone.contract';
import { dnsZoneModel } from '../../../testing/dns-zone-model';
import { ObservedDnsZone } from '../outages/observed-dns-zone';
import type { Rfc2136Options } from './name-server-client';
import { Rfc2136DnsZone } from './rfc2136-dns-zone';
import { TSIG_ALGORITHMS } from './tsig';

const SERVERS = [
  { title: 'BIND', programs: BIND, start: startBind },
  { title: 'Knot', programs: KNOT, start: startKnot },
];
const signal = new AbortController().signal;
const EDGE = { target: 'edge.example', ttl: 60 };
/** Records of other clients, and a wildcard. */
const RECORDS = `
theirs A 192.0.2.1
theirs TXT "x"
many MX 10 mail.example.
many AAAA 2001:db8::1
many SRV 1 1 443 a.example.
many CAA 0 issue "ca.example"
many NAPTR 1 1 "u" "sip" "!^.*$!sip:a@b!" .
many TLSA 3 1 1 00
many SSHFP 1 1 0102030405060708090a0b0c0d0e0f1011121314
many HINFO "a" "b"
many RP a.example. b.example.
many LOC 52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000m 10m
many PTR a.example.
many TYPE65 \\# 3 000100
many TYPE65534 \\# 2 0102
child NS ns.child
ns.child A 192.0.2.2
a.empty CNAME edge.example.
*.wild CNAME edge.example.
Spelled CNAME Edge.EXAMPLE.
`;

function zoneOn(server: RunningNameServer, changes: Partial<Rfc2136Options> = {}): Rfc2136DnsZone {
  const { name, secret, algorithm } = server.key;
  return new Rfc2136DnsZone({
    server: { host: '127.0.0.1', port: server.port },
    zone: server.domain,
    key: { name, secret: Buffer.from(secret, 'base64'), algorithm },
    ...changes,
  });
}

const reasonOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

async function listOf(zone: Rfc2136DnsZone): Promise<ZoneRecord[]> {
  const found: ZoneRecord[] = [];
  for await (const record of zone.records(signal)) found.push(record);
  return found;
}

for (const { title, programs, start } of SERVERS) {
  // `npm test` reports a missing server; in CI that is a failure.
  const isInstalled = (await findPrograms(programs)) !== undefined;
  (isInstalled ? describe : describe.skip)(title, () => suite(title, start));
}

function suite(title: string, start: (options: NameServerOptions) => Promise<RunningNameServer>): void {
  let server: RunningNameServer;
  let zone: Rfc2136DnsZone;
  const at = (label: string) => `${label}.${server.domain}`;

  beforeAll(async () => {
    server = await start({ records: RECORDS });
    zone = zoneOn(server);
  });
  afterAll(() => server.close());

  dnsZoneContract(`${Rfc2136DnsZone.name} on ${title}`, () => ({
    zone,
    openSecond: () => zoneOn(server),
    domain: server.domain,
    lookUp: (hostname) => lookUpCname(server.port, hostname),
  }));

  dnsZoneModel(() => ({ zone, domain: server.domain }));

  it('finds and lists the records of other clients', async () => {
    for (const label of ['theirs', 'many', 'child']) {
      expect(await zone.find(at(label), signal)).toEqual({ hostname: at(label) });
    }
    expect(await zone.find(at('spelled'), signal)).toEqual({ hostname: at('spelled'), cname: EDGE });
    for (const label of ['empty', 'x.wild', 'wild', 'y.theirs', 'x.many', 'x.child']) {
      expect(await zone.find(at(label), signal)).toBeUndefined();
    }
    const found = await listOf(zone);
    const labels = found.map(({ hostname }) => hostname).filter((name) => !/^zone-|model-/.test(name));
    expect(labels.toSorted()).toEqual(['*.wild', 'a.empty', 'child', 'many', 'ns.child', 'spelled', 'theirs'].map(at));
    for (const label of ['theirs', 'many', 'child']) expect(found).toContainEqual({ hostname: at(label) });
  });

  it('creates a record under a wildcard and above existing names, but not beside other records', async () => {
    for (const hostname of [at('x.wild'), at('empty')]) {
      await zone.change([{ hostname, after: EDGE }], signal);
      expect(await zone.find(hostname, signal)).toEqual({ hostname, cname: EDGE });
      await zone.change([{ hostname, before: EDGE }], signal);
    }
    const beside = reasonOf(zone.change([{ hostname: at('theirs'), after: EDGE }], signal));
    expect(await beside).toBeInstanceOf(RecordConflict);
  });

  it('changes only the TTL', async () => {
    const hostname = at('ttl');
    await zone.change([{ hostname, after: EDGE }], signal);
    await zone.change([{ hostname, before: EDGE, after: { ...EDGE, ttl: 3_600 } }], signal);
    expect(await lookUpCname(server.port, hostname)).toEqual({ ...EDGE, ttl: 3_600 });
  });

  it('lists a zone that spans many messages', async () => {
    const names = Array.from({ length: 2_000 }, (_, n) => at(`many-${n}`));
    for (let n = 0; n < names.length; n += zone.maxBatchSize) {
      const some = names.slice(n, n + zone.maxBatchSize);
      await zone.change(
        some.map((hostname) => ({ hostname, after: EDGE })),
        signal,
      );
    }
    const found = await listOf(zone);
    const byName = new Map(found.map(({ hostname, cname }) => [hostname, cname]));
    expect(found).toHaveLength(byName.size);
    expect(names.map((hostname) => byName.get(hostname))).toEqual(names.map(() => EDGE));
  });

  it('reports a conflict for a batch that exceeds one message, so that the caller splits it', async () => {
    const changes = Array.from({ length: zone.maxBatchSize }, (_, n) => ({
      hostname: at(`${n}-`.padEnd(63, 'x')),
      after: { target: `${n}-${Array.from({ length: 3 }, () => 'y'.repeat(59)).join('.')}.example`, ttl: 60 },
    }));
    expect(await reasonOf(zone.change([...changes, ...changes.map(longer)], signal))).toBeInstanceOf(RecordConflict);
    await zone.change(changes, signal);
    expect(await lookUpCname(server.port, changes.at(-1)?.hostname ?? '')).toEqual(changes.at(-1)?.after);
  });

  it('logs once why a key is rejected, and its recovery', async () => {
    const { name, secret, algorithm } = server.key;
    const otherSecret = { name, secret: Buffer.from('another secret'), algorithm };
    const unknownName = { name: 'nobody', secret: Buffer.from(secret, 'base64'), algorithm };
    for (const [changes, cause] of [
      [{ key: otherSecret }, 'BADSIG'],
      [{ key: unknownName }, 'BADKEY'],
      [{ now: () => Date.now() - 3_600_000 }, 'BADTIME'],
    ] as const) {
      const { outages, lines } = recordOutages('dns');
      const refused = new ObservedDnsZone(zoneOn(server, changes), outages);
      await reasonOf(refused.ready(signal));
      await reasonOf(refused.find(at('no'), signal));
      await reasonOf(refused.change([{ hostname: at('no'), after: EDGE }], signal));
      await new ObservedDnsZone(zone, outages).ready(signal);
      expect(lines.map((line) => [line.msg, line.dependency, line.cause])).toEqual([
        ['dependency failed', 'dns', cause],
        ['dependency recovered', 'dns', cause],
      ]);
      expect(JSON.stringify(lines)).not.toContain(secret);
    }
  });

  it('reports a key that the server does not share', async () => {
    const key = { name: server.key.name, secret: Buffer.from('another'), algorithm: server.key.algorithm };
    const other = { ...key, name: 'nobody', secret: Buffer.from(server.key.secret, 'base64') };
    for (const [wrong, error] of [
      [zoneOn(server, { key }), /BADSIG/],
      [zoneOn(server, { key: other }), /BADKEY/],
      [zoneOn(server, { now: () => Date.now() - 3_600_000 }), /BADTIME/],
    ] as const) {
      const cause = expect.objectContaining({ message: expect.stringMatching(error) });
      const refused = { code: 'access-denied', cause };
      expect(await reasonOf(wrong.change([{ hostname: at('no'), after: EDGE }], signal))).toMatchObject(refused);
      expect(await reasonOf(wrong.find(at('no'), signal))).toMatchObject(refused);
      expect(await reasonOf(listOf(wrong))).toMatchObject(refused);
      expect(await reasonOf(wrong.ready(signal))).toMatchObject(refused);
    }
    expect(await lookUpCname(server.port, at('no'))).toBeUndefined();
  });

  it('reports a missing zone, and a name outside the zone', async () => {
    const other = zoneOn(server, { zone: 'other.example' });
    const change = other.change([{ hostname: 'a.other.example', after: EDGE }], signal);
    expect(await reasonOf(change)).toMatchObject({ code: 'zone-missing' });
    expect(await reasonOf(zone.change([{ hostname: 'a.other.example', after: EDGE }], signal))).toMatchObject({
      code: 'zone-missing',
    });
    expect(await reasonOf(other.ready(signal))).toMatchObject({
      code: expect.stringMatching(/^(zone-missing|access-denied)$/),
    });
  });

  it.each(TSIG_ALGORITHMS)('signs with %s, and reports a stopped server', async (algorithm) => {
    const short = await start({ algorithm });
    const shortLived = zoneOn(short);
    try {
      await shortLived.change([{ hostname: at('signed'), after: EDGE }], signal);
      expect(await listOf(shortLived)).toHaveLength(1);
    } finally {
      await short.close();
    }
    expect(await reasonOf(shortLived.ready(signal))).toMatchObject({ code: 'provider-unavailable' });
  });
}

function longer<T extends { readonly hostname: string }>(change: T): T {
  return { ...change, hostname: `also.${change.hostname}` };
}
