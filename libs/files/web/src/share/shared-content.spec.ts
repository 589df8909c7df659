import { describe, expect, it } from '@jest/globals';
import { filePathOf } from '@homeport/files/contracts';
import fc from 'fast-check';
import { sharedMarkdown, sharedFileName } from './shared-content';

describe('sharedMarkdown', () => {
  it.each([
    [{ title: 'A page', text: 'Words', url: 'https://a.example/' }, '# A page\n\nWords\n\n<https://a.example/>\n'],
    [{ text: 'See https://a.example/', url: 'https://a.example/' }, 'See https://a.example/\n'],
    [{ url: 'https://a.example/' }, '<https://a.example/>\n'],
    [{}, ''],
  ])('%j', (shared, text) => {
    expect(sharedMarkdown(shared)).toBe(text);
  });
});

describe('sharedFileName', () => {
  it.each([
    [{ title: 'A page' }, 'A page.md'],
    [{ title: 'a/b\\c\nd' }, 'a b c d.md'],
    [{ title: '..' }, 'shared.md'],
    [{}, 'shared.md'],
  ])('%j is %s', (shared, name) => {
    expect(sharedFileName(shared)).toBe(name);
  });

  it('returns a valid file name for any title', () => {
    const title = fc.string({ unit: 'binary' }).filter((each) => each.isWellFormed());
    fc.assert(
      fc.property(title, (each) => expect(filePathOf([sharedFileName({ title: each })])).toHaveProperty('path')),
    );
  });
});
