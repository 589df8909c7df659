import { describe, expect, it } from '@jest/globals';
import { returnPath } from './return-path';

describe('returnPath', () => {
  it.each(['/', '/files/a%20b', '/view/x.md?raw=1#top', '/apps/1'])('keeps the same-origin path %s', (path) => {
    expect(returnPath(path)).toBe(path);
  });

  it.each([
    undefined,
    null,
    '',
    'files',
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/a\\..\\b',
    '/\t/evil.example',
    '/\n/evil.example',
    '/..//evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
  ])('sends %j to the dashboard', (path) => {
    expect(returnPath(path)).toBe('/');
  });

  it('keeps paths up to the cookie limit and drops longer ones', () => {
    const longest = `/${'x'.repeat(511)}`;
    expect(returnPath(longest)).toBe(longest);
    expect(returnPath(`${longest}x`)).toBe('/');
    expect(returnPath(`/${'ü'.repeat(100)}`)).toBe('/');
  });
});
