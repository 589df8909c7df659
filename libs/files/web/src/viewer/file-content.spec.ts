import { describe, expect, it } from '@jest/globals';
import { contentOf, fileKind, isKnownBinary } from './file-content';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('contentOf', () => {
  it.each([
    ['a.md', '# x', { kind: 'markdown', text: '# x' }],
    ['a.MDX', '# x', { kind: 'markdown', text: '# x' }],
    ['a.json', '{"a":1}', { kind: 'text', text: '{\n  "a": 1\n}' }],
    ['a.txt', '{"a":1}', { kind: 'text', text: '{"a":1}' }],
    ['Makefile', 'all:', { kind: 'text', text: 'all:' }],
    ['a.html', '<script>', { kind: 'text', text: '<script>' }],
    ['empty.json', '', { kind: 'text', text: '' }],
    ['empty', '', { kind: 'text', text: '' }],
  ])('%s', (name, text, content) => {
    expect(contentOf(name, bytes(text))).toEqual(content);
  });

  it('shows invalid JSON raw, with a notice', () => {
    expect(contentOf('a.json', bytes('{"a":'))).toMatchObject({
      text: '{"a":',
      notice: expect.stringContaining('not valid'),
    });
  });

  it('tells bytes that are no text apart, whatever the name says', () => {
    expect(contentOf('a.md', Uint8Array.of(0x23, 0, 0x23))).toEqual({ kind: 'binary' });
    expect(contentOf('a.txt', Uint8Array.of(0xc3, 0x28))).toEqual({ kind: 'binary' });
  });

  it('reads what a byte order mark announces', () => {
    expect(contentOf('a', Uint8Array.of(0xff, 0xfe, 0x41, 0))).toEqual({ kind: 'text', text: 'A' });
    expect(contentOf('a', Uint8Array.of(0xfe, 0xff, 0, 0x41))).toEqual({ kind: 'text', text: 'A' });
    expect(contentOf('a', Uint8Array.of(0xef, 0xbb, 0xbf, 0x41))).toEqual({ kind: 'text', text: 'A' });
  });
});

describe('what is known without reading', () => {
  it.each(['image/png', 'video/mp4', 'application/pdf', 'application/zip'])('%s is no text', (type) => {
    expect(isKnownBinary(type)).toBe(true);
  });

  it.each(['', 'image/svg+xml', 'text/plain', 'application/json', 'application/octet-stream'])(
    '"%s" may be',
    (type) => {
      expect(isKnownBinary(type)).toBe(false);
    },
  );

  it.each([
    ['a.png', 'image/png', 'PNG image'],
    ['a.bin', 'application/octet-stream', 'BIN file'],
    ['a', '', 'File'],
  ])('%s, %s is a %s', (name, type, words) => {
    expect(fileKind(name, type)).toBe(words);
  });
});
