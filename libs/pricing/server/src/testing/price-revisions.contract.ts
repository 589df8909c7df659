import { describe, expect, it } from '@jest/globals';
import type { PriceRevisions } from '../application/price-revisions.port';
import { planPublication } from '../domain/publication';
import { verifyRevision } from '../domain/revision';
import { withCard } from './revisions';

const DAY_MS = 86_400_000;

/** Contract tests of all `PriceRevisions` adapters. @param open returns a store with only the first revision. */
export function priceRevisionsContract(name: string, open: () => PriceRevisions): void {
  describe(`${name} as price revisions`, () => {
    const soon = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS + DAY_MS).toISOString().replace('.000Z', 'Z');
    const version = soon.slice(0, 10);
    const publish = (catalog = withCard(soon)) =>
      open().publish('ada', (published, now) => planPublication(catalog, { published, now }));

    it('starts with the first statement', async () => {
      const { revisions, at } = await open().currentAndUpcoming();
      expect(revisions.map((each) => verifyRevision(each).version)).toEqual(['2026-10-01']);
      expect(Math.abs(at.getTime() - Date.now())).toBeLessThan(60_000);
      expect(await open().list()).toEqual([{ version: '2026-10-01', effectiveAt: new Date('2026-10-01T00:00:00Z') }]);
      expect(await open().find('2026-10-02')).toBeUndefined();
    });

    it('publishes nothing when the plan throws', async () => {
      const failure = new Error('refused');
      const plan = () => {
        throw failure;
      };
      await expect(open().publish('ada', plan)).rejects.toBe(failure);
      expect(await open().list()).toHaveLength(1);
    });

    it('publishes a plan once and stores every byte', async () => {
      const [first, second] = await Promise.all([publish(), publish()]);
      expect([first.length, second.length].toSorted()).toEqual([0, 2]);
      const planned = first.length > 0 ? first : second;
      const { revisions } = await open().currentAndUpcoming();
      expect(revisions.at(-1)?.version).toBe(version);
      for (const revision of planned) {
        const found = await open().find(revision.version);
        expect(found).toEqual(revision);
        expect(found && verifyRevision(found).version).toBe(revision.version);
      }
      expect((await open().list()).map((head) => head.version)).toEqual(['2026-10-01', planned[0]?.version, version]);
    });

    it('sorts revisions with the same effective date by order of publication', async () => {
      const catalog = withCard(soon);
      const signup = { ...catalog.signup, free: { label: 'Begin', url: 'https://example.com/' } };
      const planned = await publish({ ...catalog, signup });
      expect(planned.map((each) => each.version)).toEqual([expect.stringMatching(/\.\d$/), `${version}.2`]);
      const { revisions } = await open().currentAndUpcoming();
      expect(revisions.slice(-2).map((each) => each.version)).toEqual([version, `${version}.2`]);
    });
  });
}
