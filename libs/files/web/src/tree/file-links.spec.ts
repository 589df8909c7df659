// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { describe, expect, it } from '@jest/globals';
import { DefaultUrlSerializer, PRIMARY_OUTLET, type UrlSegment } from '@angular/router';
import { filePathOf, parseRawFilePath } from '@homeport/files/contracts';
import fc from 'fast-check';
import { directoryLink, fileApiUrl, pathFromSegments, viewLink, viewUrl } from './file-links';

const router = new DefaultUrlSerializer();
const segmentsOf = (url: string): readonly UrlSegment[] =>
  router.parse(url).root.children[PRIMARY_OUTLET]?.segments ?? [];

const specialNames = [
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
  .oneof(fc.constantFrom(...specialNames), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }))
  .filter((text) => !text.includes('/') && 'path' in filePathOf([text]))
  .map((text) => text.normalize('NFC'));
const key = fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => segments.join('/'));

describe('the URL of a file', () => {
  it('resolves to the key in the router', () => {
    fc.assert(
      fc.property(key, (path) => {
        expect(pathFromSegments(segmentsOf(viewUrl(path)))).toBe(path);
        // The URL that the router writes into the address bar resolves to the same key.
        expect(pathFromSegments(segmentsOf(router.serialize(router.parse(viewUrl(path)))))).toBe(path);
      }),
      { numRuns: 1000 },
    );
  });

  it('resolves to the key on the server', () => {
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
  it('pass each segment separately', () => {
    expect(viewLink('a/b c.md')).toEqual(['/view', 'a', 'b c.md']);
    expect(directoryLink('')).toEqual(['/files']);
    expect(directoryLink('a/b')).toEqual(['/files', 'a', 'b']);
    expect(directoryLink('workspace/a')).toEqual(['/files', 'workspace', 'workspace', 'a']);
  });
});
