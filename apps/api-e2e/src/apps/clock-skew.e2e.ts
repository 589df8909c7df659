import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Route53Double } from '@homeport/apps/server/testing/route53/route53-double';
import { type ApiProcess } from '../product-processes';
import { isFull, suiteSize } from '../suites';
import type { MemberClient } from './member-client';
import { EDGE_HOSTNAME, fatalLogLines, ApiFixture } from './api-fixture';
import { zoneMismatches, route53Zone, remainingViolations } from './zone-checks';

const HOUR_MS = 3_600_000;
const APPS = suiteSize(3, 60);
const PRELOAD = pathToFileURL(join(import.meta.dirname, '../shifted-clock.mjs')).href;

const SHIFTS = [
  ['fast', HOUR_MS],
  ['slow', -HOUR_MS],
] as const;
/** In this order: the last one stops the correct instance. */
const REPAIRS = [
  ['either', 0],
  ['only the skewed', 1],
] as const;

/**
 * The tests tolerate a shift of one hour: tokens without `iat` that expire late are valid on both clocks, and the Route
 * 53 double does not check the time of signatures. Storage would reject the shift, so no test uses files.
 */
describe.each(isFull ? SHIFTS : SHIFTS.slice(0, 1))(
  'an instance whose clock is an hour %s, beside a correct one',
  (_, shiftMs) => {
    let fixture: ApiFixture;
    let double: Route53Double;
    let member: MemberClient;
    let correct: ApiProcess;
    let skewed: ApiProcess;

    beforeAll(async () => {
      fixture = await ApiFixture.open();
      double = await fixture.route53();
      member = await fixture.member('clocks', 'one', { iat: undefined });
      [correct, skewed] = await Promise.all([
        fixture.api(),
        fixture.api({ NODE_OPTIONS: `--import ${PRELOAD}?ms=${shiftMs}` }),
      ]);
    });
    afterAll(() => fixture.close());

    const both = () => [correct, skewed] as const;
    const at = (n: number) => (n % 2 === 0 ? correct : skewed).url;
    const problems = async () =>
      zoneMismatches(await member.apps(correct.url), await route53Zone(double)(), EDGE_HOSTNAME);
    const register = (label: string) =>
      Promise.all(
        Array.from({ length: APPS }, async (_each, n) => {
          const { status, body } = await member.register(at(n), `${label}-${n}`, `${label}-${n}`);
          expect([n, status]).toEqual([n, 201]);
          return body;
        }),
      );

    it('has a skewed clock: a valid token is expired or not valid yet', async () => {
      const now = Math.floor(Date.now() / 1_000);
      const shortLived = await fixture.member('clocks', 'narrow', { iat: now, exp: now + HOUR_MS / 2_000 });
      const answers = await Promise.all(both().map(({ url }) => shortLived.list(url)));
      expect(answers.map(({ status }) => status)).toEqual([200, 401]);
    });

    it('registers, repeats, retries and deletes by the time of the database', async () => {
      const apps = await register('well');
      expect(new Set(apps.map(({ dns_status }) => dns_status))).toEqual(new Set(['dns-active']));
      for (const { created_at } of apps) {
        expect(Math.abs(Date.parse(created_at) - Date.now())).toBeLessThan(HOUR_MS / 2);
      }
      const repeated = await Promise.all(apps.map((_app, n) => member.register(at(n + 1), `well-${n}`, `well-${n}`)));
      expect(repeated.map(({ body }) => body.id)).toEqual(apps.map(({ id }) => id));
      const retried = await Promise.all(apps.map(({ id }, n) => member.retry(at(n + 1), id)));
      // Some retries wait longer than the time limit of a request.
      expect(retried.map(({ status }) => status)).toEqual(apps.map(() => 202));
      expect(await remainingViolations(problems)).toEqual([]);
      const deleted = await Promise.all(apps.map(({ id }, n) => member.delete(at(n + 1), id)));
      for (const { status, body } of deleted) expect([status, body.deleted]).toEqual([200, true]);
      expect(await remainingViolations(problems)).toEqual([]);
    });

    it.each(isFull ? REPAIRS : REPAIRS.slice(-1))('repairs failed records, by %s instance', async (label, first) => {
      double.faults.always({ status: 503 });
      const apps = await register(`ill${first}`);
      for (const { dns_error } of apps) {
        const next = Date.parse(dns_error?.next_attempt_at ?? '');
        expect(Math.abs(next - Date.now())).toBeLessThan(HOUR_MS / 2);
      }
      if (label !== 'either') await correct.stop();
      double.faults.clear();
      const base = both()[first].url;
      const findMismatches = async () =>
        zoneMismatches(await member.apps(base), await route53Zone(double)(), EDGE_HOSTNAME);
      expect(await remainingViolations(findMismatches)).toEqual([]);
      for (const { id } of apps) expect((await member.delete(base, id)).body.dns).toBe('deleted');
      expect(await route53Zone(double)()).toEqual([]);
      for (const api of both()) expect([api.unexpectedErrors(), fatalLogLines(api)]).toEqual([[], []]);
    });
  },
);
