import { describe, expect, it } from '@jest/globals';
import { fileTypeLabel, isKnownBinary } from './file-type-label';

describe('isKnownBinary and fileTypeLabel', () => {
  it.each(['image/png', 'video/mp4', 'application/pdf', 'application/zip'])('%s is binary', (type) => {
    expect(isKnownBinary(type)).toBe(true);
  });

  it.each(['', 'image/svg+xml', 'text/plain', 'application/json', 'application/octet-stream'])(
    '"%s" may be text',
    (type) => {
      expect(isKnownBinary(type)).toBe(false);
    },
  );

  it.each([
    ['a.png', 'image/png', 'PNG image'],
    ['a.bin', 'application/octet-stream', 'BIN file'],
    ['a', '', 'File'],
    ['a.log', 'text/plain', 'Log'],
    ['a.py', 'text/x-python', 'Python'],
    ['a.ts', '', 'TypeScript'],
    ['a.md', 'text/markdown', 'Markdown'],
    ['a.JSON', 'application/json', 'JSON'],
  ])('labels %s, %s as %s', (name, type, words) => {
    expect(fileTypeLabel(name, type)).toBe(words);
  });
});
