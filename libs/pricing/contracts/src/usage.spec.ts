import { describe, expect, it } from '@jest/globals';
import { quantityOf, usageFaults } from './usage';
import { exampleCard as card } from './testing/example-card';

describe('quantityOf', () => {
  it.each([
    [0, 0n],
    [-0, 0n],
    [1, 1_000_000n],
    [0.000001, 1n],
    ['0.000001', 1n],
    [0.1, 100_000n],
    ['007.50', 7_500_000n],
    [1e12, 10n ** 18n],
    ['1000000000000.000000', 10n ** 18n],
  ])('parses %j', (value, quantity) => expect(quantityOf(value)).toBe(quantity));

  it.each([
    -1,
    '-1',
    '+1',
    '',
    ' 1',
    '1 ',
    '1.',
    '.5',
    '1e3',
    '0x10',
    '١',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e-7,
    1.5e-9,
    '0.0000001',
    1_000_000_000_000.5,
    '1000000000000.000001',
    1e21,
    1e300,
    '9'.repeat(10_000),
    null,
    undefined,
    true,
    [],
    {},
    10n,
  ])('rejects %p', (value) => expect(() => quantityOf(value)).toThrow(RangeError));
});

describe('usageFaults', () => {
  it('returns no faults for a valid usage', () => {
    const usage = { meters: { storage: '1.5', dms: 3 }, boxes: { small: 1 }, domains: { premium: 0 } };
    expect(usageFaults(usage, card)).toEqual([]);
    expect(usageFaults({}, card)).toEqual([]);
  });

  it('returns all faults with their fields', () => {
    const wrong = {
      meters: { storage: -1, stoarge: 1, constructor: 1, ['__proto__']: 1 },
      boxes: { medium: 1 },
      domains: [],
      seats: {},
    };
    expect(usageFaults(wrong, card).map(({ field }) => field)).toEqual([
      'meters.storage',
      'meters.stoarge',
      'meters.constructor',
      'meters.__proto__',
      'boxes.medium',
      'domains',
      'seats',
    ]);
  });

  it.each([null, undefined, 1, 'x', []])('rejects values that are not objects: %p', (value) => {
    expect(usageFaults(value, card)).toEqual([{ field: '', reason: 'must be an object' }]);
  });
});
