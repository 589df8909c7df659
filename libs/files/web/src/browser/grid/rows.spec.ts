import { expect, it } from '@jest/globals';
import type { FileEntry } from '@homeport/files/contracts';
import { listDirectory } from '../../tree/file-tree';
import { SortedFiles } from '../../tree/sorted-files';
import { filesOf, browserRowsOf, filterRows } from './rows';

const file = (key: string): FileEntry => ({ key, size: 1, etag: '"e"', modified_at: '2026-11-01T00:00:00Z' });
const files = SortedFiles.of(
  ['b/1', 'b/c/2', 'Plan.md', 'über.md', 'workspace/Plan.md', 'workspace/b/3'].map((key) => file(key)),
);
const rows = browserRowsOf(listDirectory(files, ''));

it('lists directories and files, each with a unique id', () => {
  expect(rows.map(({ id }) => id)).toEqual(['d/b', 'f/Plan.md', 'f/über.md', 'f/workspace/Plan.md']);
  expect(rows.filter((row) => row.entry && row.isDuplicate).map(({ name }) => name)).toEqual(['Plan.md', 'Plan.md']);
});

it('finds rows by any part of their names', () => {
  expect(filterRows(rows, 'PLAN').length).toBe(2);
  expect(filterRows(rows, 'u\u0308ber').map(({ name }) => name)).toEqual(['über.md']);
  expect(filterRows(rows, '')).toBe(rows);
  expect(filterRows(rows, 'nothing')).toEqual([]);
});

it('resolves rows to all files they contain', () => {
  const picked = rows.filter(({ name }) => name !== 'über.md');
  expect(filesOf(picked, files).map(({ key }) => key)).toEqual([
    'b/1',
    'b/c/2',
    'workspace/b/3',
    'Plan.md',
    'workspace/Plan.md',
  ]);
});
