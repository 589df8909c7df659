import { describe, expect, it } from '@jest/globals';
import { collapsePath } from './collapsed-path';

describe('collapsePath', () => {
  it('keeps a path within the limit', () => {
    expect(collapsePath(['a', 'b', 'c'], 3)).toEqual({ first: [], left: [], last: ['a', 'b', 'c'] });
  });

  it('hides the middle of a long path', () => {
    expect(collapsePath(['a', 'b', 'c', 'd', 'e', 'f'], 4)).toEqual({
      first: ['a'],
      left: ['b', 'c'],
      last: ['d', 'e', 'f'],
    });
  });

  it('handles an empty path', () => {
    expect(collapsePath([], 4)).toEqual({ first: [], left: [], last: [] });
  });
});
