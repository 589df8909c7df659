// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { describe, expect, it } from '@jest/globals';
import { siteSource } from './site-source';

const ZIP = Uint8Array.of(0x50, 0x4b, 0x03, 0x04, 0x14);
const picked = (path: string, content: BlobPart = 'x') => ({
  path,
  file: new File([content], path.slice(path.lastIndexOf('/') + 1)),
});

describe('siteSource', () => {
  it('sends a single archive unchanged', async () => {
    const archive = picked('site.zip', ZIP);
    expect(await siteSource([archive])).toEqual({
      kind: 'archive',
      name: 'site.zip',
      file: archive.file,
      type: 'application/zip',
    });
  });

  it.each([
    [[picked('site.zip', 'x')], /damaged/],
    [[picked('site.rar')], /cannot be unpacked/],
    [[picked('photo.jpg')], /not an archive/],
    [[], /contains no files/],
    [[picked('dist/.DS_Store')], /only ignored files/],
  ])('rejects case %#', async (files, reason) => {
    expect(await siteSource(files)).toEqual({ kind: 'refused', reason: expect.stringMatching(reason) });
  });

  it.each([
    [[picked('index.html')], true],
    [[picked('dist/site.zip', ZIP)], false],
    [[picked('site.zip', ZIP), picked('index.html')], true],
  ])('packs case %#', async (files, hasIndex) => {
    expect(await siteSource(files)).toMatchObject({ kind: 'files', hasIndex });
  });
});
