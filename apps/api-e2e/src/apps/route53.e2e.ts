import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { App, DnsError } from '@homeport/apps/contracts';
import type { Route53Double } from '@homeport/apps/server/testing/route53/route53-double';
import type { Route53Fault } from '@homeport/apps/server/testing/route53/route53-faults';
import { type ApiProcess } from '../product-processes';
import { isFull } from '../suites';
import type { MemberClient } from './member-client';
import { DOMAIN, EDGE_HOSTNAME, fatalLogLines, ApiFixture } from './api-fixture';
import { zoneMismatches, route53Zone, remainingViolations, type ReadZone } from './zone-checks';

interface FaultCase {
  readonly what: string;
  readonly fault: Route53Fault;
  readonly code: DnsError['code'];
  readonly isRetryable: boolean;
  /** Whether the fault is in the sample. It has faults that are fast to test or hard to handle. */
  readonly isInSample?: true;
}

const FAULTS: readonly FaultCase[] = [
  { what: 'throttles', fault: { error: 'Throttling' }, code: 'throttled', isRetryable: true },
  { what: 'hangs', fault: 'hang', code: 'timeout', isRetryable: true },
  { what: 'applies and hangs', fault: 'hang-after-apply', code: 'timeout', isRetryable: true },
  { what: 'stalls in its answer', fault: 'stall', code: 'timeout', isRetryable: true },
  { what: 'resets', fault: 'reset', code: 'provider-unavailable', isRetryable: true },
  {
    what: 'applies and resets',
    fault: 'reset-after-apply',
    code: 'provider-unavailable',
    isRetryable: true,
    isInSample: true,
  },
  { what: 'is a broken gateway', fault: { status: 502 }, code: 'provider-unavailable', isRetryable: true },
  {
    what: 'is unavailable',
    fault: { error: 'ServiceUnavailable' },
    code: 'provider-unavailable',
    isRetryable: true,
  },
  {
    what: 'denies access',
    fault: { error: 'AccessDenied' },
    code: 'access-denied',
    isRetryable: false,
    isInSample: true,
  },
  { what: 'knows no such zone', fault: { error: 'NoSuchHostedZone' }, code: 'zone-missing', isRetryable: false },
];

