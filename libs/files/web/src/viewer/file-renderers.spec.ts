import { describe, expect, it } from '@jest/globals';
import { rendererFor } from './file-renderers';
import { pictureType } from './picture/picture-type';

const MIB = 1024 * 1024;

describe('rendererFor', () => {
  it.each([
    ['a.md', '', 10, 'markdown'],
    ['a.MDX', 'text/plain', 10, 'markdown'],
    ['a.json', 'application/json', 10, 'json'],
    ['a.CSV', 'text/csv', 10, 'table'],
    ['a.tsv', 'text/tab-separated-values', 10, 'table'],
    ['a.svg', 'image/svg+xml', 10, 'picture'],
    ['a', 'image/png', 10, 'picture'],
    ['a.pdf', '', 10, 'pdf'],
    ['a.bin', 'application/pdf', 10, 'pdf'],
    ['a.md', '', 3 * MIB, undefined],
    ['a.txt', 'text/plain', 10, undefined],
    ['a.html', 'text/html', 10, undefined],
  ])('%s, %s, %i bytes: %s', (name, type, size, id) => {
    expect(rendererFor(name, type, size)?.id).toBe(id);
  });
});

describe('pictureType', () => {
  it.each([
    ['a.JPG', '', 'image/jpeg'],
    ['a.png', 'text/html', 'image/png'],
    ['a', 'image/avif; x=y', 'image/avif'],
    ['a', 'text/html', undefined],
    ['a.html', 'text/html', undefined],
    ['a.constructor', '', undefined],
  ])('%s, %s: %s', (name, type, found) => {
    expect(pictureType(name, type)).toBe(found);
  });
});
