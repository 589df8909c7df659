import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DnsFailure, RecordConflict, type ZoneRecord } from '../../application/dns/dns-zone.port';
import { dnsZoneContract } from '../../testing/dns-zone.contract';
import { dnsZoneModel } from '../../testing/dns-zone-model';
import { Route53Double } from '../../testing/route53/route53-double';
import type { Route53Fault } from '../../testing/route53/route53-faults';
import { Route53DnsZone } from './route53-dns-zone';

const DOMAIN = 'apps.example.com';
const HOSTNAME = `fault.${DOMAIN}`;
const EDGE = { target: 'edge.example', ttl: 60 };
const credentials = { accessKeyId: 'double', secretAccessKey: 'double' };
/** The double takes whatever comes, where it is not told otherwise. */
const rateLimit = { perSecond: 100_000, burst: 100_000 };
const signal = new AbortController().signal;

/** What a promise was rejected with; undefined when it was not. */
const reasonOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe.each(['today', 'documented'] as const)('Route 53 with errors in the form of %s', (errorForm) => {
  const double = new Route53Double({ errorForm });
  let endpoint: string;
  let zone: Route53DnsZone;
  const openZone = () => new Route53DnsZone({ hostedZoneId: 'Z1', endpoint, credentials, rateLimit });

  beforeAll(async () => {
    endpoint = await double.listen();
    zone = openZone();
  });
  afterEach(() => double.faults.clear());
  afterAll(() => double.close());

  dnsZoneContract(Route53DnsZone.name, () => ({
    zone,
    openSecond: openZone,
    domain: DOMAIN,
    lookUp: async (hostname) => double.cnameOf(hostname),
  }));

  dnsZoneModel(() => ({ zone, domain: DOMAIN }));

  it('tells a conflict from a record that is never taken, by reading the one record again', async () => {
    const outside = await reasonOf(zone.change([{ hostname: 'elsewhere.example', after: EDGE }], signal));
    expect(outside).toMatchObject({ code: 'invalid-record' });
    double.put({ Name: HOSTNAME, Type: 'TXT', TTL: 1, ResourceRecords: [{ Value: '"theirs"' }] });
    const crowded = await reasonOf(zone.change([{ hostname: HOSTNAME, after: EDGE }], signal));
    expect(crowded).toBeInstanceOf(RecordConflict);
    expect(await zone.find(HOSTNAME, signal)).toEqual({ hostname: HOSTNAME });
  });

  it('reads nothing again when many changes were refused', async () => {
    const reads = double.count('ListResourceRecordSets');
    const names = Array.from({ length: 50 }, (_, n) => `many-${n}.${DOMAIN}`);
    const wanted = names.map((hostname) => ({ hostname, before: EDGE, after: { ...EDGE, ttl: 61 } }));
    expect(await reasonOf(zone.change(wanted, signal))).toBeInstanceOf(RecordConflict);
    expect(double.count('ListResourceRecordSets')).toBe(reads);
  });

  it('refuses what is too long for one batch in the way that makes it smaller', async () => {
    const target = `${Array.from({ length: 3 }, () => 'x'.repeat(63)).join('.')}.${'x'.repeat(60)}`;
    const wanted = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ hostname: `long-${n}.${DOMAIN}`, after: { target, ttl: 60 } }));
    expect(await reasonOf(zone.change(wanted(zone.maxBatchSize), signal))).toBeInstanceOf(RecordConflict);
    await zone.change(wanted(zone.maxBatchSize / 4), signal);
  });

  it.each<[string, Route53Fault, DnsFailure['code']]>([
    ['Throttling', { error: 'Throttling' }, 'throttled'],
    ['PriorRequestNotComplete', { error: 'PriorRequestNotComplete' }, 'throttled'],
    ['AccessDenied', { error: 'AccessDenied' }, 'access-denied'],
    ['ExpiredToken', { error: 'ExpiredToken' }, 'access-denied'],
    ['NoSuchHostedZone', { error: 'NoSuchHostedZone' }, 'zone-missing'],
    ['ServiceUnavailable', { error: 'ServiceUnavailable' }, 'provider-unavailable'],
    ['a broken gateway', { status: 502 }, 'provider-unavailable'],
    ['a reset', 'reset', 'provider-unavailable'],
  ])('names %s, for every kind of call, and tries nothing twice', async (_, fault, code) => {
    double.faults.always(fault);
    const calls = double.calls.length;
    const tries = [
      zone.change([{ hostname: `x${HOSTNAME}`, after: EDGE }], signal),
      zone.find(HOSTNAME, signal),
      zone.isInSync('/change/C1', signal),
      zone.ready(signal),
    ];
    for (const each of await Promise.all(tries.map(reasonOf))) {
      expect(each).toBeInstanceOf(DnsFailure);
      expect(each).toMatchObject({ code });
    }
    expect(double.calls).toHaveLength(calls + tries.length);
    expect(double.cnameOf(`x${HOSTNAME}`)).toBeUndefined();
  });
});

