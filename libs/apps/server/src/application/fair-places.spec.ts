import { describe, expect, it } from '@jest/globals';
import { FairPlaces } from './fair-places';

describe('FairPlaces', () => {
  it('gives nobody more than a share, and no more than there are', () => {
    const places = new FairPlaces(3, 2);
    expect(places.take('a')).toBeDefined();
    const leave = places.take('a');
    expect(places.take('a')).toBeUndefined();
    expect(places.take('b')).toBeDefined();
    expect(places.take('c')).toBeUndefined();
    leave?.();
    expect(places.take('c')).toBeDefined();
    expect(places.take('a')).toBeUndefined();
  });
});
