import { describe, expect, it } from '@jest/globals';
import { ArchiveNames } from './archive-names';

function namesOf(...paths: readonly string[]): string[] {
  const names = new ArchiveNames();
  return paths.map((path) => names.add(path));
}

describe('ArchiveNames', () => {
  it.each([
    ['reports/2026/q3.md', 'reports/2026/q3.md'],
    ['Größe/🎉.md', 'Größe/🎉.md'],
    ['u\u0308.md', 'ü.md'],
    ['10:30?.md', '10_30_.md'],
    ['<a>|"*\\\u0001', '_a______'],
    ['con/aux.txt/com1/lpt', 'con_/aux_.txt/com1_/lpt'],
    ['end./end /..', 'end_/end_/__'],
    ['../../etc/passwd', '__/__/etc/passwd'],
    ['/etc//passwd', 'etc/passwd'],
    ['', '_'],
  ])('names %j as %j', (path, name) => {
    expect(namesOf(path)).toEqual([name]);
  });

  it('numbers names that are taken, also in another case', () => {
    expect(namesOf('a.md', 'a.md', 'A.MD', '.env', '.env', 'a (2).md', 'x.tar.gz', 'x.tar.gz')).toEqual([
      'a.md',
      'a (2).md',
      'A (3).MD',
      '.env',
      '.env (2)',
      'a (2) (2).md',
      'x.tar.gz',
      'x.tar (2).gz',
    ]);
  });

  it('merges folders of one name, and separates a folder from a file of its name', () => {
    expect(namesOf('notes/a', 'Notes/a', 'notes/b', 'notes')).toEqual([
      'notes/a',
      'Notes/a (2)',
      'notes/b',
      'notes (2)',
    ]);
    expect(namesOf('notes', 'notes/a', 'notes/b/c', 'notes/b')).toEqual([
      'notes',
      'notes (2)/a',
      'notes (2)/b/c',
      'notes (2)/b (2)',
    ]);
  });

  it('shortens a name that is too long with its number', () => {
    const [, name = ''] = namesOf(`${'ü'.repeat(126)}.md`, `${'ü'.repeat(126)}.md`);
    expect(name).toBe(`${'ü'.repeat(124)} (2).md`);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
  });

  it('numbers many equal names and files in numbered folders in linear time', () => {
    const names = namesOf(
      ...Array.from({ length: 20_000 }, () => 'same'),
      ...Array.from({ length: 20_000 }, (_, at) => `same/${at}`),
    );
    expect(names[19_999]).toBe('same (20000)');
    expect(names.at(-1)).toBe('same (20001)/19999');
    expect(new Set(names).size).toBe(40_000);
  });
});
