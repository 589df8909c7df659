import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Route53Double } from '@homeport/apps/server/testing';
import { type ApiOn } from '../api-on';
import { rawCall } from '../files/reliability/raw-call';
import { amount, inParallel, until } from '../suites';
import type { Answer, Member } from './member';
import { OwnPostgres } from './own-postgres';
import { EDGE, fatalsOf, Stage } from './stage';
import { disagreements, route53Zone, wrongAtLast } from './zone-view';

const AWAY_MS = amount(4_000, 20_000);
/** Required are 3 s while it is away and 2 s afterwards; the rest is for a machine that has much to do. */
const REFUSAL_LIMIT_MS = 4_500;
const RETURN_LIMIT_MS = 3_500;
const WIDTH = 24;

describe('PostgreSQL that is away', () => {
  let postgres: OwnPostgres;
  let stage: Stage;
  let double: Route53Double;
  let api: ApiOn;
  let member: Member;
  let count = 0;

  beforeAll(async () => {
    postgres = await OwnPostgres.start();
    stage = await Stage.open(postgres.url);
    double = await stage.route53();
    [api, member] = await Promise.all([stage.api(), stage.member('away')]);
  });
  afterEach(() => {
    expect([api.isAlive(), api.surprises(), fatalsOf(api)]).toEqual([true, [], []]);
  });
  afterAll(async () => {
    // A frozen one would keep the API from stopping.
    await postgres.thaw();
    await stage.close();
    await postgres.remove();
  });

  const freshName = () => `away-${count++}`;
  const outcomeOf = ({ status, body }: Answer<unknown>) => `${status} ${body.code}`;
  const file = async (method: 'GET' | 'PUT', path: string) => {
    const body = method === 'PUT' ? Buffer.from(path) : undefined;
    return (await rawCall({ method, url: `${api.url}/api/files/${path}`, token: member.token, body })).status;
  };
  /** Asks everything, over and over. @returns what was answered, and the slowest of the refusals. */
  const callAround = async (id: string, milliseconds: number) => {
    const end = performance.now() + milliseconds;
    const refusals = new Map<string, number>();
    const files = new Set<number | undefined>();
    const asks = [
      () => member.list(api.url),
      () => member.get(api.url, id),
      () => member.register(api.url, freshName()),
      () => member.register(api.url, freshName(), crypto.randomUUID()),
      () => member.delete(api.url, id),
      () => member.retry(api.url, id),
    ];
    const workers = Array.from({ length: WIDTH }, (_, n) => n);
    await inParallel(workers, WIDTH, async (n) => {
      do {
        if (n % 4 === 3)
          files.add(await file(n % 8 === 3 ? 'GET' : 'PUT', n % 8 === 3 ? 'there.txt' : `away-${n}.txt`));
        const answer = await (asks[n % asks.length] as () => Promise<Answer<unknown>>)();
        const outcome = outcomeOf(answer);
        refusals.set(outcome, Math.max(refusals.get(outcome) ?? 0, answer.took));
      } while (performance.now() < end);
    });
    return { outcomes: [...refusals.keys()], slowest: Math.max(...refusals.values()), files: [...files].toSorted() };
  };
  const returns = async () => {
    const began = performance.now();
    await until(async () => (await member.list(api.url)).status === 200);
    expect(performance.now() - began).toBeLessThan(RETURN_LIMIT_MS);
    expect((await member.register(api.url, freshName())).status).toBe(201);
  };
  const problems = async () => disagreements(await member.apps(api.url), await route53Zone(double)(), EDGE);

  it.each([
    { how: 'frozen', leave: () => postgres.freeze(), comeBack: () => postgres.thaw() },
    { how: 'stopped', leave: () => postgres.stop(), comeBack: () => postgres.startAgain() },
  ])('$how: apps are refused in time, files go on, and everything comes back', async ({ leave, comeBack }) => {
    expect([200, 201]).toContain(await file('PUT', 'there.txt'));
    double.faults.always({ status: 503 });
    const { body: app } = await member.register(api.url, freshName());
    expect(app).toMatchObject({ dns_status: 'dns-failed', dns_error: { code: 'provider-unavailable' } });

    await leave();
    const { outcomes, slowest, files } = await callAround(app.id, AWAY_MS);
    await comeBack();
    double.faults.clear();
    expect(outcomes).toEqual(['503 platform.database-unavailable']);
    expect(slowest).toBeLessThan(REFUSAL_LIMIT_MS);
    expect(files.filter((status) => status !== 200 && status !== 201)).toEqual([]);

    await returns();
    expect(await wrongAtLast(problems)).toEqual([]);
    expect((await member.get(api.url, app.id)).body.dns_status).toBe('dns-active');
    console.info(`refused within ${Math.round(slowest)} ms`);
  });
});
