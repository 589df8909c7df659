// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { describe, expect, it } from '@jest/globals';
import { expiryOf } from './token-lifetimes';

describe(expiryOf.name, () => {
  const now = new Date('2026-11-23T12:00:00Z');

  it('adds the days to the current time', () => {
    expect(expiryOf('30', now)).toBe('2026-12-23T12:00:00.000Z');
  });

  it('is undefined for a token that never expires', () => {
    expect(expiryOf('', now)).toBeUndefined();
  });
});
