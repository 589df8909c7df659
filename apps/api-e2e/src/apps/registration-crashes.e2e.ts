import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { suiteSize, randomFrom, seed } from '../suites';
import { ApiPair, type ApiCaller } from './api-pair';
import { EDGE_HOSTNAME, ApiFixture } from './api-fixture';
import { RegistrationWorkload } from './registration-workload';
import { zoneMismatches, remainingViolations, type ReadZone } from './zone-checks';

const KILLS = suiteSize(1, 300);
const ORGANIZATIONS = 4;
const MEMBERS_OF_EACH = 3;
const NAMES_OF_EACH = 12;
const MAX_RESPONSES_BETWEEN = 40;

describe('killing one of two APIs during registrations and deletions', () => {
  const workers: RegistrationWorkload[] = [];
  const pair = new ApiPair({
    // One worker registers more than the limit in the minutes of 300 restarts.
    start: () => fixture.api({ RATE_LIMIT_CREATIONS: '0' }),
    random: randomFrom(seed),
    maxResponsesBetween: MAX_RESPONSES_BETWEEN,
  });
  let fixture: ApiFixture;
  let zone: ReadZone;

  beforeAll(async () => {
    fixture = await ApiFixture.open();
    zone = await fixture.embeddedDns();
    await pair.open();
    for (let n = 0; n < ORGANIZATIONS * MEMBERS_OF_EACH; n += 1) {
      const member = await fixture.member(`org-${n % ORGANIZATIONS}`, `${n}`);
      workers.push(new RegistrationWorkload(member, `crash-${n}`, randomFrom(seed + n), NAMES_OF_EACH));
    }
  });
  afterAll(() => fixture.close());

  const callerOf =
    (worker: RegistrationWorkload): ApiCaller =>
    async (base) =>
      (await worker.step(base)) !== 'lost';
  const allApps = async () => {
    const firsts = workers.slice(0, ORGANIZATIONS);
    return (await Promise.all(firsts.map(({ member }) => member.apps(pair.url(0))))).flat();
  };
  const mismatches = async () => zoneMismatches(await allApps(), await zone(), EDGE_HOSTNAME);
  const everyName = (visit: (worker: RegistrationWorkload, text: string) => Promise<void>) =>
    Promise.all(
      workers.map(async (worker) => {
        for (const { text } of worker.names) await visit(worker, text);
      }),
    );

  it(`loses no app, and leaves no duplicate or orphaned record, ${KILLS} times`, async () => {
    const all = workers.map(callerOf);
    // Only one worker runs while an API starts, because starting already loads the machine.
    for (let kills = 1; kills < KILLS; kills += 1) await pair.restart(await pair.crash(all), all.slice(0, 1));
    const victim = await pair.crash(all);
    const died = performance.now();
    await pair.restart(victim);
    expect(await remainingViolations(mismatches)).toEqual([]);
    const inSyncAfter = Math.round((performance.now() - died) / 1_000);

    const isKnown = ({ names }: RegistrationWorkload) => names.every(({ state }) => state !== 'unknown');
    await Promise.all(workers.map((worker) => pair.call([callerOf(worker)], () => isKnown(worker))));
    expect(workers.flatMap(({ violations }) => violations)).toEqual([]);
    const listed = new Map((await allApps()).map(({ subdomain, id }) => [subdomain, id]));
    const known = workers.flatMap(({ names }) => names.flatMap(({ id, text }) => (id ? [[text, id] as const] : [])));
    expect([...listed].toSorted()).toEqual(known.toSorted());
    expect(await remainingViolations(mismatches)).toEqual([]);
    console.info(`${KILLS} crashes: ${pair.answers} responses, ${pair.lost} lost, in sync after ${inSyncAfter} s`);
  }, 7_200_000);

  it('keeps every name usable', async () => {
    const listed = new Map((await allApps()).map(({ subdomain, id }) => [subdomain, id]));
    await everyName(async ({ member }, text) => {
      if (listed.has(text)) return;
      const { status, body } = await member.register(pair.url(0), text);
      expect([text, status, body.dns_status]).toEqual([text, 201, 'dns-active']);
      listed.set(text, body.id);
    });
    await everyName(async ({ member }, text) => {
      const { status, body } = await member.delete(pair.url(1 - Number.EPSILON), listed.get(text) as string);
      expect([text, status, body.dns]).toEqual([text, 200, 'deleted']);
    });
    expect([await allApps(), await zone()]).toEqual([[], []]);
    pair.expectNoUnexpectedErrors();
  });
});
