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

describe('Workspace, on conditions', () => {
  let objects: InMemoryObjectStore;
  let workspace: Workspace;
  let etag: string;
  let lastModified: string;

  const put = (text: string): Promise<StoredObject> =>
    objects.put(KEY, { body: Buffer.from(text), contentType: 'text/plain', condition: undefined, signal });
  /** Something happens between the look at the file and what is done about it. */
  const afterTheNextLook = (happen: () => Promise<unknown>) => {
    const look = objects.head.bind(objects);
    jest.spyOn(objects, 'head').mockImplementationOnce(async (key) => {
      const found = await look(key);
      await happen();
      return found;
    });
  };
  /** The bytes, or that the caller's copy is still good. */
  const read = async (request: ReadRequest) => {
    const found = await workspace.read(ada, 'a', request, signal);
    if ('notModified' in found) return found;
    const text = Buffer.concat(await (found.body as Readable).toArray()).toString();
    return found.contentRange === undefined ? text : `${found.contentRange}: ${text}`;
  };

  beforeEach(async () => {
    objects = new InMemoryObjectStore(() => new Date(Date.UTC(2026, 0, 1)));
    workspace = new Workspace(objects, new ListingCursors(Buffer.alloc(32)), {
      maxBytes: 100,
      memory: new MemoryBudget(100),
      tags: new Map(),
    });
    const stored = await put('first');
    etag = stored.etag;
    lastModified = stored.modifiedAt.toUTCString();
  });

  describe('a range', () => {
    it('is of the version the caller names, by tag or by date', async () => {
      expect(await read({ range: RANGE, ifRange: etag })).toBe('bytes 0-2/5: fir');
      expect(await read({ range: RANGE, ifRange: lastModified })).toBe('bytes 0-2/5: fir');
      expect(await read({ range: RANGE, ifMatch: `${OTHER}, ${etag}` })).toBe('bytes 0-2/5: fir');
    });

    it('gives way to the whole file when that is another version', async () => {
      for (const ifRange of [OTHER, `W/${etag}`, new Date(0).toUTCString(), 'nonsense']) {
        expect(await read({ range: RANGE, ifRange })).toBe('first');
      }
    });

    it('gives way to the whole file when it changes between the look and the read', async () => {
      afterTheNextLook(() => put('second'));
      expect(await read({ range: RANGE, ifRange: etag })).toBe('second');
    });

    it('gives way to what the caller knows already when it changes to just that', async () => {
      const { etag: known } = await put('second');
      await put('first');
      afterTheNextLook(() => put('second'));
      const found = await read({ range: RANGE, ifRange: etag, ifNoneMatch: known });
      expect(found).toEqual({ notModified: true, etag: known });
    });

    it('is of no file when there is none, or none any more', async () => {
      afterTheNextLook(() => objects.delete(KEY));
      await expect(read({ range: RANGE, ifRange: etag })).rejects.toBeInstanceOf(FileMissing);
      await expect(read({ range: RANGE, ifRange: etag })).rejects.toBeInstanceOf(FileMissing);
    });
  });

  describe('a read with If-Match', () => {
    it('names the version that is there now when it is another one', async () => {
      for (const ifMatch of [OTHER, `W/${etag}`]) {
        await expect(read({ ifMatch })).rejects.toMatchObject({ name: PreconditionFailed.name, etag });
      }
      for (const ifMatch of [etag, '*', `${OTHER}, ${etag}`]) expect(await read({ ifMatch })).toBe('first');
      await objects.delete(KEY);
      await expect(read({ ifMatch: '*' })).rejects.toBeInstanceOf(PreconditionFailed);
    });

    it('gets no other version when the file changes between the look and the read', async () => {
      for (const rest of [{}, { range: RANGE, ifRange: etag }]) {
        await put('first');
        afterTheNextLook(() => put('second'));
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
    ])('says that the copy is still good, named by %s', async (_words, ifNoneMatch) => {
      const stillGood = { notModified: true, etag };
      expect(await read({ ifNoneMatch: ifNoneMatch() })).toEqual(stillGood);
      expect(await read({ ifNoneMatch: ifNoneMatch(), range: RANGE, ifRange: OTHER })).toEqual(stillGood);
      expect(await workspace.describe(ada, 'a', { ifNoneMatch: ifNoneMatch() })).toEqual(stillGood);
      await objects.delete(KEY);
      await expect(read({ ifNoneMatch: ifNoneMatch() })).rejects.toBeInstanceOf(FileMissing);
    });

    it('gives what the caller does not know, or the range of it', async () => {
      for (const ifNoneMatch of [OTHER, `${OTHER}, W/${OTHER}`, `W/${OTHER}`]) {
        expect(await read({ ifNoneMatch })).toBe('first');
        expect(await read({ ifNoneMatch, range: RANGE })).toBe('bytes 0-2/5: fir');
        expect(await workspace.describe(ada, 'a', { ifNoneMatch })).toMatchObject({ etag, size: 5 });
      }
    });

    it('still wants the version that If-Match names', async () => {
      const refused = read({ ifMatch: OTHER, ifNoneMatch: `${OTHER}, ${etag}` });
      await expect(refused).rejects.toBeInstanceOf(PreconditionFailed);
    });

    it('looks at the file first only where storage could not tell', async () => {
      const look = jest.spyOn(objects, 'head');
      await read({ ifNoneMatch: etag, range: RANGE });
      expect(look).not.toHaveBeenCalled();
      await read({ ifNoneMatch: '*' });
      expect(look).toHaveBeenCalledTimes(1);
    });
  });

  it('asks a storage that refuses what nobody demanded only once', async () => {
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
    ])('goes through when it demands %s', async (_words, conditions) => {
      await remove(conditions());
      expect(await objects.head(KEY)).toBeUndefined();
    });

    it.each([
      ['another tag', () => ({ ifMatch: OTHER })],
      ['a weak tag', () => ({ ifMatch: `W/${etag}` })],
      ['no version at all', () => ({ ifNoneMatch: '*' })],
      ['any but this', () => ({ ifNoneMatch: `W/${etag}` })],
    ])('keeps the file when it demands %s, and names the version that is there', async (_words, conditions) => {
      await expect(remove(conditions())).rejects.toMatchObject({ name: PreconditionFailed.name, etag });
      expect(await objects.head(KEY)).toBeDefined();
    });

    it('keeps what was written between the look and the deletion', async () => {
      afterTheNextLook(() => put('second'));
      await expect(remove({ ifMatch: etag })).rejects.toBeInstanceOf(PreconditionFailed);
      afterTheNextLook(() => put('third'));
      await expect(remove({ ifNoneMatch: OTHER })).rejects.toBeInstanceOf(PreconditionFailed);
      expect(await read({})).toBe('third');
    });

    it('of what is absent is success, unless a version is demanded', async () => {
      await objects.delete(KEY);
      await remove({});
      await remove({ ifNoneMatch: '*' });
      await expect(remove({ ifMatch: '*' })).rejects.toBeInstanceOf(PreconditionFailed);
    });
  });
});
