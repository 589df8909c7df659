import { describe, expect, it } from '@jest/globals';
import { decodeText, encodingOfSample } from './decode-text';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('decodeText', () => {
  it('decodes UTF-8, and encodings with a byte order mark', () => {
    expect(decodeText(utf8('ä'))).toEqual({ text: 'ä', encoding: 'utf-8' });
    expect(decodeText(Uint8Array.of(0xff, 0xfe, 0x41, 0))).toEqual({ text: 'A', encoding: 'utf-16le' });
    expect(decodeText(Uint8Array.of(0xfe, 0xff, 0, 0x41))).toEqual({ text: 'A', encoding: 'utf-16be' });
    expect(decodeText(Uint8Array.of(0xef, 0xbb, 0xbf, 0x41))).toEqual({ text: 'A', encoding: 'utf-8' });
    expect(decodeText(utf8(''))).toEqual({ text: '', encoding: 'utf-8' });
  });

  it('decodes Windows-1252', () => {
    expect(decodeText(Uint8Array.of(0x4d, 0xfc, 0x6c, 0x6c))).toEqual({ text: 'Müll', encoding: 'windows-1252' });
  });

  it('rejects bytes that are not text', () => {
    expect(decodeText(Uint8Array.of(0x23, 0, 0x23))).toBeUndefined();
    expect(decodeText(Uint8Array.of(0xc3, 0x28, 0x01))).toBeUndefined();
    expect(decodeText(Uint8Array.of(0xff, 0xfe, 0x41, 0, 0x41))).toBeUndefined();
  });
});

describe('encodingOfSample', () => {
  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8])('detects UTF-8 when the sample ends %i bytes into a character', (cut) => {
    expect(encodingOfSample(utf8('aaaa🎉🎉').subarray(0, 4 + cut))).toBe('utf-8');
  });

  it('rejects a sample that is not text', () => {
    expect(encodingOfSample(Uint8Array.of(1, 0, 3, 4))).toBeUndefined();
    expect(encodingOfSample(Uint8Array.of(0xff, 0xfe, 0x41, 0, 0x41))).toBe('utf-16le');
  });
});
