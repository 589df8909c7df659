import { describe, expect, it } from '@jest/globals';
import { positionOf, scaleFor } from './scale';

describe('the scale of a slider', () => {
  it('has steps of 1, 2 and 5 for costs from one cent to ten thousand dollars, and 0', () => {
    expect(scaleFor(0.02)).toEqual(
      '0 1 2 5 10 20 50 100 200 500 1000 2000 5000 10000 20000 50000 100000 200000 500000'.split(' ').map(Number),
    );
    expect(scaleFor(5)).toEqual([0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000]);
    expect(scaleFor(0.0004).slice(0, 4)).toEqual([0, 50, 100, 200]);
    expect(scaleFor(0.0004).at(-1)).toBe(20_000_000);
  });

  it.each([0, 0.000000001, 1_000_000])('has useful steps for a price of %d', (unitUsd) => {
    const scale = scaleFor(unitUsd);
    expect(scale.length).toBeGreaterThan(3);
    expect(scale).toEqual([...scale].sort((one, other) => one - other));
    expect(scale.at(-1)).toBeLessThanOrEqual(10 ** 12);
  });

  it.each([
    ['', 0],
    ['0', 0],
    ['0.5', 0],
    ['1', 1],
    ['19.999999', 4],
    ['20', 5],
    ['1000000000000', 18],
    ['many', 0],
  ])('returns for quantity %j position %d', (quantity, position) => {
    expect(positionOf(quantity, scaleFor(0.02))).toBe(position);
  });
});
