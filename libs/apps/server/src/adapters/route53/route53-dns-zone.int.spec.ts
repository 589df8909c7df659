import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dnsZoneContract } from '../../testing/dns-zone.contract';
import { Route53Double } from '../../testing/route53-double';
import { Route53DnsZone } from './route53-dns-zone';

describe(Route53DnsZone.name, () => {
  const double = new Route53Double();
  const credentials = { accessKeyId: 'double', secretAccessKey: 'double' };
  let endpoint: string;
  let zone: Route53DnsZone;
  const signal = new AbortController().signal;

  beforeAll(async () => {
    endpoint = await double.listen();
    zone = new Route53DnsZone({ hostedZoneId: 'Z1', endpoint, credentials });
  });

  afterAll(() => double.close());

  dnsZoneContract(Route53DnsZone.name, () => ({
    zone,
    domain: 'apps.example.com',
    lookUp: async (hostname) => double.records.get(`${hostname}.`),
  }));

  it.each([
    ['Throttling', 'throttled', true],
    ['PriorRequestNotComplete', 'throttled', true],
    ['AccessDenied', 'access-denied', false],
    ['NoSuchHostedZone', 'zone-missing', false],
    ['ServiceUnavailable', 'provider-unavailable', true],
  ])('names %s as %s', async (fault, code, retryable) => {
    double.faults.push(fault);
    const point = zone.point('fault.apps.example.com', 'edge.example', signal);
    await expect(point).rejects.toMatchObject({ code, retryable });
    expect(double.records.has('fault.apps.example.com.')).toBe(false);
  });

  it('names a zone that is not there', async () => {
    const other = new Route53DnsZone({ hostedZoneId: 'Z2', endpoint, credentials });
    await expect(other.ready(signal)).rejects.toMatchObject({ code: 'zone-missing' });
  });

  it('gives up when the caller does', async () => {
    double.faults.push('hang');
    const controller = new AbortController();
    const point = zone.point('slow.apps.example.com', 'edge.example', controller.signal);
    controller.abort();
    await expect(point).rejects.toMatchObject({ code: 'timeout' });
    double.faults.length = 0;
  });

  it('does not take a neighbour in the listing for the record', async () => {
    await zone.point('zzz.apps.example.com', 'edge.example', signal);
    await zone.remove('aaa.apps.example.com', 'edge.example', signal);
    expect(double.records.has('zzz.apps.example.com.')).toBe(true);
  });
});
