import { describe, expect, it } from '@jest/globals';
import type { FileEntry } from '@homeport/files/contracts';
import { availableKey, isWithin, planMove, withDisplayPath, parseTypedPath } from './rename-plan';

const file = (key: string): FileEntry => ({ key, size: 1, etag: '"e"', modified_at: '2026-11-01T00:00:00Z' });

describe('planMove', () => {
  it('keeps the workspace segment of a key', () => {
    expect(withDisplayPath('workspace/a/b.md', 'c.md')).toBe('workspace/c.md');
    expect(withDisplayPath('a/b.md', 'c/d.md')).toBe('c/d.md');
  });

  it('moves all files of a directory', () => {
    const entries = [file('a/1'), file('a/b/2'), file('workspace/a/3')];
    expect(planMove(entries, 'a', 'x/y').map(({ to }) => to)).toEqual(['x/y/1', 'x/y/b/2', 'workspace/x/y/3']);
    expect(planMove([file('a/1.md')], 'a/1.md', '2.md').map(({ to }) => to)).toEqual(['2.md']);
  });

  it('detects whether a directory is within another', () => {
    expect([isWithin('a', 'a'), isWithin('a/b', 'a'), isWithin('ab', 'a')]).toEqual([true, true, false]);
  });
});

it.each([
  ['a/plan.md', [], 'a/plan (2).md'],
  ['a/plan.md', ['a/plan (2).md'], 'a/plan (3).md'],
  ['.env', [], '.env (2)'],
  ['a.b/name', [], 'a.b/name (2)'],
  ['x.tar.gz', [], 'x.tar (2).gz'],
])('the available name for %s next to %j is %s', (key, taken, free) => {
  expect(availableKey(key, (each) => (taken as readonly string[]).includes(each))).toBe(free);
});

it('parses a typed path', () => {
  expect(parseTypedPath('', 'a.md')).toEqual({ path: 'a.md' });
  expect(parseTypedPath('x', 'notes/u\u0308.md')).toEqual({ path: 'x/notes/ü.md' });
  expect(parseTypedPath('x', 'a//b')).toEqual({ fault: 'The path has an empty segment.' });
});
