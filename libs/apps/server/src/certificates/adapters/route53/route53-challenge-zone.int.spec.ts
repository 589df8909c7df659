import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { HostedZoneClient } from '../../../dns/adapters/route53/route53-client';
import { challengeZoneContract } from '../../../testing/challenge-zone.contract';
import { Route53Double } from '../../../testing/route53/route53-double';
import { Route53ChallengeZone } from './route53-challenge-zone';

const ZONE = 'acme.apps.example.com';
const credentials = { accessKeyId: 'double', secretAccessKey: 'double' };
/** High enough to disable the rate limit. */
const rateLimit = { perSecond: 100_000, burst: 100_000 };

describe.each(['today', 'documented'] as const)('Route 53 with errors in the form of %s', (errorForm) => {
  const double = new Route53Double({ errorForm });
  const { signal } = new AbortController();
  let endpoint: string;
  const open = () =>
    new Route53ChallengeZone(new HostedZoneClient({ hostedZoneId: 'Z1', endpoint, credentials, rateLimit }));
  const textsAt = (name: string) =>
    double.records
      .filter(({ Name, Type }) => Name === `${name}.` && Type === 'TXT')
      .flatMap(({ ResourceRecords = [] }) => ResourceRecords.map(({ Value = '' }) => Value.slice(1, -1)));

  beforeAll(async () => {
    endpoint = await double.listen();
  });
  afterEach(() => {
    double.faults.clear();
    double.latency = 0;
  });
  afterAll(() => double.close());

  challengeZoneContract(Route53ChallengeZone.name, () => ({
    zone: open(),
    zoneName: ZONE,
    lookUp: async (name) => textsAt(name),
  }));

  it('waits until all name servers return the value, and ends with the signal', async () => {
    double.latency = 60_000;
    const controller = new AbortController();
    const reason = new Error('stopped');
    const adding = open().add(`waiting.${ZONE}`, 'value', controller.signal);
    const checked = new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        if (double.count('GetChange') === 0) return;
        clearInterval(timer);
        resolve();
      }, 5);
    });
    await checked;
    controller.abort(reason);
    await expect(adding).rejects.toBeDefined();
    double.latency = 0;
    await open().add(`waiting.${ZONE}`, 'value', signal);
    expect(textsAt(`waiting.${ZONE}`)).toEqual(['value']);
  });

  it('keeps the values of another client', async () => {
    const name = `theirs.${ZONE}`;
    double.put({ Name: name, Type: 'TXT', TTL: 300, ResourceRecords: [{ Value: '"theirs"' }] });
    await open().add(name, 'ours', signal);
    expect(textsAt(name)).toEqual(['theirs', 'ours']);
    await open().remove(name, 'ours', signal);
    expect(textsAt(name)).toEqual(['theirs']);
  });

  it('fails for a name outside the hosted zone, and beside a CNAME record', async () => {
    await expect(open().add('a.elsewhere.example', 'value', signal)).rejects.toMatchObject({ code: 'invalid-record' });
    double.put({ Name: `alias.${ZONE}`, Type: 'CNAME', TTL: 1, ResourceRecords: [{ Value: 'x.example' }] });
    await expect(open().add(`alias.${ZONE}`, 'value', signal)).rejects.toMatchObject({ code: 'invalid-record' });
  });
});
