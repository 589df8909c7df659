import { describe, expect, it } from '@jest/globals';
import type { FileEntry } from '@homeport/files/contracts';
import fc from 'fast-check';
import type { LevelListing } from '../client/files-client';
import { changedLevel, directoryOf, type DirectoryLevel, readLevel } from './directory-level';
import { type Directory, listDirectory, newKey } from './file-tree';
import { SortedFiles } from './sorted-files';

const file = (key: string, version = 1): FileEntry => ({
  key,
  size: 1,
  etag: `"${version}"`,
  modified_at: '2026-11-01T00:00:00Z',
});
const filesOf = (keys: readonly string[]) => SortedFiles.of(keys.map((key) => file(key)));
const never = new AbortController().signal;
const nothingHidden = (): boolean => false;

/** Lists one level like the API. */
function levelOf(keys: readonly string[], prefix: string): LevelListing {
  const inside = keys.filter((key) => key.startsWith(prefix));
  const isDirect = (key: string): boolean => !key.slice(prefix.length).includes('/');
  const directories = inside
    .filter((key) => !isDirect(key))
    .map((key) => key.slice(0, key.indexOf('/', prefix.length) + 1));
  return { items: inside.filter(isDirect).map((key) => file(key)), directories: [...new Set(directories)] };
}

function read(keys: readonly string[], path: string, requested: string[] = []): Promise<DirectoryLevel> {
  const listLevel = (prefix: string): Promise<LevelListing> => {
    requested.push(prefix);
    return Promise.resolve(levelOf(keys, prefix));
  };
  return readLevel({ listLevel }, path, never);
}

const namesOf = ({ directories, files }: Directory) => ({
  directories: directories.map(({ name }) => name).sort(),
  files: files.map(({ name, entry }) => `${name} ${entry.key}`).sort(),
});
const known = (files: SortedFiles, path: string) => ({ all: files, directory: listDirectory(files, path) });

describe('readLevel', () => {
  it.each([
    ['', ['', 'workspace/']],
    ['a/b', ['a/b/', 'workspace/a/b/']],
    ['workspace', ['workspace/workspace/']],
    ['a//b', []],
    ['u\u0308', []],
  ])('for the directory "%s" requests the levels of %j', async (path, prefixes) => {
    const requested: string[] = [];
    await read(['a/b/1'], path, requested);
    expect(requested).toEqual(prefixes);
  });

  it('finds the files and directories that all keys describe', async () => {
    const name = fc.constantFrom('a', 'b', 'workspace', 'c.md');
    const path = fc.array(name, { maxLength: 3 }).map((names) => names.join('/'));
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(path.filter(Boolean)), path, async (keys, directory) => {
        const level = await read(keys, directory);
        const expected = listDirectory(filesOf(keys), directory);
        expect(namesOf(directoryOf(level, undefined, nothingHidden))).toEqual(namesOf(expected));
      }),
    );
  });

  it('gives new files the key that all keys would give them', async () => {
    const name = fc.constantFrom('a', 'b', 'workspace', 'c.md');
    const path = fc.array(name, { maxLength: 3 }).map((names) => names.join('/'));
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(path.filter(Boolean)), path, async (keys, directory) => {
        const { keyPrefix, files, directories } = await read(keys, directory);
        expect(keyPrefix === undefined).toBe(files.size + directories.size === 0);
        fc.pre(keyPrefix !== undefined);
        expect(`${keyPrefix}new.md`).toBe(newKey(filesOf(keys), directory, 'new.md'));
      }),
    );
  });
});

describe('directoryOf', () => {
  const keys = ['a.md', 'sub/1', 'sub/2', 'workspace/b.md'];

  it('has no counts while the files are unknown', async () => {
    const directory = directoryOf(await read(keys, ''), undefined, nothingHidden);
    expect(directory.directories).toEqual([{ name: 'sub', path: 'sub' }]);
    expect(directory.files.map(({ name }) => name)).toEqual(['a.md', 'b.md']);
  });

  it('is the known directory itself when nothing differs', async () => {
    const current = known(filesOf(keys), '');
    expect(directoryOf(await read(keys, ''), current, nothingHidden)).toBe(current.directory);
  });

  it('counts the directories that are known, and shows the others without counts', async () => {
    const level = await read([...keys, 'new/1'], '');
    const { directories } = directoryOf(level, known(filesOf(keys), ''), nothingHidden);
    expect(directories).toEqual([expect.objectContaining({ name: 'sub', files: 2 }), { name: 'new', path: 'new' }]);
  });

  it.each([
    ['an added file', [...keys, 'c.md']],
    ['a deleted file', keys.filter((key) => key !== 'a.md')],
    ['a deleted directory', keys.filter((key) => !key.startsWith('sub/'))],
    ['a directory in place of another one', [...keys.filter((key) => !key.startsWith('sub/')), 'other/1']],
  ])('shows %s', async (_words, now) => {
    const current = known(filesOf(keys), '');
    const directory = directoryOf(await read(now, ''), current, nothingHidden);
    expect(directory).not.toBe(current.directory);
    expect(namesOf(directory)).toEqual(namesOf(listDirectory(filesOf(now), '')));
  });

  it('shows the newer version of a file', async () => {
    const current = known(SortedFiles.of([file('a.md', 2)]), '');
    expect(directoryOf(await read(['a.md'], ''), current, nothingHidden).files[0]?.entry.etag).toBe('"1"');
  });

  it('shows neither hidden files nor directories whose files are all hidden', async () => {
    const all = filesOf(keys);
    const hidden = new Set(['a.md', 'sub/1', 'sub/2']);
    const current = { all, directory: listDirectory(all.without(hidden), '') };
    const directory = directoryOf(await read(keys, ''), current, (key) => hidden.has(key));
    expect(directory).toBe(current.directory);
    expect(namesOf(directory)).toEqual({ directories: [], files: ['b.md workspace/b.md'] });
  });
});

describe('changedLevel', () => {
  it('lists like the server does after the same changes', async () => {
    const key = fc
      .array(fc.constantFrom('a', 'b', 'workspace', 'c.md'), { minLength: 1, maxLength: 3 })
      .map((names) => names.join('/'));
    const directory = fc.constantFrom('', 'a', 'b/a', 'workspace');
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(key), fc.uniqueArray(key), directory, async (before, touched, path) => {
        const removed = before.filter((each) => touched.includes(each));
        const added = touched.filter((each) => !before.includes(each)).map((each) => file(each));
        const after = [...before.filter((each) => !removed.includes(each)), ...added.map((entry) => entry.key)];
        const level = changedLevel(await read(before, path), { added, removed }, filesOf(after));
        const shown = directoryOf(level, undefined, nothingHidden);
        expect(namesOf(shown)).toEqual(namesOf(listDirectory(filesOf(after), path)));
      }),
    );
  });

  it('keeps a directory while it is unknown whether it has other files', async () => {
    const level = changedLevel(await read(['sub/1'], ''), { added: [], removed: ['sub/1'] }, undefined);
    expect([...level.directories]).toEqual(['sub']);
  });
});
