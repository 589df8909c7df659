// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { describe, expect, it } from '@jest/globals';
import type { FileEntry } from '@homeport/files/contracts';
import { toGridRow } from './grid-row';

const entryOf = (key: string): FileEntry => ({ key, size: 1, etag: '"1"', modified_at: '2026-11-01T00:00:00Z' });

describe('toGridRow', () => {
  it.each([
    ['report.md', 'report', '.md'],
    ['a.tar.gz', 'a.tar', '.gz'],
    ['.env', '.env', ''],
    ['README', 'README', ''],
    ['Dr. No', 'Dr. No', ''],
    ['x.averylongextension', 'x.averylongextension', ''],
  ])('splits %s into %s and %s', (name, stem, extension) => {
    const row = toGridRow({ id: name, name, entry: entryOf(name), isDuplicate: false }, 0);
    expect([row.stem, row.extension, row.label]).toEqual([stem, extension, name]);
  });

  it('does not split the name of a directory', () => {
    const row = toGridRow({ id: 'd', name: 'v1.2', directory: { name: 'v1.2', path: 'v1.2' } }, 0);
    expect([row.stem, row.extension, row.kind]).toEqual(['v1.2', '', 'folder']);
  });
});
