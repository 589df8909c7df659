import { beforeAll, describe, expect, it } from '@jest/globals';
import { products, signIn } from '../homeport';
import { createTestTenant, type Listing, type TestTenant } from './test-tenant';

describe.each(products)('listings, on $storage', ({ url }) => {
  let tenant: TestTenant;

  beforeAll(async () => {
    tenant = await createTestTenant(url);
  });

  it('sorts by key, or newest first, in pages', async () => {
    const { ada, ben, call, folder, list, put } = tenant;
    for (const name of ['p1', 'p2', 'p3']) await put(`pages/${name}`, name);
    const prefix = `prefix=${folder}/pages/`;
    const first = await list(ada, `${prefix}&limit=2`);
    const second = await list(ada, `${prefix}&limit=2&cursor=${first.next_cursor}`);
    expect([...first.items, ...second.items].map(({ key }) => key.at(-1))).toEqual(['1', '2', '3']);
    expect(second.next_cursor).toBeNull();
    const foreign = await call(`/api/files?${prefix}&cursor=${first.next_cursor}`, { token: ben });
    expect([foreign.status, await foreign.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'files.invalid-cursor' }),
    ]);
    const newest = await list(ada, `${prefix}&sort=-modified_at&limit=1`);
    expect(newest.items.map(({ key }) => key)).toEqual([`${folder}/pages/p3`]);
    const listing = await call(`/api/files?${prefix}`, { token: ada });
    const again = await call(`/api/files?${prefix}`, {
      token: ada,
      headers: { 'if-none-match': listing.headers.get('etag') as string },
    });
    expect(again.status).toBe(304);
  });

  it.each(['prefix=', 'prefix', 'prefix=&limit=1000'])('treats ?%s like no prefix', async (query) => {
    const { call } = tenant;
    // No other test writes files of this person while the two lists are read.
    const { token } = await signIn('gina');
    for (const name of ['a.txt', 'b/c.txt']) await call(`/api/files/${name}`, { token, method: 'PUT', body: name });
    const answers = [await call('/api/files?limit=1000', { token }), await call(`/api/files?${query}`, { token })];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [all, listed] = await Promise.all(answers.map((each) => each.json()));
    expect(listed).toEqual(all);
    expect((listed as Listing).items.map(({ key }) => key)).toEqual(['a.txt', 'b/c.txt']);
  });

  it.each([
    'limit=0',
    'limit=1001',
    'limit=x',
    'delimiter=x',
    'sort=name',
    'unknown=1',
    'prefix=&prefix=a',
    'cursor=',
    'delimiter=',
    'limit=',
    'sort=',
    'limit=1&limit=2',
    'cursor=nonsense',
    'prefix=../',
    'sort=-modified_at&delimiter=/',
  ])('rejects the listing ?%s', async (query) => {
    const { ada, call } = tenant;
    expect((await call(`/api/files?${query}`, { token: ada })).status).toBe(400);
  });
});
