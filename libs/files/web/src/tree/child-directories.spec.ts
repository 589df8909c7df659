import { describe, expect, it } from '@jest/globals';
import { childDirectories } from './child-directories';
import { SortedFiles } from './sorted-files';

const filesOf = (...keys: readonly string[]) =>
  SortedFiles.of(keys.map((key) => ({ key, size: 1, etag: '"1"', modified_at: '2026-11-01T00:00:00Z' })));

describe('childDirectories', () => {
  it('lists the directories of one level', () => {
    const files = filesOf('a.md', 'b/1.md', 'b/c/2.md', 'b-2/3.md', 'b/d/4.md', 'b0', 'z/5.md');
    expect([...childDirectories(files, '')]).toEqual(['b-2', 'b', 'z']);
    expect([...childDirectories(files, 'b')]).toEqual(['c', 'd']);
    expect([...childDirectories(files, 'b/c')]).toEqual([]);
    expect([...childDirectories(files, 'none')]).toEqual([]);
  });

  it('shows the contents of the workspace segment instead of the segment', () => {
    const files = filesOf('b/1.md', 'workspace/b/2.md', 'workspace/w/3.md', 'workspace/workspace/x/4.md');
    expect(new Set(childDirectories(files, ''))).toEqual(new Set(['b', 'w', 'workspace']));
    expect([...childDirectories(files, 'workspace')]).toEqual(['x']);
  });

  it('reads one key of each directory', () => {
    const keys = Array.from({ length: 3_000 }, (_, index) => `d${index % 3}/file ${index}.md`);
    let reads = 0;
    const entries = keys.map((key) => ({
      get key() {
        reads += 1;
        return key;
      },
      size: 1,
      etag: '"1"',
      modified_at: '',
    }));
    const files = SortedFiles.of(entries);
    reads = 0;
    expect([...childDirectories(files, '')]).toEqual(['d0', 'd1', 'd2']);
    expect(reads).toBeLessThan(200);
  });
});
