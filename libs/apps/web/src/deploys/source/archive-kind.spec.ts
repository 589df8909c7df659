import { describe, expect, it } from '@jest/globals';
import { archiveKind } from './archive-kind';

const ZIP = [0x50, 0x4b, 0x03, 0x04];
const EMPTY_ZIP = [0x50, 0x4b, 0x05, 0x06];
const GZIP = [0x1f, 0x8b, 0x08, 0x00];
const TEXT = [0x3c, 0x21, 0x64, 0x6f];

describe('archiveKind', () => {
  it.each([
    ['site.zip', ZIP, 'application/zip'],
    ['Site.ZIP', EMPTY_ZIP, 'application/zip'],
    ['site.tar.gz', GZIP, 'application/gzip'],
    ['site.tgz', GZIP, 'application/gzip'],
    // The bytes decide, not the name.
    ['site.zip', GZIP, 'application/gzip'],
    ['site.tgz', ZIP, 'application/zip'],
    ['download', ZIP, 'application/zip'],
    ['site.zip', TEXT, 'damaged'],
    ['site.tar.gz', [], 'damaged'],
    ['site.tar', TEXT, 'foreign'],
    ['site.tar.xz', TEXT, 'foreign'],
    ['site.tbz2', TEXT, 'foreign'],
    ['app.js.gz', GZIP, 'foreign'],
    ['site.rar', TEXT, 'foreign'],
    ['site.7z', TEXT, 'foreign'],
    ['index.html', TEXT, undefined],
    // A .docx is a ZIP archive inside, but not a site.
    ['report.docx', ZIP, undefined],
    ['zip', TEXT, undefined],
  ])('%s', (name, head, expected) => {
    expect(archiveKind(name, Uint8Array.from(head))).toBe(expected);
  });
});
