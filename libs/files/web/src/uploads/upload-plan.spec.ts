import { describe, expect, it } from '@jest/globals';
import { planUploads, resolveConflicts } from './upload-plan';

const existing = new Set(['d/a.md', 'd/a (2).md', 'd/sub/b.md']);
const target = { keyFor: (path: string) => `d/${path}`, isTaken: (key: string) => existing.has(key) };
const plan = (...paths: string[]) =>
  planUploads(
    paths.map((path) => ({ path, content: path })),
    target,
  );

describe('planUploads', () => {
  it('keeps relative paths and separates files whose names are in use', () => {
    const { ready, taken } = plan('a.md', 'sub/b.md', 'sub/c/d.md');
    expect(ready.map(({ key }) => key)).toEqual(['d/sub/c/d.md']);
    expect(taken.map(({ key }) => key)).toEqual(['d/a.md', 'd/sub/b.md']);
  });

  it('treats two Unicode forms of a name as the same name', () => {
    const { ready, taken } = plan('u\u0308.md', 'ü.md');
    expect([ready[0]?.key, taken[0]?.key]).toEqual(['d/ü.md', 'd/ü.md']);
  });

  it('ignores system files, and rejects only the files with invalid names', () => {
    const { ready, refused, ignored } = plan('x/.DS_Store', 'Thumbs.db', '.env', 'bad\\name', `${'x'.repeat(300)}.md`);
    expect(ignored).toBe(2);
    expect(ready.map(({ path }) => path)).toEqual(['.env']);
    expect(refused.map(({ fault }) => fault)).toEqual([
      'The path has a backslash.',
      'A segment of the path is longer than 255 bytes.',
    ]);
  });

  it('keeps special characters in names', () => {
    expect(plan('100% (final) #2; emoji 🎉?.md').ready[0]?.key).toBe('d/100% (final) #2; emoji 🎉?.md');
  });
});

describe('resolveConflicts', () => {
  const { taken } = plan('a.md', 'sub/b.md', 'a.md');

  it('replaces the existing files', () => {
    expect(resolveConflicts(taken, 'replace', target.isTaken).every(({ replace }) => replace)).toBe(true);
  });

  it('keeps both files under numbered names', () => {
    const items = resolveConflicts(taken, 'keep-both', target.isTaken);
    expect(items.map(({ key }) => key)).toEqual(['d/a (3).md', 'd/sub/b (2).md', 'd/a (4).md']);
    expect(items.some(({ replace }) => replace)).toBe(false);
  });

  it('skips the files', () => {
    expect(resolveConflicts(taken, 'skip', target.isTaken)).toEqual([]);
  });
});
