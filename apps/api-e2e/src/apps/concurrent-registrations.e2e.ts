import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Route53Double } from '@homeport/apps/server/testing/route53/route53-double';
import { type ApiProcess } from '../product-processes';
import { suiteSize } from '../suites';
import type { MemberClient } from './member-client';
import { EDGE_HOSTNAME, ApiFixture } from './api-fixture';
import { zoneMismatches, route53Zone, remainingViolations } from './zone-checks';

const ORGANIZATIONS = 20;
const RIVALS = 200;
const APPS = suiteSize(40, 1_000);
/** The limits of an AWS account, with a smaller burst. */
const RATE = { perSecond: 5, burst: 10 };
const SYNC_MS = 2_000;
/** Maximum number of throttled calls: throttling must not slow down the registrations. */
const FEW_THROTTLED = 5;
const DRAIN_LIMIT_MS = 300_000;

describe('concurrent registrations', () => {
  let fixture: ApiFixture;
  let double: Route53Double;
  let members: readonly MemberClient[];
  let api: ApiProcess;

  const memberOf = (n: number) => members[n % members.length] as MemberClient;
  const allApps = async (base: string) => (await Promise.all(members.map((member) => member.apps(base)))).flat();

  beforeAll(async () => {
    fixture = await ApiFixture.open();
    double = await fixture.route53({ rate: RATE });
    double.latency = SYNC_MS;
    members = await Promise.all(Array.from({ length: ORGANIZATIONS }, (_, n) => fixture.member(`race-${n}`)));
    api = await fixture.api();
  });
  afterAll(() => fixture.close());

  it(`gives a name to one of ${ORGANIZATIONS} organizations that request it ${RIVALS} times`, async () => {
    const base = api.url;
    const answers = await Promise.all(Array.from({ length: RIVALS }, (_, n) => memberOf(n).register(base, 'wanted')));
    const outcomes = answers.map(({ status, body }) => (status === 201 ? '201' : `${status} ${body.code}`));
    expect(outcomes.toSorted()).toEqual([
      '201',
      ...Array.from({ length: RIVALS - 1 }, () => '409 apps.subdomain-taken'),
    ]);
    const problems = async () => zoneMismatches(await allApps(base), await route53Zone(double)(), EDGE_HOSTNAME);
    expect(await remainingViolations(problems)).toEqual([]);
    expect(await allApps(base)).toHaveLength(1);
  });

  it(`creates the records of ${APPS} apps of ${ORGANIZATIONS} organizations at Route 53’s rate limit`, async () => {
    const base = api.url;
    const before = { calls: double.calls.length, throttled: double.throttled };
    const began = performance.now();
    const answers = await Promise.all(Array.from({ length: APPS }, (_, n) => memberOf(n).register(base, `race-${n}`)));
    const answeredAfter = performance.now() - began;
    const slowest = Math.max(...answers.map(({ took }) => took));
    const bad = answers.flatMap(({ status, body }) =>
      status === 201 && body.dns_error === undefined ? [] : [`${status} ${body.dns_error?.code ?? body.code}`],
    );
    const problems = async () => zoneMismatches(await allApps(base), await route53Zone(double)(), EDGE_HOSTNAME);
    const wrong = await remainingViolations(problems, DRAIN_LIMIT_MS);
    const calls = double.calls.length - before.calls;
    const throttled = double.throttled - before.throttled;
    console.info(
      `${APPS} registrations answered in ${Math.round(answeredAfter)} ms (slowest ${Math.round(slowest)} ms), all active ` +
        `after ${Math.round(performance.now() - began)} ms, ${calls} calls of Route 53, ${throttled} of them throttled`,
    );
    expect([bad, wrong]).toEqual([[], []]);
    expect(await allApps(base)).toHaveLength(APPS + 1);
    expect(throttled).toBeLessThanOrEqual(FEW_THROTTLED);
    expect(api.unexpectedErrors()).toEqual([]);
  }, 600_000);
});
