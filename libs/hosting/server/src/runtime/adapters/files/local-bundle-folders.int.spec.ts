import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryBlobStore } from '@homeport/platform/server/blobs';
import { FakeRuntimeDirectory } from '../../../testing/runtime/fake-runtime-directory';
import { siteFile } from '../../../testing/site-file';
import { LocalBundleFolders } from './local-bundle-folders';

describe('LocalBundleFolders', () => {
  let folder: string;
  let directory: FakeRuntimeDirectory;
  let blobs: InMemoryBlobStore;
  let bundles: LocalBundleFolders;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hp-bundles-'));
    directory = new FakeRuntimeDirectory();
    blobs = new InMemoryBlobStore();
    bundles = new LocalBundleFolders({ folder, directory, blobs });
    await bundles.open();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const deploy = async (files: Readonly<Record<string, string>>, store = blobs, organization = 'northwind') => {
    const deployId = randomUUID();
    directory.add(deployId, randomUUID());
    const entries = Object.entries(files).map(([path, text]) =>
      siteFile({ deployId, path, organization }, text, store),
    );
    directory.files.set(deployId, await Promise.all(entries));
    return deployId;
  };

  it('downloads the files of a deploy once', async () => {
    const id = await deploy({ 'server.mjs': 'code', 'public/a/b.css': 'css' });
    const [first, second] = await Promise.all([bundles.prepare(id), bundles.prepare(id)]);
    expect([second, await bundles.prepare(id)]).toEqual([first, first]);
    expect(await readFile(join(first, 'public/a/b.css'), 'utf8')).toBe('css');
    expect((await stat(join(first, 'server.mjs'))).mode & 0o777).toBe(0o444);
    expect(await readdir(join(folder, 'incomplete'))).toEqual([]);
  });

  it('shares equal files between deploys', async () => {
    const [one, two] = [await deploy({ a: 'same', b: 'other' }), await deploy({ c: 'same' })];
    const files = [join(await bundles.prepare(one), 'a'), join(await bundles.prepare(two), 'c')];
    const [first, second] = await Promise.all(files.map((file) => stat(file)));
    expect(second?.ino).toBe(first?.ino);
  });

  it('shares no file between organizations, which would see it', async () => {
    const [one, two] = [await deploy({ a: 'same' }), await deploy({ a: 'same' }, blobs, 'globex')];
    const files = [join(await bundles.prepare(one), 'a'), join(await bundles.prepare(two), 'a')];
    const [first, second] = await Promise.all(files.map((file) => stat(file)));
    expect(second?.ino).not.toBe(first?.ino);
    expect(second?.nlink).toBe(first?.nlink);
  });

  it('leaves no folder when a file is missing, and succeeds later', async () => {
    const id = await deploy({ 'server.mjs': 'code' }, new InMemoryBlobStore());
    await expect(bundles.prepare(id)).rejects.toThrow();
    expect(await readdir(join(folder, 'bundles'))).toEqual([]);
    const [file] = directory.files.get(id)!;
    await blobs.put(file!.blob, 'identity', Buffer.from('code'), new AbortController().signal);
    await bundles.prepare(id);
  });

  it('rejects bytes with another digest', async () => {
    const id = await deploy({ 'server.mjs': 'code' });
    const [file] = directory.files.get(id)!;
    await blobs.put(file!.blob, 'identity', Buffer.from('evil'), new AbortController().signal);
    await expect(bundles.prepare(id)).rejects.toThrow();
    expect(await readdir(join(folder, 'incomplete'))).toEqual([]);
  });

  it('removes deleted deploys unless they run, and files that no deploy shares', async () => {
    const [kept, gone, running] = [
      await deploy({ a: 'same' }),
      await deploy({ a: 'same', b: 'gone' }),
      await deploy({ c: 'running' }),
    ];
    for (const id of [kept, gone, running]) await bundles.prepare(id);
    directory.servers.delete(gone);
    directory.servers.delete(running);
    await bundles.removeUnused((id) => id === running);
    expect((await readdir(join(folder, 'bundles'))).sort()).toEqual([kept, running].sort());
    expect(await readdir(join(folder, 'files'))).toHaveLength(2);
  });

  it('rejects a deploy without files', async () => {
    await expect(bundles.prepare(randomUUID())).rejects.toThrow('has no server');
  });
});
