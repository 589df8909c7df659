import { describe, expect, it } from '@jest/globals';
import type { FileEntry } from '@homeport/files/contracts';
import fc from 'fast-check';
import { nameOf, parentOf, displayDirectory, displayPath } from './display-path';
import { summaryOf } from './directory-summary';
import { breadcrumbsTo, directoriesIn, newKey, listDirectory } from './file-tree';
import { SortedFiles } from './sorted-files';

const file = (key: string, day = 1): FileEntry => ({
  key,
  size: 1,
  etag: '"e"',
  modified_at: `2026-11-${String(day).padStart(2, '0')}T00:00:00Z`,
});
const filesOf = (keys: readonly string[]) => SortedFiles.of(keys.map((key) => file(key)));
const namesIn = (keys: readonly string[], path: string): { directories: string[]; files: string[] } => {
  const { directories, files } = listDirectory(filesOf(keys), path);
  return { directories: directories.map(({ name }) => name), files: files.map(({ name }) => name) };
};

describe('listDirectory', () => {
  const keys = ['readme.md', 'threads/a.md', 'threads/b/c.md', 'threads/b/d/e.md', 'threadsy/x'];

  it('builds one directory level from flat keys', () => {
    expect(namesIn(keys, '')).toEqual({ directories: ['threads', 'threadsy'], files: ['readme.md'] });
    expect(namesIn(keys, 'threads')).toEqual({ directories: ['b'], files: ['a.md'] });
    expect(namesIn(keys, 'threads/b')).toEqual({ directories: ['d'], files: ['c.md'] });
  });

  it('returns an empty directory for an unknown path', () => {
    expect(namesIn(keys, 'reports')).toEqual({ directories: [], files: [] });
  });

  it('counts all files below a directory and returns its newest change', () => {
    const rows = listDirectory(SortedFiles.of([file('a/1', 3), file('a/b/2', 9), file('a/3', 5)]), '').directories;
    expect(rows).toEqual([{ name: 'a', path: 'a', files: 3, bytes: 3, modifiedAt: '2026-11-09T00:00:00Z' }]);
  });

  it('merges keys with and without the workspace segment', () => {
    const mixed = ['workspace/threads/x.md', 'threads/x.md', 'workspace/y.md'];
    expect(namesIn(mixed, '')).toEqual({ directories: ['threads'], files: ['y.md'] });
    expect(namesIn(mixed, 'threads').files).toEqual(['x.md', 'x.md']);
  });

  it('treats a file named workspace as a file', () => {
    expect(namesIn(['workspace'], '')).toEqual({ directories: [], files: ['workspace'] });
  });

  it('lists a file and a directory with the same name', () => {
    expect(namesIn(['a', 'a/b'], '')).toEqual({ directories: ['a'], files: ['a'] });
  });

  it('supports names of built-in object properties', () => {
    expect(namesIn(['__proto__/a', 'constructor'], '')).toEqual({ directories: ['__proto__'], files: ['constructor'] });
  });

  it('lists every file exactly once', () => {
    const name = fc.constantFrom('a', 'b', 'workspace', 'c.md');
    const key = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
    fc.assert(
      fc.property(fc.uniqueArray(key), (all) => {
        const entries = filesOf(all);
        const walk = (path: string): string[] => {
          const { directories, files } = listDirectory(entries, path);
          return [...files.map(({ entry }) => entry.key), ...directories.flatMap((child) => walk(child.path))];
        };
        expect(walk('').toSorted()).toEqual(all.toSorted());
      }),
    );
  });
});

/** A simple reference implementation that scans all keys. */
function listByScan(keys: readonly string[], path: string): { directories: string[]; files: string[] } {
  const prefix = path === '' ? '' : `${path}/`;
  const rests = keys.map(displayPath).filter((shown) => shown.startsWith(prefix));
  const inside = rests.map((shown) => shown.slice(prefix.length).split('/'));
  const directories = inside.filter(({ length }) => length > 1).map(([name]) => name as string);
  const files = inside.filter(({ length }) => length === 1).map(([name]) => name as string);
  return { directories: [...new Set(directories)].sort(), files: files.sort() };
}

it('lists any directory like a scan of all keys', () => {
  const name = fc.constantFrom('a', 'b', 'ab', 'workspace', 'c.md', '~');
  const path = fc.array(name, { maxLength: 3 }).map((names) => names.join('/'));
  fc.assert(
    fc.property(fc.uniqueArray(path.filter(Boolean)), path, (keys, directory) => {
      const { directories, files } = namesIn(keys, directory);
      expect({ directories: directories.sort(), files: files.sort() }).toEqual(listByScan(keys, directory));
    }),
    { numRuns: 1_000 },
  );
});

describe('path helpers', () => {
  it('split a path into name and parent', () => {
    expect([nameOf('a/b.md'), nameOf('b.md')]).toEqual(['b.md', 'b.md']);
    expect([parentOf('a/b/c'), parentOf('a'), parentOf('')]).toEqual(['a/b', '', '']);
  });

  it('convert a URL path to a display directory', () => {
    expect(['', 'workspace', 'workspace/a', 'a', 'workspacey'].map(displayDirectory)).toEqual([
      '',
      '',
      'a',
      'a',
      'workspacey',
    ]);
  });

  it('build breadcrumbs', () => {
    expect(breadcrumbsTo('')).toEqual([]);
    expect(breadcrumbsTo('a/b')).toEqual([
      { name: 'a', path: 'a' },
      { name: 'b', path: 'a/b' },
    ]);
  });

  it('summarize keys with and without the workspace segment', () => {
    const files = SortedFiles.of([
      file('threads/a', 3),
      file('workspace/threads/b/c', 5),
      file('threadsy/d', 9),
      file('threads', 9),
    ]);
    expect(summaryOf(files, 'threads')).toEqual({ files: 2, modifiedAt: '2026-11-05T00:00:00Z' });
    expect(summaryOf(files, 'reports')).toEqual({ files: 0, modifiedAt: undefined });
  });

  it('list every directory once', () => {
    expect(directoriesIn(filesOf(['a/b/c/1', 'workspace/a/2', 'x/3', '4']))).toEqual(['a', 'a/b', 'a/b/c', 'x']);
  });

  it.each([
    [[], '', 'x'],
    [['a/1'], 'a', 'a/x'],
    [['workspace/a/1', 'b/1'], 'a', 'workspace/a/x'],
    [['workspace/a/1', 'b/1'], 'b', 'b/x'],
    [['workspace/a/1', 'a/2'], 'a', 'a/x'],
    [['workspace/a/1'], 'new', 'workspace/new/x'],
    [['workspace/a/1'], '', 'workspace/x'],
  ])('with the files %j, a new file in "%s" gets the key %s', (keys, directory, key) => {
    expect(newKey(filesOf(keys), directory, 'x')).toBe(key);
  });
});
