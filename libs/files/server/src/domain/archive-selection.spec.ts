import { describe, expect, it } from '@jest/globals';
import { archiveNameOf, parseSelection, pathInArchive, type SelectedPath } from './archive-selection';
import { FilePathRejected } from './files.errors';
import { workspaceRoot } from './workspace-key';

const root = workspaceRoot({ issuer: 'https://issuer.example', subject: 'ada' });
const parse = (...paths: string[]) => parseSelection(root, paths);

describe('parseSelection', () => {
  it('distinguishes files, folders and the whole workspace', () => {
    expect(parse('notes/a.md', 'reports/2026/', '/')).toEqual([
      { path: 'notes/a.md', key: `${root}notes/a.md` },
      { path: 'reports/2026/', prefix: `${root}reports/2026/` },
      { path: '', prefix: root },
    ]);
  });

  it('selects the same path once, in NFC', () => {
    expect(parse('u\u0308', 'ü', 'a/', 'a/').map(({ path }) => path)).toEqual(['ü', 'a/']);
  });

  it('does not decode paths', () => {
    expect(parse('100%25.md').map(({ path }) => path)).toEqual(['100%25.md']);
  });

  it.each(['', '..', '../', 'a/../b', '/a', '//', 'a//', './', 'a\\b', 'a\u0000', 'x'.repeat(256)])(
    'rejects %j',
    (path) => {
      expect(() => parse(path)).toThrow(FilePathRejected);
    },
  );
});

describe('names of an archive', () => {
  it.each([
    ['reports/2026/', 'reports/2026/q3/a.md', '2026/q3/a.md'],
    ['reports/', 'reports/a.md', 'reports/a.md'],
    ['/', 'reports/a.md', 'reports/a.md'],
    ['notes/deep/a.md', 'notes/deep/a.md', 'a.md'],
    ['a.md', 'a.md', 'a.md'],
  ])('of %s: %s is %s', (selected, path, name) => {
    expect(pathInArchive(parse(selected)[0] as SelectedPath, path)).toBe(name);
  });

  it.each([
    [['reports/2026/'], '2026.zip'],
    [['reports/', 'workspace/reports/'], 'reports.zip'],
    [['reports/', 'notes/'], 'files.zip'],
    [['reports/', 'a.md'], 'files.zip'],
    [['a.md'], 'files.zip'],
    [['/'], 'files.zip'],
  ])('the file of %j is %s', (paths, name) => {
    expect(archiveNameOf(parse(...paths))).toBe(name);
  });
});
