import { describe, expect, it } from '@jest/globals';
import { collapsePath } from './collapsed-path';

describe('a way that is too long', () => {
  it('is shown whole while it fits', () => {
    expect(collapsePath(['a', 'b', 'c'], 3)).toEqual({ first: [], left: [], last: ['a', 'b', 'c'] });
  });

  it('loses its middle', () => {
    expect(collapsePath(['a', 'b', 'c', 'd', 'e', 'f'], 4)).toEqual({
      first: ['a'],
      left: ['b', 'c'],
      last: ['d', 'e', 'f'],
    });
  });

  it('shows nothing of nothing', () => {
    expect(collapsePath([], 4)).toEqual({ first: [], left: [], last: [] });
  });
});
