import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ObjectRead, ObjectStore, ObjectUpload } from '../application/object-store.port';
import { PreconditionFailed } from '../domain/files.errors';
import { type WorkspaceKey, workspaceKey, workspacePrefix } from '../domain/workspace-key';
import { ObjectStoreFixture } from './object-store-fixture';

const MEGABYTE = 1_000_000;
const STRONG_TAG = /^"[^"]+"$/;

/**
 * Contract tests of `ObjectStore` adapters for objects that are uploaded in parts.
 *
 * @param name of the adapter and its storage, for the test title.
 * @param open returns the adapter.
 * @param sizes of the objects, in megabytes.
 */
export function largeObjectsContract(name: string, open: () => ObjectStore, sizes: readonly number[]): void {
  describe(`${name}, with large objects`, () => {
    const fixture = new ObjectStoreFixture(open);

    const upload = (megabytes: number): ObjectUpload => ({
      body: Readable.from(chunksOf(megabytes), { objectMode: false }),
      size: megabytes * MEGABYTE,
      contentType: 'application/octet-stream',
      condition: undefined,
      signal: fixture.neverAborted,
    });
    const digestOf = async (key: WorkspaceKey) =>
      digest((await open().get(key, {}, fixture.neverAborted)) as ObjectRead);

    it.each(sizes)('returns the ETag of the stored version for %d MB', async (megabytes) => {
      const root = fixture.newWorkspace();
      const key = workspaceKey(root, 'large');
      const written = await open().put(key, upload(megabytes));
      expect(written).toMatchObject({ etag: expect.stringMatching(STRONG_TAG), size: megabytes * MEGABYTE });
      expect(await open().head(key)).toEqual(written);
      const { objects } = await open().list(workspacePrefix(root, ''), { limit: 10 });
      expect(objects).toMatchObject([{ key, etag: written.etag, size: written.size }]);
      expect(await digestOf(key)).toBe(digestOfChunks(megabytes));

      const notModified = await open().get(key, { ifNoneMatch: written.etag }, fixture.neverAborted);
      expect(notModified).toEqual({ notModified: true, etag: written.etag });
      const replaced = await fixture.put(key, 'next', { condition: { etag: written.etag } });
      const stale = fixture.put(key, 'lost', { condition: { etag: written.etag } });
      await expect(stale).rejects.toMatchObject({ name: PreconditionFailed.name, etag: replaced.etag });
      await open().delete(key);
    });
  });
}

function* chunksOf(megabytes: number): Generator<Buffer> {
  for (let n = 0; n < megabytes; n += 1) yield Buffer.alloc(MEGABYTE, n);
}

function digestOfChunks(megabytes: number): string {
  const hash = createHash('sha256');
  for (const chunk of chunksOf(megabytes)) hash.update(chunk);
  return hash.digest('hex');
}

async function digest({ body }: ObjectRead): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of Buffer.isBuffer(body) ? [body] : body) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
