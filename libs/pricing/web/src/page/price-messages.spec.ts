// Outside a build, Angular's published code is linked at run time.
import '@angular/compiler';
import { describe, expect, it } from '@jest/globals';
import {
  quantityLabel,
  formatDate,
  perUnitLabel,
  exampleCostLabel,
  localizedDecimal,
  unitLabel,
  usd,
  usdOfCents,
} from './price-messages';
import { card, itemOf } from '../testing/example-card';

describe('price messages', () => {
  it.each([
    [0, '$0'],
    [25, '$25'],
    [1500, '$1,500'],
    [0.05, '$0.05'],
    [0.5, '$0.50'],
    [0.0004, '$0.0004'],
    [0.000000001, '$0.000000001'],
  ])('formats the price %d as %s', (amount, words) => {
    expect(usd(amount)).toBe(words);
  });

  it.each([
    [0n, '$0.00'],
    [7n, '$0.07'],
    [123_450n, '$1,234.50'],
    [10n ** 19n + 1n, '$100,000,000,000,000,000.01'],
  ])('formats %d cents as %s', (cents, words) => {
    expect(usdOfCents(cents)).toBe(words);
  });

  it.each([
    ['0', '0'],
    ['1234567.5', '1,234,567.5'],
    ['999999999999.999999', '999,999,999,999.999999'],
  ])('formats the number %s as %s', (text, words) => {
    expect(localizedDecimal(text)).toBe(words);
  });

  it.each([
    ['sync', 'sync'],
    ['gb-month', 'GB a month'],
    ['vault-month', 'vault a month'],
    ['tool-call', 'tool call'],
  ])('formats the unit %s as %s', (unit, words) => {
    expect(unitLabel(unit)).toBe(words);
  });

  it('shortens a unit next to its item', () => {
    expect(['box-month', 'hour'].map(perUnitLabel)).toEqual(['a month', 'each']);
  });

  it.each([
    ['1', 'call', '1 call'],
    ['10000', 'call', '10,000 calls'],
    ['1', 'gb-month', '1 GB'],
    ['0.5', 'gb-month', '0.5 GB'],
    ['2', 'box-month', '2 boxes'],
    ['2', 'entry', '2 entries'],
    ['2', 'display-month', '2 displays'],
  ])('formats %s of %s as %s', (quantity, unit, words) => {
    expect(quantityLabel(quantity, unit)).toBe(words);
  });

  it.each([
    ['member-sync', '1,000 member syncs cost $2.00'],
    ['gateway-call', '10,000 gateway calls cost $4.00'],
    ['tool-call', '1,000 tool-protocol calls cost $1.00'],
    ['agent-run', '100 agent runs cost $2.00'],
    ['storage', '100 GB of storage for a month cost $5.00'],
    ['secret', '100 secrets for a month cost $5.00'],
    ['vault', '1 vault for a month costs $5.00'],
    ['deploys', 'Deploys cost nothing'],
  ])('rates a useful example of %s', (id, words) => {
    expect(exampleCostLabel(itemOf(card, id), card)).toBe(words);
  });

  it('formats dates in UTC', () => {
    expect(formatDate('2026-10-01T00:00:00Z')).toBe('October 1, 2026');
    expect(formatDate('soon')).toBe('soon');
  });
});
