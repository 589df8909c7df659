import { describe, expect, it } from '@jest/globals';
import { detectFileType } from './detect-file-type';

const hex = (text: string): Uint8Array => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

describe('detectFileType', () => {
  it.each([
    ['89504e470d0a1a0a00', 'x.bin', 'PNG image'],
    ['504b0304aa', 'a.zip', 'ZIP archive'],
    ['504b0304aa', 'Report.DOCX', 'Word document'],
    ['504b0304aa', 'a.constructor', 'ZIP archive'],
    ['1f8b08', 'a', 'Gzip archive'],
    ['0061736d01000000', 'a', 'WebAssembly module'],
    ['52494646aabbccdd57454250', 'a', 'WebP image'],
    ['4d5a9000', 'a.exe', 'Windows program'],
  ])('detects the bytes %s in a file named %s', (bytes, name, words) => {
    expect(detectFileType(hex(bytes), name)).toBe(words);
  });

  it('returns undefined for unknown bytes', () => {
    expect(detectFileType(hex('00'), 'a')).toBeUndefined();
    expect(detectFileType(hex(''), 'a.zip')).toBeUndefined();
  });
});
