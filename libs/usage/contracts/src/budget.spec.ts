import { describe, expect, it } from '@jest/globals';
import { validateSync } from 'class-validator';
import { BudgetRequest } from './budget';

function reasonsOf(body: object): string[] {
  const request = Object.assign(new BudgetRequest(), { monthly_usd: 5, notify_at: [50], ...body });
  return validateSync(request).flatMap(({ constraints = {} }) => Object.values(constraints));
}

describe('BudgetRequest', () => {
  it.each([null, 0.01, '0.01', 1e3, '0.5', '250.50', 999_999_999.99])('accepts the amount %j', (monthly_usd) => {
    expect(reasonsOf({ monthly_usd })).toEqual([]);
  });

  it.each([undefined, 0, '0.00', -1, 1e-7, 0.001, 1e9, '1e3', '007', '00.5', ' 5', '5\n', '', true, [5], NaN])(
    'rejects the amount %j',
    (monthly_usd) => {
      expect(reasonsOf({ monthly_usd })).toEqual([expect.stringMatching(/^monthly_usd must be null or from 0\.01/)]);
    },
  );

  it.each([[[]], [[101]], [[1, 1_000]], [[100, 75, 50]]])('accepts notices at %j', (notify_at) => {
    expect(reasonsOf({ notify_at })).toEqual([]);
  });

  it.each([
    undefined,
    null,
    50,
    '50',
    {},
    [0],
    [1_001],
    [50, 50],
    [50.5],
    ['50'],
    [null],
    [[50]],
    [...Array(12).keys()].slice(1),
  ])('rejects notices at %j for one reason', (notify_at) => {
    expect(reasonsOf({ notify_at })).toEqual([
      'notify_at must have at most 10 different whole percentages from 1 to 1000',
    ]);
  });
});
