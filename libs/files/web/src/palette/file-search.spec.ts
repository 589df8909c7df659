// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { Injector, ɵINJECTOR_SCOPE as INJECTOR_SCOPE, signal } from '@angular/core';
import { describe, expect, it } from '@jest/globals';
import { FileIndex } from '../client/file-index';
import { EmptyFolders } from '../folders/empty-folders';
import { CachedFilesClient } from '../offline/cached-files-client';
import { SortedFiles } from '../tree/sorted-files';
import { FileSearch } from './file-search';

const KEYS = ['workspace/reports/2026/q1.md', 'workspace/reports/q2.md', 'workspace/notes/report.md'];

/** The labels, hints and links of the results. */
async function found(query: string, limit = 10): Promise<readonly (readonly unknown[])[]> {
  const files = SortedFiles.of(KEYS.map((key) => ({ key, size: 1, etag: '"1"', modified_at: '2026-11-01T00:00:00Z' })));
  const injector = Injector.create({
    providers: [
      { provide: INJECTOR_SCOPE, useValue: 'root' },
      { provide: FileIndex, useValue: { files: signal(files), whenLoaded: () => Promise.resolve(files) } },
      { provide: EmptyFolders, useValue: { paths: signal(new Set(['plans/2027'])) } },
      { provide: CachedFilesClient, useValue: { isTruncated: () => false } },
    ],
  });
  const items = await injector.get(FileSearch).find(query, limit, new AbortController().signal);
  return items.map(({ label, hint, link }) => [label, hint, link?.join('/')]);
}

describe('FileSearch', () => {
  it('finds folders by their names, together with files', async () => {
    expect(await found('report')).toEqual([
      ['reports', 'Folder', expect.stringContaining('/files')],
      ['report.md', 'notes', expect.stringContaining('/view')],
      ['2026', 'Folder in reports', expect.anything()],
      ['q2.md', 'reports', expect.anything()],
      ['q1.md', 'reports/2026', expect.anything()],
    ]);
  });

  it('finds empty folders', async () => {
    expect(await found('2027')).toEqual([['2027', 'Folder in plans', '/files/plans/2027']]);
  });

  it('returns at most the limit', async () => {
    expect(await found('report', 2)).toHaveLength(2);
  });

  it('returns only files without a query', async () => {
    expect((await found('')).map(([label]) => label)).toEqual(expect.arrayContaining(['q1.md', 'q2.md', 'report.md']));
  });
});
