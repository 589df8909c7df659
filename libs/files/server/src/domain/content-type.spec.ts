import { describe, expect, it } from '@jest/globals';
import { contentDisposition, contentTypeFor } from './content-type';

describe('contentTypeFor', () => {
  it('keeps the declared type', () => {
    expect(contentTypeFor('a.md', 'text/x-special; charset=utf-8')).toBe('text/x-special; charset=utf-8');
  });

  it.each([
    ['a.md', 'text/markdown'],
    ['a.JSON', 'application/json'],
    ['a.png', 'image/png'],
    ['a.ts', 'text/typescript'],
    ['a.d.mts', 'text/typescript'],
    ['a.CTS', 'text/typescript'],
    ['a.tsx', 'text/typescript'],
    ['a.mht', 'message/rfc822'],
    ['a', 'application/octet-stream'],
    ['a.unknown-kind', 'application/octet-stream'],
  ])('derives the type from the extension of %s', (path, type) => {
    expect(contentTypeFor(path, undefined)).toBe(type);
  });

  it.each(['text/plain; a="b; c=d, e"', 'text/plain ; a=""', 'text/plain;a=b;c="d"', 'a/b\t;\tc=d'])(
    'keeps %j',
    (sent) => {
      expect(contentTypeFor('a.md', sent)).toBe(sent);
    },
  );

  it.each([
    'text/plain; a="b',
    'text/plain; a="b"c',
    'text/plain; a="\\""',
    'text/plain;',
    'text/ plain',
    'a/b\u00a0;c=d',
    '*/*',
    'text/*',
  ])('does not store %j', (sent) => {
    expect(contentTypeFor('a.md', sent)).toBe('text/markdown');
  });

  it('accepts types of up to 255 characters', () => {
    const type = (length: number) => `a/${'b'.repeat(length - 2)}`;
    expect(contentTypeFor('a.md', type(255))).toBe(type(255));
    expect(contentTypeFor('a.md', type(256))).toBe('text/markdown');
  });

  it.each([
    ['halves of quoted parameters', 'a/b;a="', 'x"'],
    ['semicolons', 'a/', ';'],
    ['blanks', 'a/b', ' '],
    ['parameters', 'a/b', ';a=b'],
    ['empty quotes', 'a/b;a=', '""'],
  ])('takes no excessive time for many %s', (_what, start, repeated) => {
    for (const times of [100, 100_000]) {
      expect(contentTypeFor('a', `${start}${repeated.repeat(times)}\n`)).toBe('application/octet-stream');
    }
  });

  it.each(['', 'nonsense', 'text/html\r\nx: y', 'text/html; a'])('does not store %j', (sent) => {
    expect(contentTypeFor('a.md', sent)).toBe('text/markdown');
  });
});

describe('contentDisposition', () => {
  it.each(['text/plain', 'text/markdown; charset=utf-8', 'APPLICATION/JSON', 'image/png', 'text/csv', 'image/avif'])(
    'shows %s inline',
    (type) => {
      expect(contentDisposition('a', type, false)).toMatch(/^inline;/);
    },
  );

  it.each([
    'text/html',
    'image/svg+xml',
    'application/pdf',
    'application/xhtml+xml',
    'text/xml',
    'text/html;x=text/plain',
  ])('downloads %s', (type) => {
    expect(contentDisposition('a', type, false)).toMatch(/^attachment;/);
  });

  it('downloads any type when a download is forced', () => {
    expect(contentDisposition('a.md', 'text/markdown', true)).toMatch(/^attachment;/);
  });

  it('escapes the file name in the header', () => {
    expect(contentDisposition('a"b\\ü;🎉.md', 'text/plain', false)).toBe(
      'inline; filename="a_b__;__.md"; filename*=UTF-8\'\'a%22b%5C%C3%BC%3B%F0%9F%8E%89.md',
    );
  });
});
