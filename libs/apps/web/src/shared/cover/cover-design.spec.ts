import { describe, expect, it } from '@jest/globals';
import { COVER_PATTERNS, coverDesign } from './cover-design';

describe('coverDesign', () => {
  it('gives the same name the same cover', () => {
    expect(coverDesign('My Shop')).toEqual(coverDesign('My Shop'));
  });

  it('uses every pattern and many hues for different names', () => {
    const designs = Array.from({ length: 200 }, (_, i) => coverDesign(`App ${i}`));
    expect(new Set(designs.map(({ pattern }) => pattern)).size).toBe(COVER_PATTERNS.length);
    expect(new Set(designs.map(({ hue }) => hue)).size).toBeGreaterThan(12);
  });

  it.each([
    ['My Shop', 'MS'],
    ['landing-page of 2026', 'LP'],
    ['übersicht', 'Ü'],
    ['😀', ''],
    ['', ''],
  ])('shows the initials of %j', (name, initials) => {
    expect(coverDesign(name).initials).toBe(initials);
  });
});
