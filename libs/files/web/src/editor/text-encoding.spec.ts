import { describe, expect, it } from '@jest/globals';
import { diff } from '@codemirror/merge';
import fc from 'fast-check';
import {
  encodeStoredText,
  withFormatOf,
  hasMixedLineEndings,
  decodeStoredText,
  storedText,
  type StoredText,
} from './text-encoding';

const utf8 = new TextEncoder();
const read = (bytes: Uint8Array): StoredText => decodeStoredText(bytes) as StoredText;
const part = fc.constantFrom('a', 'bc', ' ', 'ü', '🎉', '\n', '\r\n', '\r', '\u2028', '');
const text = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(''));

describe('decodeStoredText', () => {
  it.each(['utf-8', 'utf-16le', 'utf-16be'] as const)('encodes decoded %s to the same bytes', (encoding) => {
    fc.assert(
      fc.property(text, fc.boolean(), (exact, marked) => {
        const bytes = encodeStoredText({ ...storedText(exact), encoding, marked: marked || encoding !== 'utf-8' });
        expect(encodeStoredText(read(bytes))).toEqual(bytes);
      }),
    );
  });

  it('rejects bytes that are not text', () => {
    expect(decodeStoredText(new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0xff]))).toBeUndefined();
    expect(decodeStoredText(utf8.encode('a\0b'))).toBeUndefined();
    expect(decodeStoredText(new Uint8Array([0xff, 0xfe, 0x41]))).toBeUndefined();
  });
});

describe('withFormatOf', () => {
  const edit = (exact: string, lines: string): string => withFormatOf(storedText(exact), lines, diff).exact;

  it.each([
    ['a\r\nb', 'a\nb\nc', 'a\r\nb\r\nc'],
    ['a\nb\n', 'a\nx\nb\n', 'a\nx\nb\n'],
    ['a\rb', 'a\nb\n', 'a\rb\r'],
    ['no end', 'no end!', 'no end!'],
    ['', 'a\nb', 'a\nb'],
    ['a\r\nb\nc\r\nd', 'a\nb\nX\nc\nd', 'a\r\nb\nX\r\nc\r\nd'],
    ['one\ntwo\r\nthree\r\n', 'two\nthree\n', 'two\r\nthree\r\n'],
  ])('writes %j edited to %j as %j', (exact, lines, expected) => {
    expect(edit(exact, lines)).toBe(expected);
  });

  it('returns the edited text for any edit, and the stored text when nothing was edited', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const stored = storedText(before);
        const lines = storedText(after).normalized;
        const edited = withFormatOf(stored, lines, diff);
        expect(storedText(edited.exact).normalized).toBe(lines);
        expect(withFormatOf(stored, stored.normalized, diff)).toBe(stored);
      }),
      { numRuns: 2_000 },
    );
  });

  it('keeps the line breaks before and after an edit', () => {
    fc.assert(
      fc.property(text, text, text, (head, middle, tail) => {
        const stored = storedText(`${head}\r\n<<>>\n${tail}`);
        fc.pre(hasMixedLineEndings(stored));
        const { normalized } = storedText(`${head}\r\n<<${middle}>>\n${tail}`);
        const { exact } = withFormatOf(stored, normalized, diff);
        expect(exact.startsWith(`${head}\r\n<<`)).toBe(true);
        expect(exact.endsWith(`>>\n${tail}`)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
