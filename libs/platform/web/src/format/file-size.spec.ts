import { describe, expect, it } from '@jest/globals';
import { fileSize } from './file-size';

describe('fileSize', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [1234, '1.2 kB'],
    [9_960, '10 kB'],
    [999_499, '999 kB'],
    [999_500, '1.0 MB'],
    [34_000_000, '34 MB'],
    [5_400_000_000_000_000, '5400 TB'],
  ])('formats %i as %s', (bytes, words) => {
    expect(fileSize(bytes)).toBe(words);
  });
});
