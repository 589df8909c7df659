// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { describe, expect, it } from '@jest/globals';
import { listDirectory } from './file-tree';
import { SortedFiles } from './sorted-files';
import { parseSortOrder, sortParameter, sortRows, type SortOrder } from './sort-rows';

const entry = (key: string, size: number, day: number) => ({
  key,
  size,
  etag: '"e"',
  modified_at: `2026-11-1${day}T00:00:00Z`,
});
const directory = listDirectory(
  SortedFiles.of([
    entry('file 10', 5, 1),
    entry('file 2', 5, 2),
    entry('Beta', 9, 3),
    entry('z/1', 1, 1),
    entry('y/1', 1, 2),
  ]),
  '',
);
const names = (order: SortOrder): string[] => {
  const { directories, files } = sortRows(directory, order);
  return [...directories, ...files].map(({ name }) => name);
};

describe('sortRows', () => {
  it.each([
    ['name', false, ['y', 'z', 'Beta', 'file 2', 'file 10']],
    ['name', true, ['z', 'y', 'file 10', 'file 2', 'Beta']],
    ['modified', true, ['y', 'z', 'Beta', 'file 2', 'file 10']],
    ['size', false, ['y', 'z', 'file 2', 'file 10', 'Beta']],
  ] as const)('sorts by %s, descending: %s', (field, descending, expected) => {
    expect(names({ field, descending })).toEqual(expected);
  });
});

it.each(['modified', 'size'] as const)(
  'sorts directories that are not counted by name, before others by %s',
  (field) => {
    const counted = { name: 'counted', path: 'counted', files: 1, bytes: 1, modifiedAt: '2026-11-11T00:00:00Z' };
    const uncounted = ['b', 'a'].map((name) => ({ name, path: name }));
    const mixed = { path: '', directories: [...uncounted, counted], files: [] };
    const { directories } = sortRows(mixed, { field, descending: false });
    expect(directories.map(({ name }) => name)).toEqual(['a', 'b', 'counted']);
  },
);

describe('the sort order in a URL', () => {
  it.each([
    ['-modified', { field: 'modified', descending: true }],
    ['size', { field: 'size', descending: false }],
    ['-name', { field: 'name', descending: true }],
  ] as const)('%s', (parameter, order) => {
    expect(parseSortOrder(parameter)).toEqual(order);
    expect(sortParameter(order)).toBe(parameter);
  });

  it('is by name for an unknown parameter', () => {
    for (const parameter of [null, undefined, '', '-', 'colour', '--name']) {
      expect(sortParameter(parseSortOrder(parameter))).toBeUndefined();
    }
  });
});
