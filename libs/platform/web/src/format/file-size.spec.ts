import { describe, expect, it } from '@jest/globals';
import { fileSize } from './file-size';

describe('fileSize', () => {
  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1.0 KiB'],
    [1234, '1.2 KiB'],
    [10_200, '10 KiB'],
    [1_048_063, '1023 KiB'],
    [1_048_064, '1.0 MiB'],
    [100 * 1024 ** 2, '100 MiB'],
    [5_400 * 1024 ** 4, '5400 TiB'],
  ])('formats %i as %s', (bytes, words) => {
    expect(fileSize(bytes)).toBe(words);
  });
});
