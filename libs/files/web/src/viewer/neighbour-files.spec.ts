// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { describe, expect, it } from '@jest/globals';
import { SortedFiles } from '../tree/sorted-files';
import { BY_NAME } from '../tree/sort-rows';
import { neighbourFiles } from './neighbour-files';

const files = SortedFiles.of(
  [
    ['docs/a.md', 3],
    ['docs/b.txt', 1],
    ['docs/c.md', 2],
    ['docs/deep/d.md', 1],
    ['single/x.md', 1],
  ].map(([key, size]) => ({ key: String(key), size: Number(size), etag: '"1"', modified_at: '2026-11-01T00:00:00Z' })),
);
const byName = { order: BY_NAME, filter: '' };

describe('neighbourFiles', () => {
  it('stays in the directory, in the order of its list', () => {
    expect(neighbourFiles(files, 'docs/b.txt', byName)).toEqual({ previous: 'docs/a.md', next: 'docs/c.md' });
    expect(neighbourFiles(files, 'docs/a.md', byName)).toEqual({ previous: undefined, next: 'docs/b.txt' });
    const bySize = { order: { field: 'size', descending: true }, filter: '' } as const;
    expect(neighbourFiles(files, 'docs/c.md', bySize)).toEqual({ previous: 'docs/a.md', next: 'docs/b.txt' });
  });

  it('skips the files that the list has filtered out', () => {
    const filtered = { ...byName, filter: '.md' };
    expect(neighbourFiles(files, 'docs/a.md', filtered)).toEqual({ previous: undefined, next: 'docs/c.md' });
    expect(neighbourFiles(files, 'docs/b.txt', filtered)).toEqual({ previous: 'docs/a.md', next: 'docs/c.md' });
  });

  it('finds no neighbour of the only file of a directory, and no unknown file', () => {
    expect(neighbourFiles(files, 'single/x.md', byName)).toEqual({ previous: undefined, next: undefined });
    expect(neighbourFiles(files, 'docs/none.md', byName)).toBeUndefined();
  });
});
