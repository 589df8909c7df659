// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { describe, expect, it } from '@jest/globals';
import type { ArchivePlan } from './archive-plan';
import { validateArchive, invalidArchiveMessage, validateFiles } from './source-validation';

const MIB = 1024 * 1024;
const LIMITS = { archive_bytes: 100 * MIB, unpacked_bytes: 500 * MIB, files: 20_000, file_bytes: 50 * MIB };
const file = (size: number) => ({ path: 'site/film.mp4', file: { name: 'film.mp4', size } as File });
const list = (more: Partial<ArchivePlan>): ArchivePlan => ({
  name: 'dist',
  files: [file(1)],
  ignoredFiles: [],
  bytes: 1,
  hasIndex: true,
  ...more,
});

describe('validateFiles', () => {
  it.each([
    [{}, undefined],
    [{ files: [] }, 'The selection contains no files.'],
    [
      { files: [], ignoredFiles: ['dist/.DS_Store'] },
      'The selection contains only ignored files, such as dist/.DS_Store.',
    ],
    [{ files: Array.from({ length: 20_000 }, () => file(1)) }, undefined],
    [
      { files: Array.from({ length: 20_001 }, () => file(1)) },
      'The selection has 20,001 files; a deploy can have at most 20,000.',
    ],
    [{ files: [file(50 * MIB)] }, undefined],
    [{ files: [file(1), file(60 * MIB)] }, 'film.mp4 is 60 MiB. A file can be up to 50 MiB.'],
    [{ bytes: 500 * MIB }, undefined],
    [{ bytes: 600 * MIB }, 'The files are 600 MiB in total. A deploy can be up to 500 MiB.'],
  ])('case %#', (more, expected) => {
    expect(validateFiles(list(more), LIMITS)).toBe(expected);
  });
});

describe('validateArchive', () => {
  it('accepts any size while the limits are unknown', () => {
    expect(validateArchive('site.zip', 10_000 * MIB)).toBeUndefined();
    expect(validateFiles(list({ bytes: 10_000 * MIB }))).toBeUndefined();
  });

  it('checks the archive size against the limit', () => {
    expect(validateArchive('site.zip', 100 * MIB, LIMITS)).toBeUndefined();
    expect(validateArchive('site.zip', 120 * MIB, LIMITS)).toBe(
      'site.zip is 120 MiB. An archive can be up to 100 MiB.',
    );
  });
});

describe('invalidArchiveMessage', () => {
  it.each([
    ['damaged', 'site.zip is damaged or not an archive.'],
    ['foreign', 'site.zip cannot be unpacked here. Choose a .zip or a .tar.gz.'],
    [undefined, 'site.zip is not an archive. Choose a folder, a .zip or a .tar.gz.'],
  ] as const)('%s', (how, expected) => {
    expect(invalidArchiveMessage('site.zip', how)).toBe(expected);
  });
});
