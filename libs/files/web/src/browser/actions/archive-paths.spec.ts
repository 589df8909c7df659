import { describe, expect, it } from '@jest/globals';
import type { FileEntry } from '@homeport/files/contracts';
import { listDirectory } from '../../tree/file-tree';
import { SortedFiles } from '../../tree/sorted-files';
import { browserRowsOf } from '../grid/rows';
import { archivePathsOf, directoryPaths } from './archive-paths';

const entry = (key: string): FileEntry => ({ key, size: 1, etag: '"1"', modified_at: '2026-03-01T00:00:00.000Z' });
const filesOf = (...keys: string[]): SortedFiles => SortedFiles.of(keys.map(entry));
const rowsOf = (files: SortedFiles, directory: string) => browserRowsOf(listDirectory(files, directory));

describe('archivePathsOf', () => {
  it('names files by their keys and directories by the prefixes that have files', () => {
    const files = filesOf('a.md', 'both/1', 'plain/2', 'workspace/b.md', 'workspace/both/3', 'workspace/hidden/4');
    expect(archivePathsOf(rowsOf(files, ''), files).toSorted()).toEqual([
      'a.md',
      'both/',
      'plain/',
      'workspace/b.md',
      'workspace/both/',
      'workspace/hidden/',
    ]);
  });

  it('does not confuse a directory with a longer name', () => {
    expect(directoryPaths('report', filesOf('reports/a'))).toEqual([]);
  });

  it('names the root', () => {
    expect(directoryPaths('', filesOf('a'))).toEqual(['/']);
  });
});
