import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App } from '@homeport/apps/contracts';
import type { MemberClient } from './member-client';
import { ApiFixture } from './api-fixture';

const ABSENT = { status: 404, code: 'apps.not-found' };

/** Uses a dedicated API, so that no other test changes the apps of the organizations. */
describe('the list of apps', () => {
  let fixture: ApiFixture;
  let url: string;
  let ada: MemberClient;
  let ben: MemberClient;
  let hank: MemberClient;

  beforeAll(async () => {
    fixture = await ApiFixture.open();
    await fixture.embeddedDns();
    ({ url } = await fixture.api());
    ada = await fixture.member('northwind', 'ada');
    ben = await fixture.member('northwind', 'ben');
    hank = await fixture.member('globex', 'hank');
  });
  afterAll(() => fixture?.close());

  let count = 0;
  const register = async (member: MemberClient) => (await member.register(url, `Listed Shop ${count++}`)).body;
  const idsFor = async (member: MemberClient) => (await member.apps(url)).map(({ id }) => id);

  it("shows an organization its members' apps, newest first", async () => {
    const first = await register(ada);
    const second = await register(ben);
    expect(await idsFor(ada)).toEqual([second.id, first.id]);
    expect(await idsFor(ben)).toEqual([second.id, first.id]);
    expect(await idsFor(hank)).toEqual([]);
  });

  it('hides an app from every other organization', async () => {
    const theirs = await register(hank);
    expect(await idsFor(ada)).not.toContain(theirs.id);
    for (const answer of [
      await ada.get(url, theirs.id),
      await ada.delete(url, theirs.id),
      await ada.retry(url, theirs.id),
    ]) {
      expect({ status: answer.status, code: answer.body.code }).toEqual(ABSENT);
    }
    expect((await hank.get(url, theirs.id)).status).toBe(200);
  });

  it('returns all apps, or pages without gaps or repeats', async () => {
    for (let i = 0; i < 5; i += 1) await register(ada);
    const { body: all } = await ada.list(url);
    expect(all.next_cursor).toBeNull();
    const paged: App[] = [];
    let query = '?limit=2';
    while (query !== '') {
      const { body: page } = await ada.list(url, query);
      expect(page.items.length).toBeLessThanOrEqual(2);
      paged.push(...page.items);
      query = page.next_cursor === null ? '' : `?limit=2&cursor=${page.next_cursor}`;
    }
    expect(paged).toEqual(all.items);
  });

  it('does not let a cursor reveal apps of another organization', async () => {
    for (let i = 0; i < 2; i += 1) await register(ada);
    const { body } = await ada.list(url, '?limit=1');
    const { body: theirs } = await hank.list(url, `?cursor=${body.next_cursor}`);
    const own = await idsFor(ada);
    expect(theirs.items.filter(({ id }) => own.includes(id))).toEqual([]);
  });

  it.each([
    '?limit=0',
    '?limit=1001',
    '?limit=x',
    '?limit=',
    '?limit=1&limit=2',
    '?cursor=',
    '?cursor=nonsense',
    '?page=2',
  ])('rejects %s', async (query) => {
    const { status, body } = await ada.list(url, query);
    expect([status, body.code]).toEqual([400, 'platform.invalid-request']);
  });
});
