// The router's published code is linked at run time outside a build.
import '@angular/compiler';
import { describe, expect, it } from '@jest/globals';
import { DefaultUrlSerializer, PRIMARY_OUTLET, type UrlSegment } from '@angular/router';
import { filePathOf, parseRawFilePath } from '@homeport/files/contracts';
import fc from 'fast-check';
import { directoryLink, fileApiUrl, pathFromSegments, viewLink, viewUrl } from './file-links';

const router = new DefaultUrlSerializer();
const segmentsOf = (url: string): readonly UrlSegment[] =>
  router.parse(url).root.children[PRIMARY_OUTLET]?.segments ?? [];

const hard = [
  '100% (final) #2; emoji 🎉?.md',
  'a+b',
  '(x)',
  'a;b=c',
  'x:y',
  '@',
  '&',
  "'",
  '"',
  ' ',
  '%2F',
  '%',
  '…',
  '$,=',
];
const segment = fc
  .oneof(fc.constantFrom(...hard), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }))
  .filter((text) => !text.includes('/') && 'path' in filePathOf([text]))
  .map((text) => text.normalize('NFC'));
const key = fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => segments.join('/'));

describe('the address of a file', () => {
  it('leads the router back to the key', () => {
    fc.assert(
      fc.property(key, (path) => {
        expect(pathFromSegments(segmentsOf(viewUrl(path)))).toBe(path);
        // What the router writes into the address bar leads back too.
        expect(pathFromSegments(segmentsOf(router.serialize(router.parse(viewUrl(path)))))).toBe(path);
      }),
      { numRuns: 1000 },
    );
  });

  it('leads the server back to the key', () => {
    fc.assert(
      fc.property(key, (path) => {
        const { pathname } = new URL(fileApiUrl(path), 'https://home.example');
        expect(parseRawFilePath(pathname.slice('/api/files/'.length))).toEqual({ path });
      }),
      { numRuns: 1000 },
    );
  });
});

describe('router commands', () => {
  it('keep the segments apart', () => {
    expect(viewLink('a/b c.md')).toEqual(['/view', 'a', 'b c.md']);
    expect(directoryLink('')).toEqual(['/files']);
    expect(directoryLink('a/b')).toEqual(['/files', 'a', 'b']);
    expect(directoryLink('workspace/a')).toEqual(['/files', 'workspace', 'workspace', 'a']);
  });
});
