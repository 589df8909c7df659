import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiOn } from '../files/reliability/api-on';
import { amount, randomFrom, seed, until } from '../suites';
import { EDGE, fatalsOf, Stage } from './stage';
import { Worker } from './worker';
import { disagreements, wrongAtLast, type ZoneView } from './zone-view';

const KILLS = amount(6, 300);
const ORGANIZATIONS = 4;
const MEMBERS_OF_EACH = 3;
const NAMES_OF_EACH = 12;
const MOST_ANSWERS_BETWEEN = 40;

describe('one of two APIs is killed in the middle of registrations and deletions', () => {
  const random = randomFrom(seed);
  /** Undefined while it is down. */
  const apis: (ApiOn | undefined)[] = [];
  const workers: Worker[] = [];
  let stage: Stage;
  let zone: ZoneView;
  let answers = 0;
  let lost = 0;

  beforeAll(async () => {
    stage = await Stage.open();
    zone = await stage.embeddedDns();
    apis.push(await stage.api(), await stage.api());
    for (let n = 0; n < ORGANIZATIONS * MEMBERS_OF_EACH; n += 1) {
      const member = await stage.member(`org-${n % ORGANIZATIONS}`, `${n}`);
      workers.push(new Worker(member, `crash-${n}`, randomFrom(seed + n), NAMES_OF_EACH));
    }
  });
  afterAll(() => stage.close());

  const urlOf = (chance: number) => {
    const up = apis.filter((api) => api !== undefined);
    return (up[Math.floor(chance * up.length)] as ApiOn).url;
  };
  const work = async (worker: Worker, isEnough: () => boolean) => {
    while (!isEnough()) {
      if ((await worker.step(urlOf(random()))) === 'lost') lost += 1;
      else answers += 1;
    }
  };
  const workUntil = (isEnough: () => boolean) => Promise.all(workers.map((worker) => work(worker, isEnough)));
  const pace = () => 1 + Math.floor(random() * MOST_ANSWERS_BETWEEN);
  /** All work until the crash and for a while on the other API. @returns which one is down. */
  const crash = async () => {
    const after = answers + pace();
    const enough = after + pace();
    const working = workUntil(() => answers >= enough);
    await until(() => answers >= after);
    const victim = Math.floor(random() * apis.length);
    const api = apis[victim] as ApiOn;
    apis[victim] = undefined;
    await api.kill();
    await working;
    expect([api.surprises(), fatalsOf(api)]).toEqual([[], []]);
    return victim;
  };
  /** Only one of them works meanwhile: the machine is busy enough with the start. */
  const revive = async (victim: number) => {
    const working = work(workers[0] as Worker, () => apis[victim] !== undefined);
    apis[victim] = await stage.api();
    await working;
  };
  const allApps = async () => {
    const firsts = workers.slice(0, ORGANIZATIONS);
    return (await Promise.all(firsts.map(({ member }) => member.apps(urlOf(0))))).flat();
  };
  const disagreeing = async () => disagreements(await allApps(), await zone(), EDGE);
  const everyName = (visit: (worker: Worker, text: string) => Promise<void>) =>
    Promise.all(
      workers.map(async (worker) => {
        for (const { text } of worker.names) await visit(worker, text);
      }),
    );

  it(`loses, doubles and strands nothing, ${KILLS} times`, async () => {
    for (let kills = 1; kills < KILLS; kills += 1) await revive(await crash());
    const victim = await crash();
    const died = performance.now();
    apis[victim] = await stage.api();
    expect(await wrongAtLast(disagreeing)).toEqual([]);
    const quietAfter = Math.round((performance.now() - died) / 1_000);

    const isKnown = ({ names }: Worker) => names.every(({ fate }) => fate !== 'unknown');
    await Promise.all(workers.map((worker) => work(worker, () => isKnown(worker))));
    expect(workers.flatMap(({ wrong }) => wrong)).toEqual([]);
    const listed = new Map((await allApps()).map(({ subdomain, id }) => [subdomain, id]));
    const known = workers.flatMap(({ names }) => names.flatMap(({ id, text }) => (id ? [[text, id] as const] : [])));
    expect([...listed].toSorted()).toEqual(known.toSorted());
    expect(await wrongAtLast(disagreeing)).toEqual([]);
    console.info(`${KILLS} crashes: ${answers} answers, ${lost} lost, quiet after ${quietAfter} s`);
  }, 3_000_000);

  it('has lost no name', async () => {
    const listed = new Map((await allApps()).map(({ subdomain, id }) => [subdomain, id]));
    await everyName(async ({ member }, text) => {
      if (listed.has(text)) return;
      const { status, body } = await member.register(urlOf(0), text);
      expect([text, status, body.dns_status]).toEqual([text, 201, 'dns-active']);
      listed.set(text, body.id);
    });
    await everyName(async ({ member }, text) => {
      const { status, body } = await member.delete(urlOf(1 - Number.EPSILON), listed.get(text) as string);
      expect([text, status, body.dns]).toEqual([text, 200, 'deleted']);
    });
    expect([await allApps(), await zone()]).toEqual([[], []]);
    for (const api of apis) expect([api?.surprises(), api && fatalsOf(api)]).toEqual([[], []]);
  });
});
