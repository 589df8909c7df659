import { describe, expect, it } from '@jest/globals';
import { fileKind } from './file-kind';

describe('fileKind', () => {
  it.each([
    ['README.MD', 'markdown'],
    ['page.mdx', 'markdown'],
    ['notes.txt', 'text'],
    ['data.json', 'json'],
    ['lines.jsonl', 'json'],
    ['app.webmanifest', 'json'],
    ['a.test.tsx', 'code'],
    ['style.scss', 'code'],
    ['.env', 'code'],
    ['q3.csv', 'sheet'],
    ['photo.JPEG', 'image'],
    ['logo.svg', 'image'],
    ['paper.pdf', 'pdf'],
    ['site.tar.gz', 'archive'],
    ['talk.mp3', 'audio'],
    ['talk.mov', 'video'],
    ['Makefile', 'other'],
    ['md', 'other'],
    ['100% (final) #2; emoji 🎉?.md', 'markdown'],
  ])('of %s is %s', (name, kind) => {
    expect(fileKind(name)).toBe(kind);
  });
});
