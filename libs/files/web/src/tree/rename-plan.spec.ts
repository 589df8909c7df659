import { describe, expect, it } from '@jest/globals';
import type { FileEntry } from '@homeport/files/contracts';
import {
  availableKey,
  checkMoves,
  isWithin,
  planMove,
  resolveMoves,
  withDisplayPath,
  parseTypedPath,
} from './rename-plan';

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

describe('moves to names in use', () => {
  const existing = new Map([['x/1.md', file('x/1.md')]]);
  const find = (key: string) => existing.get(key);
  const steps = ['a/1.md', 'a/2.md', 'b/2.md'].map((key) => ({
    entry: file(key),
    to: `x/${key.slice(2)}`,
  }));
  const checked = checkMoves(steps, (key) => existing.has(key));
  const resolved = (choice: 'replace' | 'keep-both' | 'skip') =>
    resolveMoves(checked, choice, find).map(({ entry, to, replaces }) => [entry.key, to, replaces]);

  it('are those of existing files and of other moves', () => {
    expect(checked.free.map(({ to }) => to)).toEqual(['x/2.md']);
    expect(checked.taken.map(({ entry }) => entry.key)).toEqual(['a/1.md', 'b/2.md']);
  });

  it('are skipped', () => {
    expect(resolved('skip')).toEqual([['a/2.md', 'x/2.md', undefined]]);
  });

  it('get a number', () => {
    expect(resolved('keep-both').slice(1)).toEqual([
      ['a/1.md', 'x/1 (2).md', undefined],
      ['b/2.md', 'x/2 (2).md', undefined],
    ]);
  });

  it('replace existing files, but no file of the same move', () => {
    expect(resolved('replace').slice(1)).toEqual([
      ['a/1.md', 'x/1.md', '"e"'],
      ['b/2.md', 'x/2 (2).md', undefined],
    ]);
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