describe('faults of Route 53', () => {
  let fixture: ApiFixture;
  let double: Route53Double;
  let zone: ReadZone;
  let api: ApiProcess;
  let one: MemberClient;
  let other: MemberClient;
  let count = 0;

  beforeAll(async () => {
    fixture = await ApiFixture.open();
    double = await fixture.route53();
    zone = route53Zone(double);
    // Without a quarantine, only its DNS record decides whether a name is open.
    const withoutQuarantine = fixture.api({ NAME_QUARANTINE_DAYS: '0' });
    [api, one, other] = await Promise.all([withoutQuarantine, fixture.member('one'), fixture.member('other')]);
  });
  afterEach(async () => {
    double.faults.clear();
    double.latency = 0;
    expect([api.isAlive(), api.unexpectedErrors(), fatalLogLines(api)]).toEqual([true, [], []]);
    for (const member of [one, other]) {
      for (const { id } of await member.apps(api.url)) await member.delete(api.url, id);
    }
    expect(await remainingViolations(async () => (await zone()).map(({ hostname }) => hostname))).toEqual([]);
  });
  afterAll(() => fixture.close());

  const freshName = () => `r53-${count++}`;
  const hostnameOf = (name: string) => `${name}.${DOMAIN}`;
  const registered = async (member: MemberClient, name: string): Promise<App> => {
    const { status, body } = await member.register(api.url, name);
    expect([name, status]).toEqual([name, 201]);
    return body;
  };
  const deleted = async (member: MemberClient, { id }: App): Promise<string> => {
    const { status, body } = await member.delete(api.url, id);
    expect([status, body.deleted]).toEqual([200, true]);
    return body.dns;
  };
  const retried = async (member: MemberClient, { id }: App): Promise<App> => {
    const { status, body } = await member.retry(api.url, id);
    expect(status).toBe(202);
    return body;
  };
  const problems = async () =>
    zoneMismatches([...(await one.apps(api.url)), ...(await other.apps(api.url))], await zone(), EDGE_HOSTNAME);
  const expectAvailable = async (member: MemberClient, name: string) => {
    const taken = async () => {
      const { status, body } = await member.register(api.url, name);
      return status === 201 ? [] : [`${status} ${body.code}`];
    };
    expect(await remainingViolations(taken)).toEqual([]);
  };

  const faultCases = FAULTS.filter(({ isInSample }) => isFull || isInSample);
  it.each(faultCases)(
    '$what: $code, followed by a full recovery',
    async ({ fault, code, isRetryable }) => {
      const before = await registered(one, freshName());
      expect(before.dns_status).toBe('dns-active');
      double.faults.always(fault);
      const names = [freshName(), freshName()] as const;
      const [stays, goes] = await Promise.all(
        names.map((name) => registered(one, name)) as [Promise<App>, Promise<App>],
      );
      for (const app of [stays, goes]) {
        expect(app).toMatchObject({
          dns_status: 'dns-failed',
          dns_error: { code, retryable: isRetryable, attempts: 1 },
        });
        const next = app.dns_error?.next_attempt_at;
        expect(next === null).toBe(!isRetryable);
      }
      expect(await Promise.all([deleted(one, goes), deleted(one, before)])).toEqual(['dangling', 'dangling']);
      expect((await other.register(api.url, names[1])).body.code).toBe('apps.subdomain-taken');

      double.faults.clear();
      if (!isRetryable) expect(await retried(one, stays)).toMatchObject({ dns_status: 'dns-active' });
      expect(await remainingViolations(problems)).toEqual([]);
      expect((await one.apps(api.url)).map(({ id }) => id)).toEqual([stays.id]);
      for (const name of [names[1], before.subdomain]) await expectAvailable(other, name);
      expect(await remainingViolations(problems)).toEqual([]);
      expect(await deleted(one, stays)).toBe('deleted');
    },
    400_000,
  );

  it.each([
    ['TXT', '"theirs"'],
    ['CNAME', 'theirs.example'],
  ] as const)('leaves a foreign %s alone', async (Type, Value) => {
    const name = freshName();
    double.put({ Name: hostnameOf(name), Type, TTL: 60, ResourceRecords: [{ Value }] });
    const theirs = await zone();
    const app = await registered(one, name);
    const error = { code: 'foreign-record', retryable: false, next_attempt_at: null };
    expect(app).toMatchObject({ dns_status: 'dns-failed', dns_error: { ...error, attempts: 1 } });
    expect(await retried(one, app)).toMatchObject({ dns_status: 'dns-failed', dns_error: { ...error, attempts: 2 } });
    expect(await zone()).toEqual(theirs);
    await deleted(one, app);
    await expectAvailable(other, name);
    expect(await zone()).toEqual(theirs);

    double.drop(hostnameOf(name), Type);
    const [theirApp] = await other.apps(api.url);
    expect(await retried(other, theirApp as App)).toMatchObject({ dns_status: 'dns-active' });
    expect(await problems()).toEqual([]);
  });

  it('reports a record as pending until its change is in sync', async () => {
    double.latency = Infinity;
    const [stays, goes] = [await registered(one, freshName()), await registered(one, freshName())];
    for (const app of [stays, goes]) {
      expect(app.dns_status).toBe('dns-pending');
      expect(app).not.toHaveProperty('dns_error');
    }
    expect(await deleted(one, goes)).toBe('deleted');
    await expectAvailable(other, goes.subdomain);
    expect((await one.get(api.url, stays.id)).body.dns_status).toBe('dns-pending');
    double.latency = 0;
    expect(await remainingViolations(problems)).toEqual([]);
  });

  it('keeps a name for its organization while its record dangles, and restores the record for a new app', async () => {
    const [freed, kept] = [await registered(one, freshName()), await registered(one, freshName())];
    double.faults.always({ status: 503 });
    expect([await deleted(one, freed), await deleted(one, kept)]).toEqual(['dangling', 'dangling']);
    for (const { subdomain } of [freed, kept]) {
      const { status, body } = await other.register(api.url, subdomain);
      expect([status, body.code]).toEqual([409, 'apps.subdomain-taken']);
    }
    const again = await registered(one, kept.subdomain);
    double.faults.clear();
    await expectAvailable(other, freed.subdomain);
    expect(await remainingViolations(problems)).toEqual([]);
    expect((await one.apps(api.url)).map(({ id }) => id)).toEqual([again.id]);
    expect((await other.apps(api.url)).map(({ subdomain }) => subdomain)).toEqual([freed.subdomain]);
  });
});