describe('Route 53 that is slow, forgetful or crowded', () => {
  let time = 0;
  const double = new Route53Double({ now: () => time });
  let endpoint: string;
  let zone: Route53DnsZone;

  beforeAll(async () => {
    endpoint = await double.listen();
    zone = new Route53DnsZone({ hostedZoneId: 'Z1', endpoint, credentials, rateLimit });
  });
  afterEach(() => {
    double.faults.clear();
    double.latency = 0;
  });
  afterAll(() => double.close());

  /** Once the call has reached Route 53, the caller gives up. */
  async function giveUpOn(fault: Route53Fault, call: (signal: AbortSignal) => Promise<unknown>): Promise<unknown> {
    double.faults.next(fault);
    const before = double.calls.length;
    const controller = new AbortController();
    const reason = reasonOf(call(controller.signal));
    while (double.calls.length === before) await new Promise(setImmediate);
    controller.abort();
    return reason;
  }

  it.each(['hang', 'hang-after-apply', 'stall'] as const)('gives up when the caller does: %s', async (fault) => {
    const hostname = `${fault}.${DOMAIN}`;
    const change = (each: AbortSignal) => zone.change([{ hostname, after: EDGE }], each);
    expect(await giveUpOn(fault, change)).toMatchObject({ code: 'timeout' });
    expect(double.cnameOf(hostname)).toEqual(fault === 'hang' ? undefined : EDGE);
    expect(await giveUpOn(fault, (each) => zone.find(hostname, each))).toMatchObject({ code: 'timeout' });
    await zone.ready(signal);
  });

  it('gives up by itself on an answer that never comes, or never ends', async () => {
    for (const fault of ['hang', 'stall'] as const) double.faults.next(fault);
    const reasons = await Promise.all([zone.ready(signal), zone.ready(signal)].map(reasonOf));
    for (const reason of reasons) expect(reason).toMatchObject({ code: 'timeout' });
  });

  it('does not call a change undone whose answer was lost', async () => {
    double.faults.next('reset-after-apply');
    const hostname = `lost.${DOMAIN}`;
    const reason = await reasonOf(zone.change([{ hostname, after: EDGE }], signal));
    expect(reason).toMatchObject({ code: 'provider-unavailable' });
    expect(double.cnameOf(hostname)).toEqual(EDGE);
  });

  it('gives a receipt for what is not everywhere yet', async () => {
    double.latency = 1_000;
    const { id = '' } = await zone.change([{ hostname: `pending.${DOMAIN}`, after: EDGE }], signal);
    expect(id).not.toBe('');
    expect(await zone.isInSync(id, signal)).toBe(false);
    time += 1_000;
    expect(await zone.isInSync(id, signal)).toBe(true);
    double.latency = 0;
    expect(await zone.change([{ hostname: `quick.${DOMAIN}`, after: EDGE }], signal)).toEqual({});
  });

  it('takes a change that Route 53 has forgotten for one that is everywhere', async () => {
    expect(await zone.isInSync('/change/C404', signal)).toBe(true);
  });

  it('sees what others have put there, whatever its type and spelling', async () => {
    const value = (Value: string) => ({ TTL: 5, ResourceRecords: [{ Value }] });
    double.put({ Name: `*.${DOMAIN}`, Type: 'CNAME', ...value('Wild.Example.') });
    double.put({ Name: `both.${DOMAIN}`, Type: 'A', ...value('192.0.2.1') });
    double.put({ Name: `both.${DOMAIN}`, Type: 'TXT', ...value('"x"') });
    double.put({ Name: `some.${DOMAIN}`, Type: 'CNAME', SetIdentifier: 'eu', Weight: 1, ...value('eu.example') });
    const wanted: ZoneRecord[] = [
      { hostname: `*.${DOMAIN}`, cname: { target: 'wild.example', ttl: 5 } },
      { hostname: `both.${DOMAIN}` },
      { hostname: `some.${DOMAIN}` },
    ];
    for (const record of wanted) expect(await zone.find(record.hostname, signal)).toEqual(record);
    const found: ZoneRecord[] = [];
    for await (const record of zone.records(signal)) found.push(record);
    expect(found).toEqual(expect.arrayContaining(wanted));
    expect(found.filter(({ hostname }) => hostname === `both.${DOMAIN}`)).toHaveLength(1);
  });

  it('lists a zone of many pages, each name once', async () => {
    const names = Array.from({ length: 700 }, (_, n) => `page-${n}.${DOMAIN}`);
    for (const half of [names.slice(0, 350), names.slice(350)]) {
      await zone.change(
        half.map((hostname) => ({ hostname, after: EDGE })),
        signal,
      );
    }
    const calls = double.count('ListResourceRecordSets');
    const found: string[] = [];
    for await (const { hostname } of zone.records(signal)) found.push(hostname);
    expect(new Set(found).size).toBe(found.length);
    expect(found).toEqual(expect.arrayContaining(names));
    expect(double.count('ListResourceRecordSets') - calls).toBe(3);
  });

  it('names a zone that is not there, and listens to nobody without a signature', async () => {
    const other = new Route53DnsZone({ hostedZoneId: 'Z2', endpoint, credentials, rateLimit });
    expect(await reasonOf(other.ready(signal))).toMatchObject({ code: 'zone-missing' });
    expect((await fetch(`${endpoint}/2013-04-01/hostedzone/Z1/rrset`)).status).toBe(403);
  });

  it('names a Route 53 that is not there', async () => {
    const nobody = new Route53DnsZone({ hostedZoneId: 'Z1', endpoint: 'http://127.0.0.1:1', credentials, rateLimit });
    expect(await reasonOf(nobody.ready(signal))).toMatchObject({ code: 'provider-unavailable' });
  });
});

