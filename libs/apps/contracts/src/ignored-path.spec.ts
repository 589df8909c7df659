import { describe, expect, it } from '@jest/globals';
import { isIgnoredPath } from './ignored-path';

describe('isIgnoredPath', () => {
  it.each(['.env', 'a/.env', '.git/config', '__MACOSX/a', 'a/__MACOSX/b', '..a', '.well-known/.x'])(
    'ignores %s',
    (path) => {
      expect(isIgnoredPath(path)).toBe(true);
    },
  );
  it.each(['a', 'a.b', '.well-known/a', 'x/.well-known/a', '.well-known', 'MACOSX/a'])('publishes %s', (path) => {
    expect(isIgnoredPath(path)).toBe(false);
  });
});
