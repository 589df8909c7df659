import { describe, expect, it } from '@jest/globals';
import { budgetUse, typedAmount, typedPercentages } from './budget-use';

describe('budgetUse', () => {
  const budget = { monthly_usd: '200', notify_at: [50, 75, 100] };

  it.each([
    ['0', 0, undefined],
    ['99.99', 49, undefined],
    ['100', 50, 50],
    ['199.99', 99, 75],
    ['200.00', 100, 100],
    ['1000000', 500_000, 100],
  ])('of %s USD is %i percent and reaches %p', (total, percent, reached) => {
    expect(budgetUse(budget, total)).toEqual({ percent, reached });
  });

  it('is undefined without a budget', () => {
    expect(budgetUse({ monthly_usd: null, notify_at: [50] }, '10')).toBeUndefined();
  });
});

describe('typedAmount', () => {
  it.each([
    ['250', '250'],
    [' $19.5 ', '19.5'],
    ['12,34', '12.34'],
    ['0', undefined],
    ['0.001', undefined],
    ['-5', undefined],
    ['1e5', undefined],
    ['1000000000', undefined],
    ['', undefined],
  ])('reads %j as %j', (text, amount) => expect(typedAmount(text)).toBe(amount));
});

describe('typedPercentages', () => {
  it.each([
    ['50, 75, 100', [50, 75, 100]],
    ['100 % 50% 50', [50, 100]],
    ['', []],
    ['0', undefined],
    ['1001', undefined],
    ['fifty', undefined],
    ['12.5', undefined],
  ])('reads %j as %j', (text, percentages) => expect(typedPercentages(text)).toEqual(percentages));
});
