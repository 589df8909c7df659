import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DnsFailure, RecordConflict, type ZoneRecord } from '../../application/dns-zone.port';
import { dnsZoneContract } from '../../../testing/dns-zone.contract';
import { dnsZoneModel } from '../../../testing/dns-zone-model';
import { Route53Double } from '../../../testing/route53/route53-double';
import type { Route53Fault } from '../../../testing/route53/route53-faults';
import { HostedZoneClient } from './route53-client';
import { Route53DnsZone } from './route53-dns-zone';

const DOMAIN = 'apps.example.com';
const HOSTNAME = `fault.${DOMAIN}`;
const EDGE = { target: 'edge.example', ttl: 60 };
const credentials = { accessKeyId: 'double', secretAccessKey: 'double' };
/** High enough to disable the rate limit, unless a test sets one. */
const rateLimit = { perSecond: 100_000, burst: 100_000 };
const signal = new AbortController().signal;

/** The reason of a rejection; undefined when the promise was fulfilled. */
const reasonOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe.each(['today', 'documented'] as const)('Route 53 with errors in the form of %s', (errorForm) => {
  const double = new Route53Double({ errorForm });
  let endpoint: string;
  let zone: Route53DnsZone;
  const openZone = () =>
    new Route53DnsZone(new HostedZoneClient({ hostedZoneId: 'Z1', endpoint, credentials, rateLimit }));

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

  it('distinguishes a conflict from an invalid record by reading the record', async () => {
    const outside = await reasonOf(zone.change([{ hostname: 'elsewhere.example', after: EDGE }], signal));
    expect(outside).toMatchObject({ code: 'invalid-record' });
    double.put({ Name: HOSTNAME, Type: 'TXT', TTL: 1, ResourceRecords: [{ Value: '"theirs"' }] });
    const crowded = await reasonOf(zone.change([{ hostname: HOSTNAME, after: EDGE }], signal));
    expect(crowded).toBeInstanceOf(RecordConflict);
    expect(await zone.find(HOSTNAME, signal)).toEqual({ hostname: HOSTNAME });
  });

  it('reads no records when a batch is rejected', async () => {
    const reads = double.count('ListResourceRecordSets');
    const names = Array.from({ length: 50 }, (_, n) => `many-${n}.${DOMAIN}`);
    const wanted = names.map((hostname) => ({ hostname, before: EDGE, after: { ...EDGE, ttl: 61 } }));
    expect(await reasonOf(zone.change(wanted, signal))).toBeInstanceOf(RecordConflict);
    expect(double.count('ListResourceRecordSets')).toBe(reads);
  });

  it('reports a conflict for a batch that is too large, so that the caller splits it', async () => {
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
  ])('reports %s for every kind of call, without retries', async (_, fault, code) => {
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

describe('Route 53 with delays, faults and many records', () => {
  let time = 0;
  const double = new Route53Double({ now: () => time });
  let endpoint: string;
  let zone: Route53DnsZone;

  beforeAll(async () => {
    endpoint = await double.listen();
    zone = new Route53DnsZone(new HostedZoneClient({ hostedZoneId: 'Z1', endpoint, credentials, rateLimit }));
  });
  afterEach(() => {
    double.faults.clear();
    double.latency = 0;
  });
  afterAll(() => double.close());

  /** Aborts a call after Route 53 has received it. */
  async function abortDuring(fault: Route53Fault, call: (signal: AbortSignal) => Promise<unknown>): Promise<unknown> {
    double.faults.next(fault);
    const before = double.calls.length;
    const controller = new AbortController();
    const reason = reasonOf(call(controller.signal));
    while (double.calls.length === before) await new Promise(setImmediate);
    controller.abort();
    return reason;
  }

  it.each(['hang', 'hang-after-apply', 'stall'] as const)('ends when the caller aborts: %s', async (fault) => {
    const hostname = `${fault}.${DOMAIN}`;
    const change = (each: AbortSignal) => zone.change([{ hostname, after: EDGE }], each);
    expect(await abortDuring(fault, change)).toMatchObject({ code: 'timeout' });
    expect(double.cnameOf(hostname)).toEqual(fault === 'hang' ? undefined : EDGE);
    expect(await abortDuring(fault, (each) => zone.find(hostname, each))).toMatchObject({ code: 'timeout' });
    await zone.ready(signal);
  });

  it('times out when a response is missing or incomplete', async () => {
    for (const fault of ['hang', 'stall'] as const) double.faults.next(fault);
    const reasons = await Promise.all([zone.ready(signal), zone.ready(signal)].map(reasonOf));
    for (const reason of reasons) expect(reason).toMatchObject({ code: 'timeout' });
  });

  it('does not report a change as failed for good when its response was lost', async () => {
    double.faults.next('reset-after-apply');
    const hostname = `lost.${DOMAIN}`;
    const reason = await reasonOf(zone.change([{ hostname, after: EDGE }], signal));
    expect(reason).toMatchObject({ code: 'provider-unavailable' });
    expect(double.cnameOf(hostname)).toEqual(EDGE);
  });

  it('returns a receipt for a change that is not in sync yet', async () => {
    double.latency = 1_000;
    const { id = '' } = await zone.change([{ hostname: `pending.${DOMAIN}`, after: EDGE }], signal);
    expect(id).not.toBe('');
    expect(await zone.isInSync(id, signal)).toBe(false);
    time += 1_000;
    expect(await zone.isInSync(id, signal)).toBe(true);
    double.latency = 0;
    expect(await zone.change([{ hostname: `quick.${DOMAIN}`, after: EDGE }], signal)).toEqual({});
  });

  it('treats a change that Route 53 has forgotten as in sync', async () => {
    expect(await zone.isInSync('/change/C404', signal)).toBe(true);
  });

  it('finds and lists records of other clients, of any type and spelling', async () => {
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

  it('lists each name once from a zone with many pages', async () => {
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

  it('reports a missing zone, and the double rejects unsigned requests', async () => {
    const other = new Route53DnsZone(new HostedZoneClient({ hostedZoneId: 'Z2', endpoint, credentials, rateLimit }));
    expect(await reasonOf(other.ready(signal))).toMatchObject({ code: 'zone-missing' });
    expect((await fetch(`${endpoint}/2013-04-01/hostedzone/Z1/rrset`)).status).toBe(403);
  });

  it('reports an unreachable Route 53', async () => {
    const absent = new Route53DnsZone(
      new HostedZoneClient({ hostedZoneId: 'Z1', endpoint: 'http://127.0.0.1:1', credentials, rateLimit }),
    );
    expect(await reasonOf(absent.ready(signal))).toMatchObject({ code: 'provider-unavailable' });
  });
});

describe('rate limits of an account', () => {
  it('throttle fast calls, and accept them later', async () => {
    let time = 0;
    const double = new Route53Double({ now: () => time, rate: { perSecond: 1, burst: 2 }, mostSets: 3 });
    try {
      const zone = new Route53DnsZone(
        new HostedZoneClient({ hostedZoneId: 'Z1', endpoint: await double.listen(), credentials, rateLimit }),
      );
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

  describe('are enforced by the adapter', () => {
    const double = new Route53Double();
    let endpoint: string;

    beforeAll(async () => {
      endpoint = await double.listen();
    });
    afterAll(() => double.close());

    const zoneWith = (burst: number) =>
      new Route53DnsZone(
        new HostedZoneClient({ hostedZoneId: 'Z1', endpoint, credentials, rateLimit: { perSecond: 4, burst } }),
      );

    it('and changes pass background reads', async () => {
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

    it('and the bucket is drained after throttling', async () => {
      const zone = zoneWith(8);
      double.faults.next({ error: 'Throttling' });
      expect(await reasonOf(zone.ready(signal))).toMatchObject({ code: 'throttled' });
      const began = performance.now();
      await zone.ready(signal);
      expect(performance.now() - began).toBeGreaterThan(200);
    });
  });
});
