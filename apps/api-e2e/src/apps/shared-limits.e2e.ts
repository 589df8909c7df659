import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ApiProcess } from '../product-processes';
import { ApiFixture } from './api-fixture';

const LIMIT = 100;
const CALLS = 1_000;

let fixture: ApiFixture;
let apis: readonly ApiProcess[];

beforeAll(async () => {
  fixture = await ApiFixture.open();
  // One after the other, so that one of them creates the tables.
  const first = await fixture.api({ RATE_LIMIT_CREATIONS: String(LIMIT) });
  apis = [first, await fixture.api({ RATE_LIMIT_CREATIONS: String(LIMIT) })];
});
afterAll(() => fixture.close());

it(`two instances admit ${LIMIT} of ${CALLS} concurrent registrations of an organization, and all reads`, async () => {
  const [member, other] = [await fixture.member('limited'), await fixture.member('other')];
  const urlOf = (n: number) => (apis[n % apis.length] as ApiProcess).url;
  // An invalid name is the cheapest attempt, and counts.
  const answers = await Promise.all(Array.from({ length: CALLS }, (_, n) => member.register(urlOf(n), '-')));
  const groups = Map.groupBy(answers, ({ status, body }) => `${status} ${body.code}`);
  const amounts = Object.fromEntries([...groups].map(([outcome, { length }]) => [outcome, length]));
  expect(amounts).toEqual({
    '400 apps.subdomain-invalid': LIMIT,
    '429 platform.rate-limited': CALLS - LIMIT,
  });
  for (const n of apis.keys()) {
    expect((await member.list(urlOf(n))).status).toBe(200);
    expect((await other.register(urlOf(n), '-')).status).toBe(400);
  }
});
