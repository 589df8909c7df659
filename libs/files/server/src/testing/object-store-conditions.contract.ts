import { describe, expect, it } from '@jest/globals';
import type { ObjectStore } from '../application/object-store.port';
import { PreconditionFailed } from '../domain/files.errors';
import { ObjectStoreFixture } from './object-store-fixture';

const WRONG_ETAG = '"00000000000000000000000000000000"';

/** What every adapter of `ObjectStore` must make of conditions. */
export function objectStoreConditionsContract(name: string, open: () => ObjectStore): void {
  describe(`${name}, on conditions`, () => {
    const fixture = new ObjectStoreFixture(open);

    it('says when the caller’s copy is still good', async () => {
      const key = fixture.newKey('known');
      const { etag } = await fixture.put(key, 'x');
      const stillGood = { notModified: true, etag };
      expect(await open().get(key, { ifNoneMatch: etag }, fixture.neverAborted)).toEqual(stillGood);
      expect(await open().get(key, { ifNoneMatch: etag, range: 'bytes=0-' }, fixture.neverAborted)).toEqual(stillGood);
      expect((await fixture.read(key, { ifNoneMatch: WRONG_ETAG })).text).toBe('x');
    });

    it('reads the version that is wanted, or names the one there is', async () => {
      const key = fixture.newKey('wanted');
      const { etag } = await fixture.put(key, '0123');
      expect((await fixture.read(key, { ifMatch: etag })).text).toBe('0123');
      expect((await fixture.read(key, { ifMatch: etag, range: 'bytes=1-2' })).text).toBe('12');
      for (const range of [{}, { range: 'bytes=1-2' }]) {
        const refused = open().get(key, { ifMatch: WRONG_ETAG, ...range }, fixture.neverAborted);
        await expect(refused).rejects.toMatchObject({ name: PreconditionFailed.name, etag });
      }
    });

    it('tells absence from another version', async () => {
      const key = fixture.newKey('absent');
      expect(await open().get(key, { ifNoneMatch: WRONG_ETAG }, fixture.neverAborted)).toBeUndefined();
      const refused = open().get(key, { ifMatch: WRONG_ETAG }, fixture.neverAborted);
      await expect(refused).rejects.toMatchObject({ name: PreconditionFailed.name, etag: undefined });
    });

    it.each([
      ['streamed', { isHeld: false }],
      ['held', { isHeld: true }],
      ['of unknown size', { size: 'unknown' }],
    ] as const)('writes what is %s under a condition, or not at all', async (_words, how) => {
      const key = fixture.newKey('conditional');
      const wrong = fixture.put(key, 'x', { ...how, condition: { etag: WRONG_ETAG } });
      await expect(wrong).rejects.toMatchObject({ name: PreconditionFailed.name, etag: undefined });
      const { etag } = await fixture.put(key, 'one', { ...how, condition: { absent: true } });
      for (const condition of [{ absent: true }, { etag: WRONG_ETAG }] as const) {
        const refused = fixture.put(key, 'x', { ...how, condition });
        await expect(refused).rejects.toMatchObject({ name: PreconditionFailed.name, headers: { etag } });
      }
      expect((await fixture.read(key)).text).toBe('one');
      await fixture.put(key, 'two', { ...how, condition: { etag } });
      expect((await fixture.read(key)).text).toBe('two');
    });

    it('lets one of many conditional writers win, of a new object and of the next version', async () => {
      const key = fixture.newKey('race');
      for (const text of ['new', 'next']) {
        const found = await open().head(key);
        const condition = found ? { etag: found.etag } : ({ absent: true } as const);
        const writers = Array.from({ length: 16 }, (_, i) => fixture.put(key, `${text} ${i}`, { condition }));
        const results = await Promise.allSettled(writers);
        expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      }
    });

    it('deletes, also what is absent, and only under the condition', async () => {
      const key = fixture.newKey('deleted');
      const old = await fixture.put(key, 'old');
      const { etag } = await fixture.put(key, 'x');
      for (const stale of [old.etag, WRONG_ETAG]) {
        await expect(open().delete(key, stale)).rejects.toMatchObject({ name: PreconditionFailed.name, etag });
      }
      expect((await fixture.read(key)).text).toBe('x');
      await open().delete(key, etag);
      expect(await open().head(key)).toBeUndefined();
      await open().delete(key);
      const refused = open().delete(key, etag);
      await expect(refused).rejects.toMatchObject({ name: PreconditionFailed.name, etag: undefined });
    });
  });
}
