import { describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import type { ObjectStore } from '../application/object-store.port';
import { RangeNotSatisfiable } from '../domain/files.errors';
import { workspaceKey, workspacePrefix } from '../domain/workspace-key';
import { objectStoreConditionsContract } from './object-store-conditions.contract';
import { ObjectStoreFixture } from './object-store-fixture';

/** Contract tests of all `ObjectStore` adapters. Each run writes under a new prefix and does not delete it. */
export function objectStoreContract(name: string, open: () => ObjectStore): void {
  objectStoreConditionsContract(name, open);

  describe(`${name} as an object store`, () => {
    const fixture = new ObjectStoreFixture(open);

    it('returns the stored bytes and their metadata', async () => {
      const root = fixture.newWorkspace();
      const key = workspaceKey(root, 'a.md');
      const written = await fixture.put(key, 'hello');
      const { found, text } = await fixture.read(key);
      expect(text).toBe('hello');
      expect(found).toMatchObject({ size: 5, length: 5, etag: written.etag, contentType: 'text/markdown' });
      expect(found.etag).toMatch(/^"[^"]+"$/);
      expect(await open().head(key)).toEqual(written);
      const { objects } = await open().list(workspacePrefix(root, ''), { limit: 10 });
      expect(objects).toMatchObject([{ key, size: 5, etag: written.etag }]);
    });

    it('stores an empty object', async () => {
      const key = fixture.newKey('empty');
      for (const isHeld of [false, true]) {
        expect(await fixture.put(key, '', { isHeld })).toMatchObject({ size: 0 });
        expect((await fixture.read(key)).text).toBe('');
      }
    });

    it('stores a buffer and returns the same metadata as a later HEAD', async () => {
      const key = fixture.newKey('held');
      const written = await fixture.put(key, 'hello', { isHeld: true });
      expect(await open().head(key)).toEqual(written);
      const replaced = await fixture.put(key, 'other', { isHeld: true });
      expect(replaced.etag).not.toBe(written.etag);
      expect((await fixture.read(key)).text).toBe('other');
    });

    it('stores small and multipart bodies of unknown size, and multipart bodies of known size', async () => {
      const root = fixture.newWorkspace();
      await fixture.put(workspaceKey(root, 'small'), 'hello', { size: 'unknown' });
      expect((await fixture.read(workspaceKey(root, 'small'))).text).toBe('hello');
      const large = Buffer.alloc(17 * 1024 * 1024, 'ab');
      await fixture.put(workspaceKey(root, 'large'), large, { size: 'unknown' });
      expect((await fixture.read(workspaceKey(root, 'large'))).text.length).toBe(large.length);
      await fixture.put(workspaceKey(root, 'large'), large.subarray(1));
      expect((await fixture.read(workspaceKey(root, 'large'))).text).toBe(large.subarray(1).toString());
      await fixture.put(workspaceKey(root, 'none'), '', { size: 'unknown' });
      expect((await fixture.read(workspaceKey(root, 'none'))).text).toBe('');
    });

    it('returns undefined for an absent object', async () => {
      const key = fixture.newKey('absent');
      expect(await open().get(key, {}, fixture.neverAborted)).toBeUndefined();
      expect(await open().head(key)).toBeUndefined();
    });

    it('keeps keys with special characters unchanged', async () => {
      const root = fixture.newWorkspace();
      const paths = ['a b', 'a+b', 'ü', '🎉', '%25', 'q?x=1', 'h#h', `quote'"<>&`, 'a/b/c', 'a.', '__proto__'];
      for (const path of paths)
        await fixture.put(workspaceKey(root, path.split('/').map(encodeURIComponent).join('/')), path);
      const page = await open().list(workspacePrefix(root, ''), { limit: 100 });
      const sorted = paths.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect(page.objects.map(({ key }) => key.slice(root.length))).toEqual(sorted);
    });

    it('reads a range', async () => {
      const key = fixture.newKey('range');
      await fixture.put(key, '0123456789');
      const { found, text } = await fixture.read(key, { range: 'bytes=2-4' });
      expect(text).toBe('234');
      expect(found).toMatchObject({ length: 3, size: 10, contentRange: 'bytes 2-4/10' });
      expect((await fixture.read(key, { range: 'bytes=-3' })).text).toBe('789');
      expect((await fixture.read(key, { range: 'bytes=8-' })).text).toBe('89');
      const outside = open().get(key, { range: 'bytes=12-' }, fixture.neverAborted);
      await expect(outside).rejects.toMatchObject({
        name: RangeNotSatisfiable.name,
        headers: { 'content-range': 'bytes */10' },
      });
    });

    it('keeps the old object when a body fails', async () => {
      const key = fixture.newKey('broken');
      await fixture.put(key, 'old');
      const body = Readable.from(
        (async function* () {
          yield Buffer.from('half');
          await Promise.resolve();
          throw new Error('reset');
        })(),
        { objectMode: false },
      );
      const upload = { body, size: 100, contentType: 'text/plain', condition: undefined, signal: fixture.neverAborted };
      await expect(open().put(key, upload)).rejects.toBeInstanceOf(Error);
      expect((await fixture.read(key)).text).toBe('old');
    });

    it('stores nothing when the client disconnects before or during the body', async () => {
      const key = fixture.newKey('left');
      await fixture.put(key, 'old');
      const aborted = AbortSignal.abort();
      await expect(fixture.put(key, 'new', { signal: aborted })).rejects.toThrow();
      await expect(fixture.put(key, 'new', { signal: aborted, size: 'unknown' })).rejects.toThrow();
      await expect(fixture.put(key, 'new', { signal: aborted, isHeld: true })).rejects.toThrow();
      const client = new AbortController();
      const half = function* () {
        yield Buffer.from('half');
        client.abort();
        yield Buffer.from('more');
      };
      const body = Readable.from(half(), { objectMode: false });
      const upload = { body, size: 8, contentType: 'text/plain', condition: undefined, signal: client.signal };
      await expect(open().put(key, upload)).rejects.toThrow();
      expect((await fixture.read(key)).text).toBe('old');
    });

    it('lists every key exactly once across pages', async () => {
      const root = fixture.newWorkspace();
      for (const path of ['a', 'b/1', 'b/2', 'b/3', 'c', 'd/1', 'e']) await fixture.put(workspaceKey(root, path), path);
      for (const [delimiter, expected] of [
        [undefined, ['a', 'b/1', 'b/2', 'b/3', 'c', 'd/1', 'e']],
        ['/', ['a', 'b/', 'c', 'd/', 'e']],
      ] as const) {
        const seen: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await open().list(workspacePrefix(root, ''), {
            limit: 2,
            ...(delimiter === undefined ? {} : { delimiter }),
            ...(cursor === undefined ? {} : { cursor }),
          });
          const names = [...page.objects.map(({ key }) => key), ...page.directories];
          expect(names.length).toBeLessThanOrEqual(2);
          seen.push(...names.map((each) => each.slice(root.length)));
          cursor = page.next;
        } while (cursor !== undefined);
        expect(seen.toSorted()).toEqual(expected);
      }
    });

    it('lists by plain string prefix and never lists other users’ keys', async () => {
      const [one, other] = [fixture.newWorkspace(), fixture.newWorkspace()];
      await fixture.put(workspaceKey(one, 'ab'), 'x');
      await fixture.put(workspaceKey(one, 'abc/d'), 'x');
      await fixture.put(workspaceKey(other, 'ab'), 'x');
      const page = await open().list(workspacePrefix(one, 'ab'), { limit: 10 });
      expect(page.objects.map(({ key }) => key)).toEqual([`${one}ab`, `${one}abc/d`]);
      const directory = await open().list(workspacePrefix(one, 'abc/'), { limit: 10 });
      expect(directory.objects.map(({ key }) => key)).toEqual([`${one}abc/d`]);
    });

    it('returns an empty list for an empty workspace', async () => {
      const page = await open().list(workspacePrefix(fixture.newWorkspace(), ''), { limit: 10, delimiter: '/' });
      expect(page).toEqual({ objects: [], directories: [] });
    });

    it('reports that it is ready', async () => {
      await expect(open().ready(fixture.neverAborted)).resolves.toBeUndefined();
    });
  });
}