describe('limits of an account', () => {
  it('throttle what comes too fast, and let it through later', async () => {
    let time = 0;
    const double = new Route53Double({ now: () => time, rate: { perSecond: 1, burst: 2 }, mostSets: 3 });
    try {
      const zone = new Route53DnsZone({ hostedZoneId: 'Z1', endpoint: await double.listen(), credentials, rateLimit });
      const change = (label: string) => zone.change([{ hostname: `${label}.${DOMAIN}`, after: EDGE }], signal);
      await change('one');
      await zone.ready(signal);
      expect(await reasonOf(change('two'))).toMatchObject({ code: 'throttled' });
      time += 2_000;
      expect(await reasonOf(change('two'))).toMatchObject({ code: 'invalid-record' });
    } finally {
      await double.close();
    }
  });

  describe('are kept by itself', () => {
    const double = new Route53Double();
    let endpoint: string;

    beforeAll(async () => {
      endpoint = await double.listen();
    });
    afterAll(() => double.close());

    const zoneWith = (burst: number) =>
      new Route53DnsZone({ hostedZoneId: 'Z1', endpoint, credentials, rateLimit: { perSecond: 4, burst } });

    it('and changes pass what nobody waits for', async () => {
      const zone = zoneWith(1);
      await zone.ready(signal);
      const before = double.calls.length;
      const looks = ['/change/C1', '/change/C2'].map((id) => zone.isInSync(id, signal));
      await Promise.all([...looks, zone.change([{ hostname: `urgent.${DOMAIN}`, after: EDGE }], signal)]);
      expect(double.calls.slice(before).map(({ action }) => action)).toEqual([
        'ChangeResourceRecordSets',
        'GetChange',
        'GetChange',
      ]);
    });

    it('and begin anew when others have used them up', async () => {
      const zone = zoneWith(8);
      double.faults.next({ error: 'Throttling' });
      expect(await reasonOf(zone.ready(signal))).toMatchObject({ code: 'throttled' });
      const began = performance.now();
      await zone.ready(signal);
      expect(performance.now() - began).toBeGreaterThan(200);
    });
  });
});
