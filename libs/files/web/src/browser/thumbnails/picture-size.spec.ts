import { describe, expect, it } from '@jest/globals';
import { pictureSize } from './picture-size';

/** Bytes of text and numbers. */
const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...part].map((c) => c.charCodeAt(0)) : part)));
const zeros = (count: number): readonly number[] => Array.from({ length: count }, () => 0);

describe('pictureSize', () => {
  it.each([
    ['PNG', bytes('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 0x4e, 0x20, 0, 0, 0x27, 0x10]), 20_000, 10_000],
    ['GIF', bytes('GIF89a', [0x40, 0x01, 0xf0, 0x00]), 320, 240],
    [
      'JPEG',
      bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc4, 0, 2, 0xff, 0xc2, 0, 17, 8, 0, 0xf0, 1, 0x40]),
      320,
      240,
    ],
    ['WebP, lossy', bytes('RIFF', zeros(4), 'WEBPVP8 ', zeros(10), [0x40, 0x01, 0xf0, 0x00]), 320, 240],
    ['WebP, lossless', bytes('RIFF', zeros(4), 'WEBPVP8L', zeros(4), [0x2f, 0x3f, 0xc1, 0x3b, 0x00]), 320, 240],
    ['WebP, extended', bytes('RIFF', zeros(4), 'WEBPVP8X', zeros(8), [0x3f, 1, 0, 0xef, 0, 0]), 320, 240],
  ])('reads the header of a %s', (_type, content, width, height) => {
    expect(pictureSize(content)).toEqual({ width, height });
  });

  it.each([
    ['text', bytes('# Notes')],
    ['nothing', bytes()],
    ['a truncated PNG', bytes('\x89PNG\r\n\x1a\n')],
    ['a truncated JPEG', bytes([0xff, 0xd8, 0xff, 0xe0, 0, 200])],
  ])('finds no size in %s', (_words, content) => {
    expect(pictureSize(content)).toBeUndefined();
  });
});
