import { describe, expect, it } from '@jest/globals';
import { listDirectory } from '../tree/file-tree';
import { SortedFiles } from '../tree/sorted-files';
import { movedPaths, namesByParent, namesTowards, pathsWithin, withAncestors, withEmptyFolders } from './folder-paths';

const file = (key: string) => ({ key, size: 1, etag: '"1"', modified_at: '2026-11-01T00:00:00Z' });
const paths = new Set(['plans', 'plans/2026/q4', 'plans-old']);

describe('folder paths', () => {
  it('finds the folders in a folder, not those with the same beginning', () => {
    expect(pathsWithin(paths, 'plans')).toEqual(['plans', 'plans/2026/q4']);
  });

  it('names the next folder on the way to each path', () => {
    expect(namesTowards(paths, '')).toEqual(['plans', 'plans-old']);
    expect(namesTowards(paths, 'plans')).toEqual(['2026']);
    expect(namesTowards(paths, 'plans/2026/q4')).toEqual([]);
  });

  it('moves the folders in a folder', () => {
    expect(movedPaths(paths, 'plans', 'archive/plans')).toEqual([
      'archive/plans',
      'archive/plans/2026/q4',
      'plans-old',
    ]);
  });

  it('adds the folders above', () => {
    expect([...withAncestors(['a/b/c', 'a/d'])]).toEqual(['a/b/c', 'a/b', 'a', 'a/d']);
  });

  it('groups the names by their folder', () => {
    expect([...namesByParent(paths)]).toEqual([
      ['', ['plans', 'plans-old']],
      ['plans/2026', ['q4']],
      ['plans', ['2026']],
    ]);
  });

  it('adds rows for empty folders and keeps those with files', () => {
    const directory = listDirectory(SortedFiles.of([file('plans/2026/a.md')]), '');
    const { directories } = withEmptyFolders(directory, paths);
    expect(directories.map(({ name, files }) => [name, files])).toEqual([
      ['plans', 1],
      ['plans-old', 0],
    ]);
    expect(withEmptyFolders(directory, new Set(['plans']))).toBe(directory);
  });
});
