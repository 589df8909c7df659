import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findPathConflicts, commonFolder, parseEntryName } from './site-path';

describe('parseEntryName', () => {
  it.each([
    ['index.html', 'index.html'],
    ['./index.html', 'index.html'],
    ['a/b/c.js', 'a/b/c.js'],
    ['.well-known/x', '.well-known/x'],
    ['...', '...'],
    ['a..b/c..', 'a..b/c..'],
    ['%2e%2e/x', '%2e%2e/x'],
    ['e\u0301.html', '\u00e9.html'],
    ['__proto__', '__proto__'],
    ['ab:c', 'ab:c'],
  ])('reads %j as %j', (name, path) => {
    expect(parseEntryName(name, 'file')).toEqual({ path });
  });

  it.each([
    ['./', ''],
    ['.', ''],
    ['a/', 'a'],
    ['./a/', 'a'],
    ['a', 'a'],
  ])('reads the folder %j as %j', (name, path) => {
    expect(parseEntryName(name, 'folder')).toEqual({ path });
  });

  it.each([
    ['', 'The name is empty.'],
    ['./', 'The name is empty.'],
    ['a/', 'The name has an empty segment.'],
    ['../a', 'The name leaves the site with "..".'],
    ['a/..', 'The name leaves the site with "..".'],
    ['././a', 'The name has a "." segment.'],
    ['/a', 'The name is an absolute path.'],
    ['./C:a', 'The name is an absolute path: it starts with a drive letter.'],
    ['\u212a:a', 'The name is an absolute path: it starts with a drive letter.'],
    ['C:a', 'The name is an absolute path: it starts with a drive letter.'],
    ['a\\b', 'The name has a backslash. Folders are separated by "/".'],
    ['a\0b', 'The name has a NUL character.'],
    ['a\nb', 'The name has a control character.'],
    ['a\ufffd', 'The name is not valid UTF-8.'],
    ['a\ud800', 'The name is not valid UTF-8.'],
    ['x'.repeat(256), 'A segment of the name is longer than 255 bytes.'],
    [`${'x/'.repeat(512)}x`, 'The name is longer than 1,024 bytes.'],
  ])('rejects %j', (name, fault) => {
    expect(parseEntryName(name, 'file')).toEqual({ fault });
  });

  it('accepts at most 255 bytes per segment and 1,024 bytes in total', () => {
    const exact = `${'x'.repeat(254)}/`.repeat(3) + 'y'.repeat(255) + '/zzz';
    expect(parseEntryName(exact, 'file')).toEqual({ path: exact });
    expect(parseEntryName(`${exact}z`, 'file')).toHaveProperty('fault');
  });

  it('accepts its own output, and no path that leaves the site', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '.', '/', '\\', ':', '\0', 'e\u0301', '\ufffd', 'A') }),
        (name) => {
          const parsed = parseEntryName(name, 'file');
          if ('fault' in parsed) return;
          expect(parseEntryName(parsed.path, 'file')).toEqual(parsed);
          expect(new URL(`./${parsed.path}`, 'https://a.example/b/').href).toMatch(/^https:\/\/a\.example\/b\/./);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('commonFolder', () => {
  it.each<[string[], string | undefined]>([
    [['dist/a', 'dist/b/c'], 'dist'],
    [['.output/a'], '.output'],
    [['dist/a', 'b'], undefined],
    [['dist/a', 'distant/b'], undefined],
    [['dist'], undefined],
    [[], undefined],
    [['.well-known/a'], undefined],
    [['.git/HEAD', '.git/config'], undefined],
  ])('finds for %j the folder %s', (paths, folder) => {
    expect(commonFolder(paths)).toBe(folder);
  });
});

describe('findPathConflicts', () => {
  it('finds none between different names', () => {
    expect(findPathConflicts(['a', 'a.b', 'a!/b', 'b/a', 'B/c'], ['b', 'B', 'a!'])).toEqual([]);
  });

  it('names the conflicting paths', () => {
    expect(findPathConflicts(['a', 'A'], [])).toEqual([
      { path: 'A', reason: 'The name differs from "a" only in upper and lower case.' },
    ]);
    expect(findPathConflicts(['a', 'a', 'a/b'], []).map(({ reason }) => reason)).toEqual([
      'The name appears twice.',
      'The name is a file and a folder at once.',
    ]);
    expect(findPathConflicts(['a', 'a!', 'A/b'], [])).toHaveLength(1);
    expect(findPathConflicts(['A'], ['a'])).toEqual([
      { path: 'a', reason: 'The name is a file and a folder at once.' },
    ]);
  });
});
