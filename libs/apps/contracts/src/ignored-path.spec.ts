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
  it.each(['.next/BUILD_ID', 'apps/web/.next/a', '.amplify-hosting/a', 'node_modules/.prisma/a', '.well-known/a'])(
    'keeps %s for the server of an SSR app',
    (path) => {
      expect(isIgnoredPath(path, 'ssr')).toBe(false);
    },
  );
  it.each(['.env', '.git/config', 'node_modules/.bin/next', 'a/node_modules/.cache/b', '.prisma/a', '__MACOSX/a'])(
    'ignores %s in SSR apps as well',
    (path) => {
      expect(isIgnoredPath(path, 'ssr')).toBe(true);
    },
  );
});
