import { describe, expect, it } from '@jest/globals';
import { nextZoom } from './zoom-steps';

describe('nextZoom', () => {
  it.each([
    [1, 1, 1.5],
    [1, -1, 0.75],
    [0.37, 1, 0.5],
    [0.37, -1, 0.25],
    [0.999, 1, 1.5],
    [8, 1, 8],
    [0.05, -1, 0.1],
  ] as const)('continues from %d in the direction %d with %d', (zoom, by, next) => {
    expect(nextZoom(zoom, by)).toBe(next);
  });
});
