import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { exactUrl } from './exact-url';

describe('exactUrl', () => {
  it.each([
    ['/view/a.md', '/view/a.md'],
    ['/view/a(1);b.md?x=(1)#(2)', '/view/a%281%29%3Bb.md?x=(1)#(2)'],
    ['/view/100%.md', '/view/100%25.md'],
    ['/view/100%25.md', '/view/100%25.md'],
    ['/view/%ff', '/view/%25ff'],
    ['/view/100%%20a', '/view/100%25%20a'],
    ['/files?filter=%', '/files?filter=%25'],
    ['/files?filter=%E0%A4&sort=-%20', '/files?filter=%25E0%25A4&sort=-%20'],
    ['/view/a.md?q=%C3%BC+%25#100%', '/view/a.md?q=%C3%BC+%25#100%25'],
    ['/files//a///b', '/files/a/b'],
    ['/', '/'],
    ['', ''],
  ])('converts %s to %s', (typed, url) => {
    expect(exactUrl(typed)).toBe(url);
  });

  it('keeps a fully encoded segment', () => {
    const segment = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.isWellFormed());
    fc.assert(
      fc.property(segment, (text) => {
        const encoded = encodeURIComponent(text);
        expect(decodeURIComponent(exactUrl(`/view/${encoded}`).slice('/view/'.length))).toBe(text);
      }),
    );
  });
});
