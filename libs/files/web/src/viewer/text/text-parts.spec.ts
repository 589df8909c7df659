import { describe, expect, it } from '@jest/globals';
import { decodeText, type TextEncoding } from './decode-text';
import { PART_BYTES, partAt, partBytes, partCount, partRange } from './text-parts';

function parts(file: Uint8Array, encoding: TextEncoding): Uint8Array[] {
  return Array.from({ length: partCount(file.length) }, (_, part) => {
    const { first, last } = partRange(part, file.length);
    return partBytes(file.subarray(first, last + 1), part, file.length, encoding);
  });
}

function expectWhole(file: Uint8Array, found: readonly Uint8Array[]): void {
  let at = 0;
  let differences = 0;
  // An index, because calling a function for each of millions of bytes takes seconds.
  for (const part of found) {
    for (let offset = 0; offset < part.length; offset += 1) if (part[offset] !== file[at + offset]) differences += 1;
    at += part.length;
  }
  expect([differences, at]).toEqual([0, file.length]);
}

function utf16(text: string, littleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let at = 0; at < text.length; at += 1) view.setUint16(at * 2, text.charCodeAt(at), littleEndian);
  return new Uint8Array(view.buffer);
}

describe('partBytes', () => {
  it('covers the whole file, and begins each part with a line', () => {
    const file = new TextEncoder().encode('äöü 🎉 a line\r\n'.repeat(400_000));
    const found = parts(file, 'utf-8');
    expect(found).toHaveLength(4);
    expectWhole(file, found);
    for (const part of found) {
      expect(part[0]).toBe(0xc3);
      expect(part.at(-1)).toBe(10);
    }
  });

  it.each([0, 1, 2, 3])('does not split a character in a very long line (%i)', (shift) => {
    const file = new TextEncoder().encode('a'.repeat(shift) + '🎉'.repeat(1_200_000));
    const found = parts(file, 'utf-8');
    expectWhole(file, found);
    for (const part of found) expect(decodeText(part)?.encoding).toBe('utf-8');
  });

  it.each(['utf-16le', 'utf-16be'] as const)('covers the whole file in %s', (encoding) => {
    const text = '\ufeffab' + 'Ċ🎉x\r\n'.repeat(300_000) + '🎉'.repeat(900_000);
    const file = utf16(text, encoding === 'utf-16le');
    const found = parts(file, encoding);
    expect(found.length).toBeGreaterThan(2);
    expectWhole(file, found);
    for (const part of found) {
      expect(new TextDecoder(encoding, { fatal: true }).decode(part).isWellFormed()).toBe(true);
    }
  });

  it('covers a file that is one byte larger than one part', () => {
    const file = new Uint8Array(PART_BYTES + 1).fill(97);
    expectWhole(file, parts(file, 'utf-8'));
    expect(partCount(0)).toBe(1);
  });
});

describe('partAt', () => {
  it.each([
    ['0', 0],
    ['0%', 0],
    ['50 %', 5],
    ['99.9%', 9],
    ['100%', 9],
    [String(PART_BYTES), 1],
    ['999999999999', 9],
  ])('%s', (words, part) => {
    expect(partAt(words, 10 * PART_BYTES)).toBe(part);
  });

  it.each(['', 'x', '-1', '1e3', '%'])('"%s" is not a position', (words) => {
    expect(partAt(words, 100)).toBeUndefined();
  });
});
