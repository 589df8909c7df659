import { describe, expect, it } from '@jest/globals';
import { isLeftOut } from './left-out';

describe('isLeftOut', () => {
  it.each(['.env', 'a/.env', '.git/config', '__MACOSX/a', 'a/__MACOSX/b', '..a', '.well-known/.x'])(
    'drops %s',
    (path) => {
      expect(isLeftOut(path)).toBe(true);
    },
  );
  it.each(['a', 'a.b', '.well-known/a', 'x/.well-known/a', '.well-known', 'MACOSX/a'])('keeps %s', (path) => {
    expect(isLeftOut(path)).toBe(false);
  });
});
