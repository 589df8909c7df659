import { describe, expect, it, jest } from '@jest/globals';
import { InMemoryPriceRevisions } from '../adapters/memory/in-memory-price-revisions';
import { VersionNotFound } from '../domain/pricing.errors';
import { firstRevision } from '../testing/revisions';
import { PriceHistory } from './price-history';

describe('PriceHistory', () => {
  const revisions = new InMemoryPriceRevisions([firstRevision()]);
  const history = new PriceHistory(revisions);

  it('lists every version with its URL', async () => {
    const url = '/v1/pricing/versions/2026-10-01';
    expect(await history.list()).toEqual([{ version: '2026-10-01', effectiveAt: '2026-10-01T00:00:00Z', url }]);
  });

  it('reads a statement once, because it never changes', async () => {
    const find = jest.spyOn(revisions, 'find');
    const [one, other] = [await history.get('2026-10-01'), await history.get('2026-10-01')];
    expect(one.representations.identity.body).toEqual(firstRevision().body);
    expect(other).toBe(one);
    expect(find).toHaveBeenCalledTimes(1);
  });

  it.each(['2026-10-02', 'latest', '', '\u0000'])('rejects version %j', async (version) => {
    await expect(history.get(version)).rejects.toBeInstanceOf(VersionNotFound);
  });
});
