import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatDecimal, divideHalfEven, PRICE_PLACES, QUANTITY_PLACES, parseDecimal } from './decimals';

describe('parseDecimal', () => {
  it.each([QUANTITY_PLACES, PRICE_PLACES])('parses a number like its decimal text, with %s places', (places) => {
    const number = fc.oneof(
      fc.integer({ min: 0, max: 10 ** 12 }),
      fc.integer({ min: 0, max: 10 ** 15 }).map((n) => n / 10 ** places),
      fc.double({ min: 0, max: 10 ** 12, noNaN: true }),
    );
    const outcome = (read: () => bigint) => {
      try {
        return read();
      } catch (error) {
        return (error as RangeError).message;
      }
    };
    fc.assert(
      fc.property(number, (value) => {
        const text = String(value);
        if (text.includes('e')) return;
        expect(outcome(() => parseDecimal(value, places))).toBe(outcome(() => parseDecimal(text, places)));
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('formatDecimal', () => {
  it('is the inverse of parseDecimal', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 24n }), fc.integer({ min: 1, max: 9 }), (amount, places) => {
        expect(parseDecimal(formatDecimal(amount, places), places)).toBe(amount);
      }),
    );
  });
});

describe('divideHalfEven', () => {
  it.each([
    [25n, 10n, 2n],
    [35n, 10n, 4n],
    [26n, 10n, 3n],
    [24n, 10n, 2n],
    [0n, 10n, 0n],
  ])('divides %s by %s with the result %s', (amount, divisor, result) =>
    expect(divideHalfEven(amount, divisor)).toBe(result),
  );
});
