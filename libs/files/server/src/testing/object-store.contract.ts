import { describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import type { ObjectStore } from '../application/object-store.port';
import { RangeNotSatisfiable } from '../domain/files.errors';
import { workspaceKey, workspacePrefix } from '../domain/workspace-key';
import { objectStoreConditionsContract } from './object-store-conditions.contract';
import { StoreBench } from './store-bench';

/** What every adapter of `ObjectStore` must do. Each run works under a prefix of its own and leaves it behind. */
export function objectStoreContract(name: string, open: () => ObjectStore): void {
  objectStoreConditionsContract(name, open);

  describe(`${name} as an object store`, () => {
    const bench = new StoreBench(open);

    it('gives back the bytes it was given, and what is known of them', async () => {
      const root = bench.newPerson();
      const key = workspaceKey(root, 'a.md');
      const written = await bench.put(key, 'hello');
      const { found, text } = await bench.read(key);
      expect(text).toBe('hello');
      expect(found).toMatchObject({ size: 5, length: 5, etag: written.etag, contentType: 'text/markdown' });
      expect(found.etag).toMatch(/^"[^"]+"$/);
      expect(await open().head(key)).toEqual(written);
      const { objects } = await open().list(workspacePrefix(root, ''), { limit: 10 });
      expect(objects).toMatchObject([{ key, size: 5, etag: written.etag }]);
    });

    it('stores an empty object', async () => {
      const key = bench.newKey('empty');
      for (const isHeld of [false, true]) {
        expect(await bench.put(key, '', { isHeld })).toMatchObject({ size: 0 });
        expect((await bench.read(key)).text).toBe('');
      }
    });

    it('stores bytes that are held, and says the same of them as later', async () => {
      const key = bench.newKey('held');
      const written = await bench.put(key, 'hello', { isHeld: true });
      expect(await open().head(key)).toEqual(written);
      const replaced = await bench.put(key, 'other', { isHeld: true });
      expect(replaced.etag).not.toBe(written.etag);
      expect((await bench.read(key)).text).toBe('other');
    });

    it('stores a body of unknown size, small or in several parts, and one of known size in parts', async () => {
      const root = bench.newPerson();
      await bench.put(workspaceKey(root, 'small'), 'hello', { size: 'unknown' });
      expect((await bench.read(workspaceKey(root, 'small'))).text).toBe('hello');
      const large = Buffer.alloc(17 * 1024 * 1024, 'ab');
      await bench.put(workspaceKey(root, 'large'), large, { size: 'unknown' });
      expect((await bench.read(workspaceKey(root, 'large'))).text.length).toBe(large.length);
      await bench.put(workspaceKey(root, 'large'), large.subarray(1));
      expect((await bench.read(workspaceKey(root, 'large'))).text).toBe(large.subarray(1).toString());
      await bench.put(workspaceKey(root, 'none'), '', { size: 'unknown' });
      expect((await bench.read(workspaceKey(root, 'none'))).text).toBe('');
    });

    it('answers absence with undefined', async () => {
      const key = bench.newKey('absent');
      expect(await open().get(key, {}, bench.never)).toBeUndefined();
      expect(await open().head(key)).toBeUndefined();
    });

    it('keeps keys as they are, whatever they hold', async () => {
      const root = bench.newPerson();
      const paths = ['a b', 'a+b', 'ü', '🎉', '%25', 'q?x=1', 'h#h', `quote'"<>&`, 'a/b/c', 'a.', '__proto__'];
      for (const path of paths)
        await bench.put(workspaceKey(root, path.split('/').map(encodeURIComponent).join('/')), path);
      const page = await open().list(workspacePrefix(root, ''), { limit: 100 });
      const sorted = paths.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect(page.objects.map(({ key }) => key.slice(root.length))).toEqual(sorted);
    });

    it('reads a range', async () => {
      const key = bench.newKey('range');
      await bench.put(key, '0123456789');
      const { found, text } = await bench.read(key, { range: 'bytes=2-4' });
      expect(text).toBe('234');
      expect(found).toMatchObject({ length: 3, size: 10, contentRange: 'bytes 2-4/10' });
      expect((await bench.read(key, { range: 'bytes=-3' })).text).toBe('789');
      expect((await bench.read(key, { range: 'bytes=8-' })).text).toBe('89');
      const outside = open().get(key, { range: 'bytes=12-' }, bench.never);
      await expect(outside).rejects.toMatchObject({
        name: RangeNotSatisfiable.name,
        headers: { 'content-range': 'bytes */10' },
      });
    });

    it('keeps the old object when a body breaks off', async () => {
      const key = bench.newKey('broken');
      await bench.put(key, 'old');
      const body = Readable.from(
        (async function* () {
          yield Buffer.from('half');
          await Promise.resolve();
          throw new Error('gone');
        })(),
        { objectMode: false },
      );
      const upload = { body, size: 100, contentType: 'text/plain', condition: undefined, signal: bench.never };
      await expect(open().put(key, upload)).rejects.toBeInstanceOf(Error);
      expect((await bench.read(key)).text).toBe('old');
    });

    it('stores nothing for a client who has left, or leaves amid the body', async () => {
      const key = bench.newKey('left');
      await bench.put(key, 'old');
      const left = AbortSignal.abort();
      await expect(bench.put(key, 'new', { signal: left })).rejects.toThrow();
      await expect(bench.put(key, 'new', { signal: left, size: 'unknown' })).rejects.toThrow();
      await expect(bench.put(key, 'new', { signal: left, isHeld: true })).rejects.toThrow();
      const leaving = new AbortController();
      const half = function* () {
        yield Buffer.from('half');
        leaving.abort();
        yield Buffer.from('more');
      };
      const body = Readable.from(half(), { objectMode: false });
      const upload = { body, size: 8, contentType: 'text/plain', condition: undefined, signal: leaving.signal };
      await expect(open().put(key, upload)).rejects.toThrow();
      expect((await bench.read(key)).text).toBe('old');
    });

    it('lists page by page, without losing or doubling a key', async () => {
      const root = bench.newPerson();
      for (const path of ['a', 'b/1', 'b/2', 'b/3', 'c', 'd/1', 'e']) await bench.put(workspaceKey(root, path), path);
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

    it('lists by plain string prefix and shows nobody else’s keys', async () => {
      const [one, other] = [bench.newPerson(), bench.newPerson()];
      await bench.put(workspaceKey(one, 'ab'), 'x');
      await bench.put(workspaceKey(one, 'abc/d'), 'x');
      await bench.put(workspaceKey(other, 'ab'), 'x');
      const page = await open().list(workspacePrefix(one, 'ab'), { limit: 10 });
      expect(page.objects.map(({ key }) => key)).toEqual([`${one}ab`, `${one}abc/d`]);
      const directory = await open().list(workspacePrefix(one, 'abc/'), { limit: 10 });
      expect(directory.objects.map(({ key }) => key)).toEqual([`${one}abc/d`]);
    });

    it('lists nothing where nothing is', async () => {
      const page = await open().list(workspacePrefix(bench.newPerson(), ''), { limit: 10, delimiter: '/' });
      expect(page).toEqual({ objects: [], directories: [] });
    });

    it('says that it is ready', async () => {
      await expect(open().ready(bench.never)).resolves.toBeUndefined();
    });
  });
}
