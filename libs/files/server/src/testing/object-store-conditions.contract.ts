import { describe, expect, it } from '@jest/globals';
import type { ObjectStore } from '../application/object-store.port';
import { PreconditionFailed } from '../domain/files.errors';
import { ObjectStoreFixture } from './object-store-fixture';

const WRONG_ETAG = '"00000000000000000000000000000000"';

/** Contract tests of `ObjectStore` adapters for conditional requests. */
export function objectStoreConditionsContract(name: string, open: () => ObjectStore): void {
  describe(`${name}, with conditions`, () => {
    const fixture = new ObjectStoreFixture(open);

    it('returns NotModified when the caller has the current version', async () => {
      const key = fixture.newKey('known');
      const { etag } = await fixture.put(key, 'x');
      const notModified = { notModified: true, etag };
      expect(await open().get(key, { ifNoneMatch: etag }, fixture.neverAborted)).toEqual(notModified);
      expect(await open().get(key, { ifNoneMatch: etag, range: 'bytes=0-' }, fixture.neverAborted)).toEqual(
        notModified,
      );
      expect((await fixture.read(key, { ifNoneMatch: WRONG_ETAG })).text).toBe('x');
    });

    it('reads the required version, or fails with the current ETag', async () => {
      const key = fixture.newKey('wanted');
      const { etag } = await fixture.put(key, '0123');
      expect((await fixture.read(key, { ifMatch: etag })).text).toBe('0123');
      expect((await fixture.read(key, { ifMatch: etag, range: 'bytes=1-2' })).text).toBe('12');
      for (const range of [{}, { range: 'bytes=1-2' }]) {
        const refused = open().get(key, { ifMatch: WRONG_ETAG, ...range }, fixture.neverAborted);
        await expect(refused).rejects.toMatchObject({ name: PreconditionFailed.name, etag });
      }
    });

    it('distinguishes an absent object from another version', async () => {
      const key = fixture.newKey('absent');
      expect(await open().get(key, { ifNoneMatch: WRONG_ETAG }, fixture.neverAborted)).toBeUndefined();
      const refused = open().get(key, { ifMatch: WRONG_ETAG }, fixture.neverAborted);
      await expect(refused).rejects.toMatchObject({ name: PreconditionFailed.name, etag: undefined });
    });

    it.each([
      ['streamed', { isHeld: false }],
      ['buffered', { isHeld: true }],
      ['of unknown size', { size: 'unknown' }],
    ] as const)('writes a body only if its condition is met: %s', async (_words, how) => {
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

    it('lets exactly one of many conditional writers succeed', async () => {
      const key = fixture.newKey('race');
      for (const text of ['new', 'next']) {
        const found = await open().head(key);
        const condition = found ? { etag: found.etag } : ({ absent: true } as const);
        const writers = Array.from({ length: 16 }, (_, i) => fixture.put(key, `${text} ${i}`, { condition }));
        const results = await Promise.allSettled(writers);
        expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      }
    });

    it('deletes present and absent objects, and only if the condition is met', async () => {
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
