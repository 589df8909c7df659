import { describe, expect, it } from '@jest/globals';
import { planUploads, resolveConflicts } from './upload-plan';

const there = new Set(['d/a.md', 'd/a (2).md', 'd/sub/b.md']);
const place = { keyFor: (path: string) => `d/${path}`, isTaken: (key: string) => there.has(key) };
const plan = (...paths: string[]) =>
  planUploads(
    paths.map((path) => ({ path, content: path })),
    place,
  );

describe('a plan', () => {
  it('keeps relative paths and tells what is taken', () => {
    const { ready, taken } = plan('a.md', 'sub/b.md', 'sub/c/d.md');
    expect(ready.map(({ key }) => key)).toEqual(['d/sub/c/d.md']);
    expect(taken.map(({ key }) => key)).toEqual(['d/a.md', 'd/sub/b.md']);
  });

  it('takes one name in two forms for one', () => {
    const { ready, taken } = plan('u\u0308.md', 'ü.md');
    expect([ready[0]?.key, taken[0]?.key]).toEqual(['d/ü.md', 'd/ü.md']);
  });

  it('leaves out litter, and lets one bad name stop no other', () => {
    const { ready, refused, ignored } = plan('x/.DS_Store', 'Thumbs.db', '.env', 'bad\\name', `${'x'.repeat(300)}.md`);
    expect(ignored).toBe(2);
    expect(ready.map(({ path }) => path)).toEqual(['.env']);
    expect(refused.map(({ fault }) => fault)).toEqual([
      'The path has a backslash.',
      'A segment of the path is longer than 255 bytes.',
    ]);
  });

  it('stores hard names as they are', () => {
    expect(plan('100% (final) #2; emoji 🎉?.md').ready[0]?.key).toBe('d/100% (final) #2; emoji 🎉?.md');
  });
});

describe('names that are taken', () => {
  const { taken } = plan('a.md', 'sub/b.md', 'a.md');

  it('are replaced', () => {
    expect(resolveConflicts(taken, 'replace', place.isTaken).every(({ replace }) => replace)).toBe(true);
  });

  it('are kept beside', () => {
    const items = resolveConflicts(taken, 'keep-both', place.isTaken);
    expect(items.map(({ key }) => key)).toEqual(['d/a (3).md', 'd/sub/b (2).md', 'd/a (4).md']);
    expect(items.some(({ replace }) => replace)).toBe(false);
  });

  it('are skipped', () => {
    expect(resolveConflicts(taken, 'skip', place.isTaken)).toEqual([]);
  });
});
