// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { subdomainFrom } from '@homeport/apps/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addressFault, reservedMessage, takenMessage } from './address-fault';
import { addressSuggestion } from './address-suggestion';

const RESERVED = ['api', 'www', 'admin', 'app', 'dashboard', 'status'];
const LETTERS = 'Use only the letters a to z, digits and hyphens.';
const words = (name: string) => addressFault(name, RESERVED)?.words;

describe('addressFault', () => {
  it.each(['Acme Site', 'abc', 'x'.repeat(63), '', '   '])('finds no fault in %j', (name) => {
    expect(addressFault(name, RESERVED)).toBeUndefined();
  });

  it.each([
    ['ab', 'Use at least 3 characters.'],
    ['x'.repeat(64), 'Use at most 63 characters.'],
    ['Käse', LETTERS],
    ['-shop', 'Begin and end with a letter or a digit.'],
    ['xn--shop', 'Two hyphens cannot be the third and fourth character.'],
    [' Admin', '“admin” is reserved. Try another name.'],
    ['STATUS', '“status” is reserved. Try another name.'],
  ])('explains the fault of %j', (name, expected) => {
    expect(words(name)).toBe(expected);
  });

  it('distinguishes a name that is only too short so far', () => {
    expect(['ab', 'ä', 'x'.repeat(64)].map((name) => addressFault(name)?.isIncomplete)).toEqual([true, false, false]);
  });

  it('finds exactly the faults of the API', () => {
    const part = fc.constantFrom('api', 'App', 'xn', '--', '-', ' ', 'ß', 'É', '.', 'shop', '9', 'x'.repeat(30));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
        const name = parts.join('');
        const { subdomain, fault } = subdomainFrom(name, RESERVED);
        fc.pre(subdomain !== '');
        expect(addressFault(name, RESERVED) === undefined).toBe(fault === undefined);
        const suggestion = addressSuggestion(name, RESERVED);
        if (suggestion !== undefined) expect(subdomainFrom(suggestion, RESERVED)).toEqual({ subdomain: suggestion });
      }),
      { numRuns: 1_000 },
    );
  });
});

it.each([
  ['Käse', 'kaese'],
  ['Straße Ünï & Søn', 'strasse-ueni-son'],
  ['İstanbul Çay', 'istanbul-cay'],
  ['Ka\u0308se', 'kaese'],
  ['日本', undefined],
  ['ä', undefined],
  ['äpi', 'aepi'],
  ['stätus', 'staetus'],
  ['ápi', undefined],
  ['-shop', 'shop'],
  ['xn--shop', 'xn-shop'],
])('suggests a name for %j', (name, suggestion) => {
  expect(addressSuggestion(name, RESERVED)).toBe(suggestion);
});

it('names the address in the other messages', () => {
  expect([reservedMessage('api'), takenMessage('shop')]).toEqual([
    '“api” is reserved. Try another name.',
    '“shop” is taken. Try another name.',
  ]);
});
