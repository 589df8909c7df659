import { describe, expect, it } from '@jest/globals';
import { diff } from '@codemirror/merge';
import fc from 'fast-check';
import { bytesOf, inFormOf, isMixed, readText, storedText, type StoredText } from './text-form';

const utf8 = new TextEncoder();
const read = (bytes: Uint8Array): StoredText => readText(bytes) as StoredText;
const piece = fc.constantFrom('a', 'bc', ' ', 'ü', '🎉', '\n', '\r\n', '\r', '\u2028', '');
const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

describe('readText', () => {
  it.each(['utf-8', 'utf-16le', 'utf-16be'] as const)('gives %s back byte for byte', (encoding) => {
    fc.assert(
      fc.property(text, fc.boolean(), (exact, marked) => {
        const bytes = bytesOf({ ...storedText(exact), encoding, marked: marked || encoding !== 'utf-8' });
        expect(bytesOf(read(bytes))).toEqual(bytes);
      }),
    );
  });

  it('refuses what is no text', () => {
    expect(readText(new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0xff]))).toBeUndefined();
    expect(readText(utf8.encode('a\0b'))).toBeUndefined();
    expect(readText(new Uint8Array([0xff, 0xfe, 0x41]))).toBeUndefined();
  });
});

describe('inFormOf', () => {
  const edit = (exact: string, lines: string): string => inFormOf(storedText(exact), lines, diff).exact;

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

  it('is the edited text whatever was edited, and the file itself when nothing was', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const stored = storedText(before);
        const lines = storedText(after).lines;
        const edited = inFormOf(stored, lines, diff);
        expect(storedText(edited.exact).lines).toBe(lines);
        expect(inFormOf(stored, stored.lines, diff)).toBe(stored);
      }),
      { numRuns: 2_000 },
    );
  });

  it('leaves the lines before and after an edit as they were', () => {
    fc.assert(
      fc.property(text, text, text, (head, middle, tail) => {
        const stored = storedText(`${head}\r\n<<>>\n${tail}`);
        fc.pre(isMixed(stored));
        const { lines } = storedText(`${head}\r\n<<${middle}>>\n${tail}`);
        const { exact } = inFormOf(stored, lines, diff);
        expect(exact.startsWith(`${head}\r\n<<`)).toBe(true);
        expect(exact.endsWith(`>>\n${tail}`)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});
