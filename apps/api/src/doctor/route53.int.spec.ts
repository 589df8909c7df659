import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Route53Double, type Route53Action, type Route53Fault } from '@homeport/apps/server/testing';
import { embeddedServices } from '@homeport/platform/server/testing';
import { doctorLine, type Settings } from './testing/doctor-lines';

const DOMAIN = 'apps.localhost';
const ZONE = 'Z1';
const KEYS = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };
const WRONG_ZONE = `Set ROUTE53_HOSTED_ZONE_ID to the id of the zone of ${DOMAIN}.`;
const CREDENTIALS = 'Correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the process a role.';
const REACH = 'or start the service, and let this machine reach it through firewalls.';

describe('the doctor of a zone of Route 53', () => {
  const services = embeddedServices();
  let double: Route53Double;
  let endpoint: string;
  beforeAll(async () => {
    // The AWS SDK reads them by itself.
    jest.replaceProperty(process, 'env', KEYS);
    double = new Route53Double({ hostedZoneId: ZONE, domain: DOMAIN });
    endpoint = await double.listen();
  });
  afterEach(() => double.faults.clear());
  afterAll(async () => {
    await double.close();
    jest.restoreAllMocks();
  });

  const line = (name: string, changes: Settings = {}) =>
    doctorLine(name, {
      ...services,
      DNS_PROVIDER: 'route53',
      PLATFORM_DOMAIN: DOMAIN,
      ROUTE53_HOSTED_ZONE_ID: ZONE,
      ROUTE53_ENDPOINT: endpoint,
      DOMAIN_RESOLVERS: '',
      ...changes,
    });
  const probes = () => double.records.filter(({ Type }) => Type === 'CNAME');

  it.each(['dns', 'dns-records', 'dns-listing'])('%s is ok', async (name) => {
    expect(await line(name)).toMatch(new RegExp(`^ok {7}${name}  [A-Z].*\\.$`));
    expect(probes()).toEqual([]);
  });

  it.each<[string, Route53Fault, string]>([
    [
      'a denied read',
      { error: 'AccessDenied' },
      `The credentials of this process may not read the hosted zone ${ZONE} (AccessDenied). Grant ` +
        'route53:ListResourceRecordSets on the zone.',
    ],
    [
      'throttling',
      { error: 'Throttling' },
      'Route 53 limits the account to five calls a second, and others use them now (Throttling). Run the command again.',
    ],
    [
      'an unknown key',
      { error: 'InvalidClientTokenId' },
      `AWS does not accept the credentials of this process (InvalidClientTokenId). ${CREDENTIALS}`,
    ],
    [
      'a wrong secret',
      { error: 'SignatureDoesNotMatch' },
      `AWS does not accept the credentials of this process (SignatureDoesNotMatch). ${CREDENTIALS}`,
    ],
    [
      'an expired session',
      { error: 'ExpiredToken' },
      'The session of the AWS credentials has expired (ExpiredToken). Renew them, or give the process a role.',
    ],
    [
      'an outage',
      { error: 'ServiceUnavailable' },
      'Route 53 is unavailable (ServiceUnavailable). Run the command again.',
    ],
    ['an outage without a document', { status: 503 }, 'Route 53 is unavailable (HTTP_503). Run the command again.'],
    ['silence', 'hang', `Route 53 does not answer (ETIMEDOUT). Correct ROUTE53_ENDPOINT, ${REACH}`],
  ])('names %s', async (_, fault, text) => {
    double.faults.always(fault);
    expect(await line('dns')).toBe(`fault    dns  ${text}`);
  });

  it('names a zone that is not in the account', async () => {
    expect(await line('dns', { ROUTE53_HOSTED_ZONE_ID: 'Z2' })).toBe(
      `fault    dns  Route 53 has no hosted zone Z2 in this account (NoSuchHostedZone). ${WRONG_ZONE}`,
    );
  });

  it.each<[string, Route53Action, string, string]>([
    ['dns-records', 'ChangeResourceRecordSets', `change the hosted zone ${ZONE}`, 'ChangeResourceRecordSets'],
    ['dns-records', 'GetChange', 'read the state of a change', 'GetChange'],
  ])('%s names a denied %s', async (name, action, what, permission) => {
    double.latency = Infinity;
    double.faults.always({ error: 'AccessDenied' }, action);
    expect(await line(name)).toBe(
      `fault    ${name}  The credentials of this process may not ${what} (AccessDenied). Grant route53:${permission}` +
        `${permission === 'GetChange' ? '' : ' on the zone'}.`,
    );
    double.latency = 0;
    expect(probes()).toEqual([]);
  });

  it.each([
    ['today', 'InvalidChangeBatch'],
    ['documented', 'HTTP_400'],
  ] as const)('names the zone of another domain (error as %s)', async (errorForm, code) => {
    const other = new Route53Double({ hostedZoneId: ZONE, domain: 'other.localhost', errorForm });
    const text = await line('dns-records', { ROUTE53_ENDPOINT: await other.listen() });
    await other.close();
    expect(text).toBe(
      `fault    dns-records  The hosted zone ${ZONE} rejects CNAME records below ${DOMAIN} (${code}). Set ` +
        'ROUTE53_HOSTED_ZONE_ID to the id of the zone that contains these names. If it does, look whether it has ' +
        'reached its limit of records.',
    );
  });
});
