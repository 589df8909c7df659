import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Route53Double } from '@homeport/apps/server/testing';
import { type ApiProcess } from '../product-processes';
import { rawCall } from '../files/reliability/raw-call';
import { suiteSize, inParallel, until } from '../suites';
import type { MemberResponse, MemberClient } from './member-client';
import { DedicatedPostgres } from './dedicated-postgres';
import { EDGE_HOSTNAME, fatalLogLines, ApiFixture } from './api-fixture';
import { zoneMismatches, route53Zone, remainingViolations } from './zone-checks';

const AWAY_MS = suiteSize(4_000, 20_000);
/** Required are 3 s while it is away and 2 s afterwards; the rest is for a machine that has much to do. */
const REFUSAL_LIMIT_MS = 4_500;
const RETURN_LIMIT_MS = 3_500;
const WIDTH = 24;

describe('PostgreSQL that is away', () => {
  let postgres: DedicatedPostgres;
  let fixture: ApiFixture;
  let double: Route53Double;
  let api: ApiProcess;
  let member: MemberClient;
  let count = 0;

  beforeAll(async () => {
    postgres = await DedicatedPostgres.start();
    fixture = await ApiFixture.open(postgres.url);
    double = await fixture.route53();
    [api, member] = await Promise.all([fixture.api(), fixture.member('away')]);
  });
  afterEach(() => {
    expect([api.isAlive(), api.unexpectedErrors(), fatalLogLines(api)]).toEqual([true, [], []]);
  });
  afterAll(async () => {
    // A frozen one would keep the API from stopping.
    await postgres.thaw();
    await fixture.close();
    await postgres.remove();
  });

  const freshName = () => `away-${count++}`;
  const outcomeOf = ({ status, body }: MemberResponse<unknown>) => `${status} ${body.code}`;
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
        const answer = await (asks[n % asks.length] as () => Promise<MemberResponse<unknown>>)();
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
  const problems = async () => zoneMismatches(await member.apps(api.url), await route53Zone(double)(), EDGE_HOSTNAME);

  it.each([
    { how: 'frozen', leave: () => postgres.freeze(), comeBack: () => postgres.thaw() },
    { how: 'stopped', leave: () => postgres.stop(), comeBack: () => postgres.restart() },
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
    expect(await remainingViolations(problems)).toEqual([]);
    expect((await member.get(api.url, app.id)).body.dns_status).toBe('dns-active');
    console.info(`refused within ${Math.round(slowest)} ms`);
  });
});
