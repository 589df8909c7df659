import { describe, expect, it } from '@jest/globals';
import type { PriceRevisions } from '../application/price-revisions.port';
import { planPublication } from '../domain/publication';
import { verifyRevision } from '../domain/revision';
import { withCard } from './revisions';

const DAY_MS = 86_400_000;

/** What every adapter of `PriceRevisions` must do. @param open begins with the first statement alone. */
export function priceRevisionsContract(name: string, open: () => PriceRevisions): void {
  describe(`${name} as price revisions`, () => {
    const soon = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS + DAY_MS).toISOString().replace('.000Z', 'Z');
    const version = soon.slice(0, 10);
    const publish = (catalog = withCard(soon)) =>
      open().publish('ada', (published, now) => planPublication(catalog, { published, now }));

    it('begins with the first statement', async () => {
      const { revisions, at } = await open().currentAndUpcoming();
      expect(revisions.map((each) => verifyRevision(each).version)).toEqual(['2026-10-01']);
      expect(Math.abs(at.getTime() - Date.now())).toBeLessThan(60_000);
      expect(await open().list()).toEqual([{ version: '2026-10-01', effectiveAt: new Date('2026-10-01T00:00:00Z') }]);
      expect(await open().find('2026-10-02')).toBeUndefined();
    });

    it('publishes nothing of a plan that fails', async () => {
      const refusal = new Error('refused');
      const plan = () => {
        throw refusal;
      };
      await expect(open().publish('ada', plan)).rejects.toBe(refusal);
      expect(await open().list()).toHaveLength(1);
    });

    it('publishes what is planned, once, and keeps every byte of it', async () => {
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

    it('has what was published last in force, where several take effect at once', async () => {
      const catalog = withCard(soon);
      const signup = { ...catalog.signup, free: { label: 'Begin', url: 'https://example.com/' } };
      const planned = await publish({ ...catalog, signup });
      expect(planned.map((each) => each.version)).toEqual([expect.stringMatching(/\.\d$/), `${version}.2`]);
      const { revisions } = await open().currentAndUpcoming();
      expect(revisions.slice(-2).map((each) => each.version)).toEqual([version, `${version}.2`]);
    });
  });
}
