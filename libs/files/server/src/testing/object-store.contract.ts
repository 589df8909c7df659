import { describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import type { ObjectRead, ObjectStore, ReadConditions } from '../application/object-store.port';
import type { WriteCondition } from '../domain/conditions';
import { PreconditionFailed, RangeNotSatisfiable } from '../domain/files.errors';
import { workspaceKey, workspacePrefix, workspaceRoot } from '../domain/workspace-key';

const WRONG_ETAG = '"00000000000000000000000000000000"';

/** What every adapter of `ObjectStore` must do. Each run works under a prefix of its own and leaves it behind. */
export function objectStoreContract(name: string, open: () => ObjectStore): void {
  describe(`${name} as an object store`, () => {
    let people = 0;
    const newPerson = () =>
      workspaceRoot({ issuer: `https://contract.example/${process.hrtime.bigint()}`, subject: `${people++}` });
    const signal = new AbortController().signal;

    const put = (key: ReturnType<typeof workspaceKey>, bytes: string | Buffer, more: PutOptions = {}) => {
      const { condition, size = Buffer.byteLength(bytes) } = more;
      return open().put(key, {
        body: Readable.from(bytes.length > 0 ? [Buffer.from(bytes)] : [], { objectMode: false }),
        contentType: 'text/markdown',
        condition,
        signal,
        ...(size === 'unknown' ? {} : { size }),
      });
    };
    const read = async (key: ReturnType<typeof workspaceKey>, conditions: ReadConditions = {}) => {
      const found = (await open().get(key, conditions, signal)) as ObjectRead;
      return { found, text: (await bytesOf(found)).toString() };
    };

    it('gives back the bytes it was given, and what is known of them', async () => {
      const key = workspaceKey(newPerson(), 'a.md');
      const written = await put(key, 'hello');
      const { found, text } = await read(key);
      expect(text).toBe('hello');
      expect(found).toMatchObject({ size: 5, length: 5, etag: written.etag, contentType: 'text/markdown' });
      expect(found.etag).toMatch(/^"[^"]+"$/);
      expect(await open().head(key)).toMatchObject({ size: 5, etag: written.etag, contentType: 'text/markdown' });
    });

    it('stores an empty object', async () => {
      const key = workspaceKey(newPerson(), 'empty');
      await put(key, '');
      expect((await read(key)).text).toBe('');
    });

    it('stores a body of unknown size, small or in several parts, and one of known size in parts', async () => {
      const root = newPerson();
      await put(workspaceKey(root, 'small'), 'hello', { size: 'unknown' });
      expect((await read(workspaceKey(root, 'small'))).text).toBe('hello');
      const large = Buffer.alloc(17 * 1024 * 1024, 'ab');
      await put(workspaceKey(root, 'large'), large, { size: 'unknown' });
      expect((await read(workspaceKey(root, 'large'))).text.length).toBe(large.length);
      await put(workspaceKey(root, 'large'), large.subarray(1));
      expect((await read(workspaceKey(root, 'large'))).text).toBe(large.subarray(1).toString());
      await put(workspaceKey(root, 'none'), '', { size: 'unknown' });
      expect((await read(workspaceKey(root, 'none'))).text).toBe('');
    });

    it('answers absence with undefined', async () => {
      const key = workspaceKey(newPerson(), 'absent');
      expect(await open().get(key, {}, signal)).toBeUndefined();
      expect(await open().head(key)).toBeUndefined();
    });

    it('keeps keys as they are, whatever they hold', async () => {
      const root = newPerson();
      const paths = ['a b', 'a+b', 'ü', '🎉', '%25', 'q?x=1', 'h#h', `quote'"<>&`, 'a/b/c', 'a.', '__proto__'];
      for (const path of paths) await put(workspaceKey(root, path.split('/').map(encodeURIComponent).join('/')), path);
      const page = await open().list(workspacePrefix(root, ''), { limit: 100 });
      const sorted = paths.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect(page.objects.map(({ key }) => key.slice(root.length))).toEqual(sorted);
    });

    it('reads a range', async () => {
      const key = workspaceKey(newPerson(), 'range');
      await put(key, '0123456789');
      const { found, text } = await read(key, { range: 'bytes=2-4' });
      expect(text).toBe('234');
      expect(found).toMatchObject({ length: 3, size: 10, contentRange: 'bytes 2-4/10' });
      expect((await read(key, { range: 'bytes=-3' })).text).toBe('789');
      expect((await read(key, { range: 'bytes=8-' })).text).toBe('89');
      await expect(open().get(key, { range: 'bytes=10-' }, signal)).rejects.toBeInstanceOf(RangeNotSatisfiable);
    });

    it('says when the caller’s copy is still good', async () => {
      const key = workspaceKey(newPerson(), 'known');
      const { etag } = await put(key, 'x');
      expect(await open().get(key, { ifNoneMatch: etag }, signal)).toEqual({ notModified: true, etag });
      expect((await read(key, { ifNoneMatch: WRONG_ETAG })).text).toBe('x');
      expect((await read(key, { ifMatch: etag })).text).toBe('x');
      await expect(open().get(key, { ifMatch: WRONG_ETAG }, signal)).rejects.toBeInstanceOf(PreconditionFailed);
    });

    it('writes under a condition, or not at all', async () => {
      const key = workspaceKey(newPerson(), 'conditional');
      await expect(put(key, 'x', { condition: { etag: WRONG_ETAG } })).rejects.toBeInstanceOf(PreconditionFailed);
      const { etag } = await put(key, 'one', { condition: { absent: true } });
      await expect(put(key, 'x', { condition: { absent: true } })).rejects.toBeInstanceOf(PreconditionFailed);
      await expect(put(key, 'x', { condition: { etag: WRONG_ETAG } })).rejects.toMatchObject({ headers: { etag } });
      expect((await read(key)).text).toBe('one');
      await put(key, 'two', { condition: { etag } });
      expect((await read(key)).text).toBe('two');
    });

    it('lets one of many conditional writers win', async () => {
      const key = workspaceKey(newPerson(), 'race');
      const writers = Array.from({ length: 16 }, (_, i) => put(key, `${i}`, { condition: { absent: true } }));
      const results = await Promise.allSettled(writers);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });

    it('keeps the old object when a body breaks off', async () => {
      const key = workspaceKey(newPerson(), 'broken');
      await put(key, 'old');
      const body = Readable.from(
        (async function* () {
          yield Buffer.from('half');
          await Promise.resolve();
          throw new Error('gone');
        })(),
        { objectMode: false },
      );
      const upload = { body, size: 100, contentType: 'text/plain', condition: undefined, signal };
      await expect(open().put(key, upload)).rejects.toBeInstanceOf(Error);
      expect((await read(key)).text).toBe('old');
    });

    it('deletes, also what is absent, and only under the condition', async () => {
      const key = workspaceKey(newPerson(), 'deleted');
      const { etag } = await put(key, 'x');
      await expect(open().delete(key, WRONG_ETAG)).rejects.toBeInstanceOf(PreconditionFailed);
      await open().delete(key, etag);
      expect(await open().head(key)).toBeUndefined();
      await open().delete(key);
      await expect(open().delete(key, etag)).rejects.toBeInstanceOf(PreconditionFailed);
    });

    it('lists page by page, without losing or doubling a key', async () => {
      const root = newPerson();
      for (const path of ['a', 'b/1', 'b/2', 'b/3', 'c', 'd/1', 'e']) await put(workspaceKey(root, path), path);
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
      const [one, other] = [newPerson(), newPerson()];
      await put(workspaceKey(one, 'ab'), 'x');
      await put(workspaceKey(one, 'abc/d'), 'x');
      await put(workspaceKey(other, 'ab'), 'x');
      const page = await open().list(workspacePrefix(one, 'ab'), { limit: 10 });
      expect(page.objects.map(({ key }) => key)).toEqual([`${one}ab`, `${one}abc/d`]);
      const directory = await open().list(workspacePrefix(one, 'abc/'), { limit: 10 });
      expect(directory.objects.map(({ key }) => key)).toEqual([`${one}abc/d`]);
    });

    it('says that it is ready', async () => {
      await expect(open().ready(signal)).resolves.toBeUndefined();
    });
  });
}

async function bytesOf({ body }: ObjectRead): Promise<Buffer> {
  return Buffer.isBuffer(body) ? body : Buffer.concat(await body.toArray());
}

interface PutOptions {
  readonly condition?: WriteCondition;
  readonly size?: number | 'unknown';
}
