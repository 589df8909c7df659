import { beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { InMemoryObjectStore } from '../adapters/memory/in-memory-object-store';
import type { Digest } from '../domain/digests';
import { CursorRejected, DigestMismatch, FileMissing, FilePathRejected, FileTooLarge } from '../domain/files.errors';
import { ListingCursors } from './listing-cursors';
import { MemoryBudget } from './memory-budget';
import type { ObjectRead } from './object-store.port';
import { Workspace } from './workspace';

const ada = { issuer: 'https://issuer.example', subject: 'ada' };
const ben = { issuer: 'https://issuer.example', subject: 'ben' };
const signal = new AbortController().signal;

describe('Workspace', () => {
  let workspace: Workspace;
  let objects: InMemoryObjectStore;
  let clock = 0;

  beforeEach(() => {
    let second = 0;
    objects = new InMemoryObjectStore(() => new Date(Date.UTC(2026, 0, 1, 0, 0, second++)));
    workspace = new Workspace(objects, new ListingCursors([Buffer.alloc(32, 7)]), {
      maxBytes: 10,
      memory: new MemoryBudget(100),
      tags: new Map(),
      now: () => clock,
    });
  });

  const write = (
    owner: typeof ada,
    path: string,
    text: string,
    more: { size?: number; digests?: readonly Digest[] } = {},
  ) =>
    workspace.write(owner, path, {
      openBody: () => Readable.from([Buffer.from(text)]),
      expectsContinue: false,
      digests: [],
      conditions: {},
      signal,
      ...more,
    });
  const readText = async (owner: typeof ada, path: string) => {
    const found = (await workspace.read(owner, path, {}, signal)) as ObjectRead;
    return Buffer.concat(await (found.body as Readable).toArray()).toString();
  };
  const keys = async (owner: typeof ada, prefix = '') =>
    (await workspace.list(owner, { prefix, limit: 100 })).items.map(({ key }) => key);

  it('reports whether a write created or replaced a file', async () => {
    const first = await write(ada, 'a.md', 'one');
    expect(first).toMatchObject({ created: true, entry: { key: 'a.md', size: 3, content_type: 'text/markdown' } });
    expect(await write(ada, 'a.md', 'two')).toMatchObject({ created: false });
    expect(await readText(ada, 'a.md')).toBe('two');
  });

  it('isolates two users in every call', async () => {
    await write(ada, 'same.md', 'ada');
    await expect(workspace.read(ben, 'same.md', {}, signal)).rejects.toBeInstanceOf(FileMissing);
    expect(await keys(ben)).toEqual([]);
    expect((await workspace.newest(ben, '', 10)).items).toEqual([]);
    await workspace.delete(ben, 'same.md', {});
    await write(ben, 'same.md', 'ben');
    expect(await readText(ada, 'same.md')).toBe('ada');
    expect(await keys(ada)).toEqual(['same.md']);
  });

  it.each(['../x', '%2e%2e/x', 'a//b', ''])('rejects the path %j in every call', async (path) => {
    await expect(write(ada, path, 'x')).rejects.toBeInstanceOf(FilePathRejected);
    await expect(workspace.read(ada, path, {}, signal)).rejects.toBeInstanceOf(FilePathRejected);
    await expect(workspace.delete(ada, path, {})).rejects.toBeInstanceOf(FilePathRejected);
  });

  it('rejects a file that is too large, by declared or actual size', async () => {
    await expect(write(ada, 'a', 'x', { size: 11 })).rejects.toBeInstanceOf(FileTooLarge);
    await expect(write(ada, 'a', 'x'.repeat(11))).rejects.toBeInstanceOf(FileTooLarge);
    expect(await keys(ada)).toEqual([]);
    await write(ada, 'a', 'x'.repeat(10), { size: 10 });
  });

  it.each([5, undefined])(
    'does not store a body that does not match its digest, declared size %s',
    async (declared) => {
      const size = declared === undefined ? {} : { size: declared };
      const right = { algorithm: 'sha256', value: createHash('sha256').update('hello').digest() } as const;
      const wrong = { algorithm: 'md5', value: Buffer.alloc(16) } as const;
      const refused = write(ada, 'a', 'hello', { ...size, digests: [right, wrong] });
      await expect(refused).rejects.toBeInstanceOf(DigestMismatch);
      expect(await keys(ada)).toEqual([]);
      await write(ada, 'a', 'hello', { ...size, digests: [right] });
      expect(await readText(ada, 'a')).toBe('hello');
    },
  );

  it('accepts a cursor only for its listing', async () => {
    for (const path of ['a', 'b', 'c']) await write(ada, path, path);
    const first = await workspace.list(ada, { prefix: '', limit: 2 });
    const cursor = first.next_cursor as string;
    const second = await workspace.list(ada, { prefix: '', limit: 1, cursor });
    expect([...first.items, ...second.items].map(({ key }) => key)).toEqual(['a', 'b', 'c']);
    expect(second.next_cursor).toBeNull();
    await expect(workspace.list(ben, { prefix: '', limit: 2, cursor })).rejects.toBeInstanceOf(CursorRejected);
    await expect(workspace.list(ada, { prefix: 'b', limit: 2, cursor })).rejects.toBeInstanceOf(CursorRejected);
    const oneLevel = workspace.list(ada, { prefix: '', limit: 2, delimiter: '/', cursor });
    await expect(oneLevel).rejects.toBeInstanceOf(CursorRejected);
  });

  it('returns directories as workspace paths', async () => {
    await write(ada, 'threads/a.md', 'x');
    const listing = await workspace.list(ada, { prefix: '', limit: 10, delimiter: '/' });
    expect(listing).toMatchObject({ items: [], directories: ['threads/'], truncated: false });
  });

  it('returns the newest files first', async () => {
    for (const path of ['b', 'a', 'c']) await write(ada, path, path);
    const newest = await workspace.newest(ada, '', 2);
    expect(newest.items.map(({ key }) => key)).toEqual(['c', 'a']);
    expect(newest).toMatchObject({ next_cursor: null, truncated: false });
  });

  it.each([
    ['ends in time', 0, 1_500, false],
    ['exceeds the time limit', 2_000, 1_000, true],
  ])('reports truncation of a scan that %s', async (_words, milliseconds, seen, truncated) => {
    for (let i = 0; i < 1_500; i += 1) await write(ada, `f${i}`, '');
    const list = objects.list.bind(objects);
    let scanned = 0;
    objects.list = async (...args) => {
      const page = await list(...args);
      clock += milliseconds;
      scanned += page.objects.length;
      return page;
    };
    expect(await workspace.newest(ada, '', 5)).toMatchObject({ truncated, next_cursor: null });
    expect(scanned).toBe(seen);
  });

  it.each([
    ['the maximum number of files', 20_000, false],
    ['one file more than the maximum', 20_001, true],
  ])('reports truncation of a scan of %s', async (_words, files, truncated) => {
    // The newest files come last, so an incomplete scan must report truncation.
    objects.list = (prefix, { limit, cursor = '0' }) => {
      const start = Number(cursor);
      const end = Math.min(files, start + limit);
      const page = Array.from({ length: end - start }, (_, i) => {
        const number = start + i;
        return { key: `${prefix}f${number}`, size: 0, etag: '"x"', modifiedAt: new Date(number * 1_000) };
      });
      return Promise.resolve({ objects: page, directories: [], ...(end < files ? { next: `${end}` } : {}) });
    };
    const { items, ...rest } = await workspace.newest(ada, '', 2);
    expect(items.map(({ key }) => key)).toEqual(['f19999', 'f19998']);
    expect(rest).toMatchObject({ truncated, next_cursor: null });
  });
});
