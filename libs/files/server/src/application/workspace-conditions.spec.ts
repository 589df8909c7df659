import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Readable } from 'node:stream';
import { InMemoryObjectStore } from '../adapters/memory/in-memory-object-store';
import { FileMissing, PreconditionFailed } from '../domain/files.errors';
import { workspaceKey, workspaceRoot } from '../domain/workspace-key';
import { ListingCursors } from './listing-cursors';
import { MemoryBudget } from './memory-budget';
import type { StoredObject } from './object-store.port';
import { type ReadRequest, Workspace } from './workspace';

const ada = { issuer: 'https://issuer.example', subject: 'ada' };
const KEY = workspaceKey(workspaceRoot(ada), 'a');
const OTHER = '"00000000000000000000000000000000"';
const RANGE = 'bytes=0-2';
const signal = new AbortController().signal;

describe('Workspace, with conditions', () => {
  let objects: InMemoryObjectStore;
  let workspace: Workspace;
  let etag: string;
  let lastModified: string;

  const put = (text: string): Promise<StoredObject> =>
    objects.put(KEY, { body: Buffer.from(text), contentType: 'text/plain', condition: undefined, signal });
  /** Runs a change between the next HEAD and the operation that follows it. */
  const afterNextHead = (change: () => Promise<unknown>) => {
    const head = objects.head.bind(objects);
    jest.spyOn(objects, 'head').mockImplementationOnce(async (key) => {
      const found = await head(key);
      await change();
      return found;
    });
  };
  /** The text, with its range if partial, or NotModified. */
  const read = async (request: ReadRequest) => {
    const found = await workspace.read(ada, 'a', request, signal);
    if ('notModified' in found) return found;
    const text = Buffer.concat(await (found.body as Readable).toArray()).toString();
    return found.contentRange === undefined ? text : `${found.contentRange}: ${text}`;
  };

  beforeEach(async () => {
    objects = new InMemoryObjectStore(() => new Date(Date.UTC(2026, 0, 1)));
    workspace = new Workspace(objects, new ListingCursors([Buffer.alloc(32)]), {
      maxBytes: 100,
      memory: new MemoryBudget(100),
      tags: new Map(),
    });
    const stored = await put('first');
    etag = stored.etag;
    lastModified = stored.modifiedAt.toUTCString();
  });

  describe('a range', () => {
    it('is returned when the version matches by tag or by date', async () => {
      expect(await read({ range: RANGE, ifRange: etag })).toBe('bytes 0-2/5: fir');
      expect(await read({ range: RANGE, ifRange: lastModified })).toBe('bytes 0-2/5: fir');
      expect(await read({ range: RANGE, ifMatch: `${OTHER}, ${etag}` })).toBe('bytes 0-2/5: fir');
    });

    it('is ignored when the file has another version', async () => {
      for (const ifRange of [OTHER, `W/${etag}`, new Date(0).toUTCString(), 'nonsense']) {
        expect(await read({ range: RANGE, ifRange })).toBe('first');
      }
    });

    it('is ignored when the file changes between the HEAD and the read', async () => {
      afterNextHead(() => put('second'));
      expect(await read({ range: RANGE, ifRange: etag })).toBe('second');
    });

    it('returns NotModified when the file changes to the version that the caller has', async () => {
      const { etag: known } = await put('second');
      await put('first');
      afterNextHead(() => put('second'));
      const found = await read({ range: RANGE, ifRange: etag, ifNoneMatch: known });
      expect(found).toEqual({ notModified: true, etag: known });
    });

    it('fails with FileMissing when the file is absent or has just been deleted', async () => {
      afterNextHead(() => objects.delete(KEY));
      await expect(read({ range: RANGE, ifRange: etag })).rejects.toBeInstanceOf(FileMissing);
      await expect(read({ range: RANGE, ifRange: etag })).rejects.toBeInstanceOf(FileMissing);
    });
  });

  describe('a read with If-Match', () => {
    it('fails with the current ETag when the version differs', async () => {
      for (const ifMatch of [OTHER, `W/${etag}`]) {
        await expect(read({ ifMatch })).rejects.toMatchObject({ name: PreconditionFailed.name, etag });
      }
      for (const ifMatch of [etag, '*', `${OTHER}, ${etag}`]) expect(await read({ ifMatch })).toBe('first');
      await objects.delete(KEY);
      await expect(read({ ifMatch: '*' })).rejects.toBeInstanceOf(PreconditionFailed);
    });

    it('fails when the file changes between the HEAD and the read', async () => {
      for (const rest of [{}, { range: RANGE, ifRange: etag }]) {
        await put('first');
        afterNextHead(() => put('second'));
        await expect(read({ ifMatch: etag, ...rest })).rejects.toBeInstanceOf(PreconditionFailed);
      }
    });
  });

  describe('a read with If-None-Match', () => {
    it.each([
      ['the tag', () => etag],
      ['a list', () => `${OTHER}, ${etag}`],
      ['a weak tag', () => `W/${etag}`],
      ['a list with weak tags', () => `W/${OTHER},W/${etag}`],
      ['any version', () => '*'],
    ])('returns NotModified when it has %s', async (_words, ifNoneMatch) => {
      const notModified = { notModified: true, etag };
      expect(await read({ ifNoneMatch: ifNoneMatch() })).toEqual(notModified);
      expect(await read({ ifNoneMatch: ifNoneMatch(), range: RANGE, ifRange: OTHER })).toEqual(notModified);
      expect(await workspace.describe(ada, 'a', { ifNoneMatch: ifNoneMatch() })).toEqual(notModified);
      await objects.delete(KEY);
      await expect(read({ ifNoneMatch: ifNoneMatch() })).rejects.toBeInstanceOf(FileMissing);
    });

    it('returns the file or its range when no tag matches', async () => {
      for (const ifNoneMatch of [OTHER, `${OTHER}, W/${OTHER}`, `W/${OTHER}`]) {
        expect(await read({ ifNoneMatch })).toBe('first');
        expect(await read({ ifNoneMatch, range: RANGE })).toBe('bytes 0-2/5: fir');
        expect(await workspace.describe(ada, 'a', { ifNoneMatch })).toMatchObject({ etag, size: 5 });
      }
    });

    it('still checks If-Match', async () => {
      const refused = read({ ifMatch: OTHER, ifNoneMatch: `${OTHER}, ${etag}` });
      await expect(refused).rejects.toBeInstanceOf(PreconditionFailed);
    });

    it('sends a HEAD only for conditions that storage cannot check', async () => {
      const head = jest.spyOn(objects, 'head');
      await read({ ifNoneMatch: etag, range: RANGE });
      expect(head).not.toHaveBeenCalled();
      await read({ ifNoneMatch: '*' });
      expect(head).toHaveBeenCalledTimes(1);
    });
  });

  it('does not retry when storage rejects a read without a condition', async () => {
    const refused = jest.spyOn(objects, 'get').mockRejectedValueOnce(new PreconditionFailed());
    await expect(read({ ifNoneMatch: OTHER })).rejects.toBeInstanceOf(PreconditionFailed);
    expect(refused).toHaveBeenCalledTimes(1);
  });

  describe('a deletion', () => {
    const remove = (conditions: ReadRequest) => workspace.delete(ada, 'a', conditions);

    it.each([
      ['the right tag', () => ({ ifMatch: etag })],
      ['any version', () => ({ ifMatch: '*' })],
      ['a version that is not there', () => ({ ifNoneMatch: OTHER })],
      ['nothing', () => ({})],
    ])('succeeds when it requires %s', async (_words, conditions) => {
      await remove(conditions());
      expect(await objects.head(KEY)).toBeUndefined();
    });

    it.each([
      ['another tag', () => ({ ifMatch: OTHER })],
      ['a weak tag', () => ({ ifMatch: `W/${etag}` })],
      ['no version at all', () => ({ ifNoneMatch: '*' })],
      ['any but this', () => ({ ifNoneMatch: `W/${etag}` })],
    ])('fails with the current ETag when it requires %s', async (_words, conditions) => {
      await expect(remove(conditions())).rejects.toMatchObject({ name: PreconditionFailed.name, etag });
      expect(await objects.head(KEY)).toBeDefined();
    });

    it('keeps a version written between the HEAD and the deletion', async () => {
      afterNextHead(() => put('second'));
      await expect(remove({ ifMatch: etag })).rejects.toBeInstanceOf(PreconditionFailed);
      afterNextHead(() => put('third'));
      await expect(remove({ ifNoneMatch: OTHER })).rejects.toBeInstanceOf(PreconditionFailed);
      expect(await read({})).toBe('third');
    });

    it('succeeds for an absent file, unless a version is required', async () => {
      await objects.delete(KEY);
      await remove({});
      await remove({ ifNoneMatch: '*' });
      await expect(remove({ ifMatch: '*' })).rejects.toBeInstanceOf(PreconditionFailed);
    });
  });
});
