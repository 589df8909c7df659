import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { encodeFilePath, filePathOf, parseFilePrefix, parseRawFilePath } from './file-path';

describe('parseRawFilePath', () => {
  it.each([
    ['a.md', 'a.md'],
    ['threads/2026/a.md', 'threads/2026/a.md'],
    ['100%25%20(final)%20%232%3B%20emoji%20%F0%9F%8E%89%3F.md', '100% (final) #2; emoji 🎉?.md'],
    ['a+b', 'a+b'],
    ['%41', 'A'],
    ['%252e%252e', '%2e%2e'],
    ['u%CC%88', 'ü'],
    ['...', '...'],
    ['.hidden', '.hidden'],
    ['a%3Fb', 'a?b'],
    ['__proto__', '__proto__'],
  ])('parses %s as %s', (raw, path) => {
    expect(parseRawFilePath(raw)).toEqual({ path });
  });

  it.each([
    ['', 'The path is empty.'],
    ['/a', 'The path has an empty segment.'],
    ['a/', 'The path has an empty segment.'],
    ['a//b', 'The path has an empty segment.'],
    ['.', 'The path has a "." or ".." segment.'],
    ['..', 'The path has a "." or ".." segment.'],
    ['a/../b', 'The path has a "." or ".." segment.'],
    ['a/./b', 'The path has a "." or ".." segment.'],
    ['%2e%2e/b', 'The path has a "." or ".." segment.'],
    ['%2E', 'The path has a "." or ".." segment.'],
    ['a%5Cb', 'The path has a backslash.'],
    ['a\\b', 'The path has a backslash.'],
    ['a%00b', 'The path has a control character.'],
    ['a%0Ab', 'The path has a control character.'],
    ['a%7Fb', 'The path has a control character.'],
    ['a%C2%80b', 'The path has a control character.'],
    ['a%2Fb', 'The path has an encoded slash.'],
    ['..%2f..%2fb', 'The path has an encoded slash.'],
    ['%', 'The path has a "%" that is not a valid UTF-8 escape.'],
    ['%zz', 'The path has a "%" that is not a valid UTF-8 escape.'],
    ['%C0%AF', 'The path has a "%" that is not a valid UTF-8 escape.'],
    ['%FF', 'The path has a "%" that is not a valid UTF-8 escape.'],
    ['%ED%A0%80', 'The path has a "%" that is not a valid UTF-8 escape.'],
    ['x'.repeat(256), 'A segment of the path is longer than 255 bytes.'],
    ['%C3%BC'.repeat(128), 'A segment of the path is longer than 255 bytes.'],
    [`${'x'.repeat(255)}/`.repeat(4) + 'x', 'The path is longer than 1,024 bytes.'],
  ])('rejects %s', (raw, fault) => {
    expect(parseRawFilePath(raw)).toEqual({ fault });
  });

  it('accepts segments of 255 bytes and paths of 1,024 bytes', () => {
    const longest = `${'x'.repeat(255)}/`.repeat(3) + 'y'.repeat(255) + '/z';
    expect(parseRawFilePath(longest.slice(0, 1024))).toEqual({ fault: 'The path has an empty segment.' });
    const exact = `${'x'.repeat(254)}/`.repeat(3) + 'y'.repeat(255) + '/zzz';
    expect(new TextEncoder().encode(exact)).toHaveLength(1024);
    expect(parseRawFilePath(exact)).toEqual({ path: exact });
    expect(parseRawFilePath(`${exact}z`)).toEqual({ fault: 'The path is longer than 1,024 bytes.' });
  });

  it('parses every encoded path back to the same path', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 6 }), (segments) => {
        const parsed = filePathOf(segments);
        if ('fault' in parsed) return;
        expect(parseRawFilePath(encodeFilePath(parsed.path))).toEqual(parsed);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('filePathOf', () => {
  it('rejects invalid paths and text that is not well-formed', () => {
    expect(filePathOf([])).toEqual({ fault: 'The path is empty.' });
    expect(filePathOf(['\udc00'])).toHaveProperty('fault');
    expect(filePathOf(['a', '/'])).toEqual({ fault: 'The path has an encoded slash.' });
    expect(parseFilePrefix('a\ud800')).toHaveProperty('fault');
  });
});

describe('parseFilePrefix', () => {
  it.each(['', 'a', 'a/', 'a/b', 'a/b/', 'thr'])('accepts %j', (prefix) => {
    expect(parseFilePrefix(prefix)).toEqual({ path: prefix });
  });

  it('normalizes the prefix to NFC', () => {
    expect(parseFilePrefix('u\u0308/')).toEqual({ path: 'ü/' });
  });

  it.each(['/', '/a', 'a//', 'a//b', '../', 'a/../', './a', 'a\\', 'a\u0000', 'x'.repeat(256)])(
    'rejects %j',
    (prefix) => {
      expect(parseFilePrefix(prefix)).toHaveProperty('fault');
    },
  );

  it('includes the trailing slash in the length limit', () => {
    const exact = `${'x'.repeat(254)}/`.repeat(3) + 'y'.repeat(255) + '/zzz';
    expect(parseFilePrefix(`${exact.slice(0, -1)}/`)).toHaveProperty('path');
    expect(parseFilePrefix(`${exact}/`)).toEqual({ fault: 'The path is longer than 1,024 bytes.' });
  });
});
