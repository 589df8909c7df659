// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { describe, expect, it } from '@jest/globals';
import type { SiteSource } from '../source/site-source';
import { missingIndexMessage, ignoredFilesMessage, noteFor, sourceName } from './source-messages';

const file = (path: string) => ({ path, file: new File(['x'], path) });
const archive: SiteSource = { kind: 'archive', name: 'site.zip', file: new File([], 'x'), type: 'application/zip' };
const folder = (more: object = {}): SiteSource => ({
  ...{ kind: 'files', name: 'dist', files: [file('site/index.html')], ignoredFiles: [], bytes: 1, hasIndex: true },
  ...more,
});

describe('messages about the source of a deploy', () => {
  it('are empty for an archive and a complete folder', () => {
    expect([archive, folder()].flatMap((source) => [ignoredFilesMessage(source), missingIndexMessage(source)])).toEqual(
      ['', '', '', ''],
    );
  });

  it('name the first ignored files', () => {
    expect(ignoredFilesMessage(folder({ ignoredFiles: ['.env'] }))).toMatch(/: \.env\.$/);
    expect(ignoredFilesMessage(folder({ ignoredFiles: ['.a', '.b', '.c', '.d', '.e'] }))).toMatch(
      /: \.a, \.b, \.c and 2 more\.$/,
    );
  });

  it('warn about a missing index page', () => {
    expect(missingIndexMessage(folder({ hasIndex: false }))).toMatch(/no index\.html/);
  });

  it.each([
    [archive, 'site.zip'],
    [folder(), 'dist'],
    [folder({ name: undefined }), 'site/index.html'],
    [folder({ name: undefined, files: [file('a'), file('b')] }), '2 files'],
  ])('name case %#', (source, name) => {
    expect(sourceName(source)).toBe(name);
  });

  it.each([
    [folder(), '  New prices ', 'New prices'],
    [folder(), ' ', 'dist'],
    [archive, '', 'site.zip'],
    [folder({ name: undefined }), '', 'site/index.html'],
    [folder({ name: undefined, files: [file('a'), file('b')] }), '', ''],
    [folder({ name: 'a\nb' }), '', 'a b'],
    [folder(), '😀'.repeat(201), '😀'.repeat(200)],
  ])('choose the note, case %#', (source, typed, note) => {
    expect(noteFor(source, typed)).toBe(note);
  });
});
