import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { unzipSync } from 'fflate';
import { InMemoryObjectStore } from '../adapters/memory/in-memory-object-store';
import {
  ArchiveLinkExpired,
  ArchiveTooLarge,
  FileMissing,
  FilePathRejected,
  StorageFailed,
} from '../domain/files.errors';
import { type WorkspaceKey, workspaceRoot } from '../domain/workspace-key';
import { ArchiveTickets } from './archive-tickets';
import { Archives } from './archives';
import type { ListOptions, ObjectRead } from './object-store.port';

const ada = { issuer: 'https://issuer.example', subject: 'ada' };
const ben = { issuer: 'https://issuer.example', subject: 'ben' };
const { signal } = new AbortController();
const plainSealer = {
  seal: (plain: Uint8Array) => Buffer.from(plain).toString('base64url'),
  openBytes: (sealed: string) => (sealed === '' ? undefined : Buffer.from(sealed, 'base64url')),
};

/** Lists two keys at a time, and counts bodies that are open. */
class SmallPages extends InMemoryObjectStore {
  openBodies = 0;
  mostOpenBodies = 0;

  override list(...[prefix, options]: Parameters<InMemoryObjectStore['list']>) {
    return super.list(prefix, { ...options, limit: Math.min(options.limit, 2) } satisfies ListOptions);
  }

  override async get(...args: Parameters<InMemoryObjectStore['get']>) {
    const found = (await super.get(...args)) as ObjectRead | undefined;
    if (!found) return undefined;
    this.mostOpenBodies = Math.max(this.mostOpenBodies, (this.openBodies += 1));
    (found.body as Readable).once('close', () => (this.openBodies -= 1));
    return found;
  }
}

async function readAll(chunks: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const read: Buffer[] = [];
  for await (const chunk of chunks) read.push(chunk);
  return read;
}

describe('Archives', () => {
  let objects: SmallPages;
  let archives: Archives;

  const put = async (owner: typeof ada, path: string, text = path) => {
    const key = `${workspaceRoot(owner)}${path}` as WorkspaceKey;
    await objects.put(key, { body: Buffer.from(text), contentType: 'text/plain', condition: undefined, signal });
  };
  const open = async (...paths: string[]) => {
    const { url } = await archives.link(ada, paths);
    return archives.open(url.slice('/v1/archives/'.length));
  };
  const unzip = async (...paths: string[]) => {
    const chunks = await readAll((await open(...paths)).read(signal));
    const files = Object.entries(unzipSync(Buffer.concat(chunks)));
    return Object.fromEntries(files.map(([name, bytes]) => [name, Buffer.from(bytes).toString()]));
  };

  beforeEach(async () => {
    objects = new SmallPages();
    archives = new Archives(objects, new ArchiveTickets(plainSealer));
    for (const path of ['a.md', 'reports/1.md', 'reports/2.md', 'reports/3.md', 'reports/q/4.md', 'reportsx/5.md']) {
      await put(ada, path);
    }
    await put(ben, 'reports/secret.md');
  });

  it('contains all files of a folder, and nothing of other folders or workspaces', async () => {
    expect(await unzip('reports/')).toEqual({
      'reports/1.md': 'reports/1.md',
      'reports/2.md': 'reports/2.md',
      'reports/3.md': 'reports/3.md',
      'reports/q/4.md': 'reports/q/4.md',
    });
    expect(objects.mostOpenBodies).toBe(1);
    expect(objects.openBodies).toBe(0);
  });

  it('contains a selection, with names relative to the parent of each path', async () => {
    await put(ada, 'deep/a.md', 'another');
    expect(await unzip('a.md', 'deep/a.md', 'reports/q/')).toEqual({
      'a.md': 'a.md',
      'a (2).md': 'another',
      'q/4.md': 'reports/q/4.md',
    });
  });

  it('contains the whole workspace', async () => {
    expect(Object.keys(await unzip('/'))).toHaveLength(6);
    expect((await open('/')).owner).toBe(workspaceRoot(ada));
  });

  it.each(['absent.md', 'absent/', 'reports', 'report/', 'reports/secret.md'])('has no link for %s', async (path) => {
    await expect(archives.link(ada, ['a.md', path])).rejects.toThrow(FileMissing);
  });

  it('has no link for invalid paths and for an empty workspace', async () => {
    await expect(archives.link(ada, ['a.md', '../b'])).rejects.toThrow(FilePathRejected);
    await expect(archives.link({ ...ada, subject: 'new' }, ['/'])).rejects.toThrow(FileMissing);
    expect(() => archives.open('')).toThrow(ArchiveLinkExpired);
  });

  it('omits files that were deleted in the meantime, and fails before the first byte without any', async () => {
    const archive = await open('a.md', 'reports/1.md');
    await objects.delete(`${workspaceRoot(ada)}a.md` as WorkspaceKey);
    const chunks = await readAll(archive.read(signal));
    expect(Object.keys(unzipSync(Buffer.concat(chunks)))).toEqual(['1.md']);
    await objects.delete(`${workspaceRoot(ada)}reports/1.md` as WorkspaceKey);
    await expect(archive.read(signal).next()).rejects.toThrow(FileMissing);
  });

  it('omits objects that have no valid path', async () => {
    await put(ada, 'reports/');
    await put(ada, 'reports//x');
    expect(Object.keys(await unzip('reports/'))).toHaveLength(4);
  });

  it('fails with the error of storage, and reads nothing more', async () => {
    const chunks = (await open('reports/')).read(signal);
    await chunks.next();
    const get = jest.spyOn(objects, 'get').mockRejectedValue(new StorageFailed());
    await expect(readAll(chunks)).rejects.toThrow(StorageFailed);
    expect(get).toHaveBeenCalledTimes(1);
  });

  it('fails beyond the largest number of files, and closes the open one', async () => {
    archives = new Archives(objects, new ArchiveTickets(plainSealer), 3);
    expect(Object.keys(await unzip('reports/1.md', 'reports/2.md', 'a.md'))).toHaveLength(3);
    await expect(readAll((await open('reports/')).read(signal))).rejects.toThrow(ArchiveTooLarge);
    await setImmediate();
    expect(objects.openBodies).toBe(0);
  });

  it.each([1, 2])('closes the open file when the reader stops after %d chunks', async (count) => {
    const chunks = (await open('reports/')).read(signal);
    for (let read = 0; read < count; read += 1) await chunks.next();
    expect(objects.openBodies).toBe(1);
    await chunks.return();
    await setImmediate();
    expect(objects.openBodies).toBe(0);
  });

  it('throws the error of a file that fails before it is read', async () => {
    const chunks = (await open('reports/')).read(signal);
    const get = jest.spyOn(objects, 'get');
    await chunks.next();
    const found = (await get.mock.results[0]?.value) as ObjectRead;
    (found.body as Readable).destroy(new StorageFailed());
    await setImmediate();
    await expect(chunks.next()).rejects.toThrow(StorageFailed);
  });

  it('ends with the signal', async () => {
    const stopped = new AbortController();
    const aborted = (await open('reports/')).read(stopped.signal);
    await aborted.next();
    stopped.abort();
    await expect(readAll(aborted)).rejects.toThrow('aborted');
  });
});
