import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testBuckets } from '@homeport/platform/server/testing';
import { MemoryBudget } from '../../application/memory-budget';
import { PreconditionFailed } from '../../domain/files.errors';
import { LOW_MULTIPART_THRESHOLD } from '../../testing/low-multipart-threshold';
import { ObjectStoreFixture } from '../../testing/object-store-fixture';
import { EmptyEtagProxy } from '../../testing/empty-etag-proxy';
import { S3ObjectStore } from './s3-object-store';

const LARGE = Buffer.alloc(9 * 1024 * 1024, 'ab');

describe.each([...testBuckets()])(
  'a multipart upload whose response has an empty entity tag, on %s',
  (_storage, options) => {
    const endpoint = new EmptyEtagProxy(new URL(options.endpoint as string));
    let store: S3ObjectStore;
    const fixture = new ObjectStoreFixture(() => store);

    beforeAll(async () => {
      const onEndpoint = { ...options, ...LOW_MULTIPART_THRESHOLD, endpoint: await endpoint.listen() };
      store = new S3ObjectStore(onEndpoint, new MemoryBudget(64 * 1024 * 1024));
    });
    afterAll(() => endpoint.close());

    it.each(['unknown', LARGE.length] as const)('returns the tag of the stored version, size %s', async (size) => {
      const key = fixture.newKey('large');
      const written = await fixture.put(key, LARGE, { size });
      expect(written.etag).toMatch(/^"[0-9a-f]{32}-2"$/);
      expect(await store.head(key)).toEqual(written);
    });

    it('never returns the tag of another writer’s version', async () => {
      const key = fixture.newKey('large');
      endpoint.afterCompletion = () => fixture.put(key, 'theirs');
      const written = await fixture.put(key, LARGE);
      endpoint.afterCompletion = () => Promise.resolve();
      expect(written).toMatchObject({ etag: expect.stringMatching(/^"[0-9a-f]{32}-2"$/), size: LARGE.length });
      const stale = fixture.put(key, 'mine', { condition: { etag: written.etag } });
      await expect(stale).rejects.toBeInstanceOf(PreconditionFailed);
      expect((await fixture.read(key)).text).toBe('theirs');
    });
  },
);
