import { describe, expect, it } from '@jest/globals';
import { pathBelow } from './remote-path';

describe('pathBelow', () => {
  it('returns the path below the folder', () => {
    expect(pathBelow('docs/', 'docs/a/b.txt')).toBe('a/b.txt');
    expect(pathBelow('', '..a/.b/c..')).toBe('..a/.b/c..');
  });

  it.each([
    ['docs/', 'docs/../../.bashrc'],
    ['docs/', 'docs//etc/passwd'],
    ['docs/', 'docs/a/..'],
    ['docs/', 'docs/./a'],
    ['docs/', 'docs/..\\..\\a'],
    ['docs/', 'docs/C:\\a'],
    ['docs/', 'docs/a\0b'],
    ['docs/', 'docs/'],
    ['docs/', 'other/a'],
    ['docs/', '../a'],
    ['', '/etc/passwd'],
  ])('rejects a key in %j that leaves it: %j', (prefix, key) => {
    expect(() => pathBelow(prefix, key)).toThrow('The server names a file that is not in the folder');
  });
});
