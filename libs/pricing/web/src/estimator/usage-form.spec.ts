// Outside a build, Angular's published code is linked at run time.
import '@angular/compiler';
import { describe, expect, it } from '@jest/globals';
import { usageFaults } from '@homeport/pricing/contracts';
import { card } from '../testing/example-card';
import {
  EMPTY_FORM,
  quantityErrorMessage,
  formOf,
  unpricedFields,
  paramsOf,
  normalizedQuantity,
  usageOf,
} from './usage-form';

const form = (query: string) => {
  const params = new URLSearchParams(query);
  return formOf({ keys: [...params.keys()], get: (name) => params.get(name) });
};

describe('the usage form', () => {
  it('parses a link and creates the same link', () => {
    const read = form('meters.storage=200&boxes.small=2&domains.premium=1&trial=true&utm_source=mail');
    expect(read).toEqual({
      quantities: { 'meters.storage': '200', 'boxes.small': '2', 'domains.premium': '1' },
      inTrial: true,
    });
    expect(paramsOf(read)).toEqual({
      'meters.storage': '200',
      'boxes.small': '2',
      'domains.premium': '1',
      trial: 'true',
    });
    expect(form('')).toEqual(EMPTY_FORM);
    expect(paramsOf(EMPTY_FORM)).toEqual({});
    expect(form('trial=false').inTrial).toBe(false);
  });

  it('creates a usage without empty fields', () => {
    expect(usageOf(form('meters.storage=1.5&meters.vault=&boxes.small=+3+&domains.premium=0'), card)).toEqual({
      meters: { storage: '1.5' },
      boxes: { small: '3' },
      domains: { premium: '0' },
    });
    expect(usageOf(EMPTY_FORM, card)).toEqual({ meters: {}, boxes: {}, domains: {} });
  });

  it.each([
    ['10,000', '10000'],
    ['1,234,567.25', '1234567.25'],
    ['10 000', '10000'],
    ['1,5', '1,5'],
    ['1,00', '1,00'],
    ['-5', '-5'],
  ])('parses %j as %j', (typed, quantity) => {
    const typedForm = { ...EMPTY_FORM, quantities: { 'meters.storage': typed } };
    expect(usageOf(typedForm, card)).toEqual({ meters: { storage: quantity }, boxes: {}, domains: {} });
    expect(paramsOf(typedForm)).toEqual({ 'meters.storage': quantity });
  });

  it.each([
    ['10.000', '10000'],
    ['1.234.567,25', '1234567.25'],
    ['1,5', '1.5'],
    ['1.5', '1.5'],
    [',5', '.5'],
    ['1,234.5', '1,234.5'],
  ])('parses %j as %j in German', (typed, quantity) => {
    $localize.locale = 'de';
    try {
      expect(normalizedQuantity(typed)).toBe(quantity);
    } finally {
      $localize.locale = undefined;
    }
  });

  it('preserves a decimal in a German link', () => {
    $localize.locale = 'de';
    try {
      const read = form('meters.storage=1.250');
      expect(read.quantities['meters.storage']).toBe('1,250');
      expect(paramsOf(read)).toEqual({ 'meters.storage': '1.250' });
    } finally {
      $localize.locale = undefined;
    }
  });

  it('returns unpriced items of a link and ignores them in the usage', () => {
    const read = form('meters.tea=3&meters.constructor=1&boxes.huge=1&boxes.small=1&meters.dms=9');
    expect(unpricedFields(read, card)).toEqual(['tea', 'constructor', 'huge']);
    expect(usageOf(read, card)).toEqual({ meters: { dms: '9' }, boxes: { small: '1' }, domains: {} });
    expect(usageFaults(usageOf(read, card), card)).toEqual([]);
  });

  it.each([
    ['-1', 'Enter a number of 0 or more, in plain decimals, such as 1250.5.'],
    ['many', 'Enter a number of 0 or more, in plain decimals, such as 1250.5.'],
    ['0.0000001', 'Enter at most 6 decimals.'],
    ['1000000000001', 'Enter at most 1,000,000,000,000.'],
  ])('shows for %j the error: %s', (typed, words) => {
    const usage = usageOf({ ...EMPTY_FORM, quantities: { 'meters.storage': typed } }, card);
    expect(usageFaults(usage, card).map(quantityErrorMessage)).toEqual([words]);
  });
});
