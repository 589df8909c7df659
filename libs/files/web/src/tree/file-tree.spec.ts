import { describe, expect, it } from '@jest/globals';
import type { FileEntry } from '@homeport/files/contracts';
import fc from 'fast-check';
import { countIn, crumbsTo, nameOf, newKey, openDirectory, parentOf, shownDirectory } from './file-tree';

const file = (key: string, day = 1): FileEntry => ({
  key,
  size: 1,
  etag: '"e"',
  modified_at: `2026-11-${String(day).padStart(2, '0')}T00:00:00Z`,
});
const namesIn = (keys: readonly string[], path: string): { directories: string[]; files: string[] } => {
  const { directories, files } = openDirectory(
    keys.map((key) => file(key)),
    path,
  );
  return { directories: directories.map(({ name }) => name), files: files.map(({ name }) => name) };
};

describe('openDirectory', () => {
  const keys = ['readme.md', 'threads/a.md', 'threads/b/c.md', 'threads/b/d/e.md', 'threadsy/x'];

  it('rebuilds a level from flat keys', () => {
    expect(namesIn(keys, '')).toEqual({ directories: ['threads', 'threadsy'], files: ['readme.md'] });
    expect(namesIn(keys, 'threads')).toEqual({ directories: ['b'], files: ['a.md'] });
    expect(namesIn(keys, 'threads/b')).toEqual({ directories: ['d'], files: ['c.md'] });
  });

  it('finds nothing in a directory no key names', () => {
    expect(namesIn(keys, 'reports')).toEqual({ directories: [], files: [] });
  });

  it('counts the files below and takes the newest change', () => {
    const rows = openDirectory([file('a/1', 3), file('a/b/2', 9), file('a/3', 5)], '').directories;
    expect(rows).toEqual([{ name: 'a', path: 'a', files: 3, modifiedAt: '2026-11-09T00:00:00Z' }]);
  });

  it('shows keys with and without the workspace segment in one place', () => {
    const mixed = ['workspace/threads/x.md', 'threads/x.md', 'workspace/y.md'];
    expect(namesIn(mixed, '')).toEqual({ directories: ['threads'], files: ['y.md'] });
    expect(namesIn(mixed, 'threads').files).toEqual(['x.md', 'x.md']);
  });

  it('takes a file called workspace for a file', () => {
    expect(namesIn(['workspace'], '')).toEqual({ directories: [], files: ['workspace'] });
  });

  it('lets a file and a directory share a name', () => {
    expect(namesIn(['a', 'a/b'], '')).toEqual({ directories: ['a'], files: ['a'] });
  });

  it('is not confused by names of the language', () => {
    expect(namesIn(['__proto__/a', 'constructor'], '')).toEqual({ directories: ['__proto__'], files: ['constructor'] });
  });

  it('shows every file exactly once, in the directory it lies in', () => {
    const name = fc.constantFrom('a', 'b', 'workspace', 'c.md');
    const key = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
    fc.assert(
      fc.property(fc.uniqueArray(key), (all) => {
        const entries = all.map((one) => file(one));
        const walk = (path: string): string[] => {
          const { directories, files } = openDirectory(entries, path);
          return [...files.map(({ entry }) => entry.key), ...directories.flatMap((child) => walk(child.path))];
        };
        expect(walk('').toSorted()).toEqual(all.toSorted());
      }),
    );
  });
});

describe('the small parts', () => {
  it('names and parents', () => {
    expect([nameOf('a/b.md'), nameOf('b.md')]).toEqual(['b.md', 'b.md']);
    expect([parentOf('a/b/c'), parentOf('a'), parentOf('')]).toEqual(['a/b', '', '']);
  });

  it('reads the directory of an address', () => {
    expect(['', 'workspace', 'workspace/a', 'a', 'workspacey'].map(shownDirectory)).toEqual([
      '',
      '',
      'a',
      'a',
      'workspacey',
    ]);
  });

  it('crumbs', () => {
    expect(crumbsTo('')).toEqual([]);
    expect(crumbsTo('a/b')).toEqual([
      { name: 'a', path: 'a' },
      { name: 'b', path: 'a/b' },
    ]);
  });

  it('counts with and without the workspace segment', () => {
    const entries = ['threads/a', 'workspace/threads/b/c', 'threadsy/d', 'threads'].map((key) => file(key));
    expect(countIn(entries, 'threads')).toBe(2);
  });

  it.each([
    [[], '', 'x'],
    [['a/1'], 'a', 'a/x'],
    [['workspace/a/1', 'b/1'], 'a', 'workspace/a/x'],
    [['workspace/a/1', 'b/1'], 'b', 'b/x'],
    [['workspace/a/1', 'a/2'], 'a', 'a/x'],
    [['workspace/a/1'], 'new', 'workspace/new/x'],
    [['workspace/a/1'], '', 'workspace/x'],
  ])('among %j, a new file in "%s" is %s', (keys, directory, key) => {
    expect(
      newKey(
        keys.map((one) => file(one)),
        directory,
        'x',
      ),
    ).toBe(key);
  });
});
