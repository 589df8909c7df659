import { describe, expect, it } from '@jest/globals';
import { subdomainFrom } from '@homeport/apps/contracts';
import fc from 'fast-check';
import { addressRules, brokenRule } from './address-rules';

const broken = (name: string, isReserved?: boolean) =>
  addressRules(name, isReserved)
    .filter(({ state }) => state === 'broken')
    .map(({ rule }) => rule);

describe('addressRules', () => {
  it.each([
    ['Acme Site', []],
    ['ab', ['length']],
    ['Ünicode', ['characters']],
    ['-ab', ['hyphen-at-edge']],
    ['xn--abc', ['punycode']],
    ['Admin', ['reserved']],
    ['ä-', ['length', 'characters', 'hyphen-at-edge']],
    ['----', ['hyphen-at-edge', 'punycode']],
    ['x'.repeat(64), ['length']],
  ])('judges %j rule by rule', (name, rules) => {
    expect(broken(name)).toEqual(rules);
  });

  it.each(['', '   '])('has nothing to judge in "%s"', (name) => {
    expect(new Set(addressRules(name).map(({ state }) => state))).toEqual(new Set(['open']));
  });

  it('takes the word of the API for what is reserved', () => {
    expect(broken('status')).toEqual([]);
    expect(broken('status', true)).toEqual(['reserved']);
  });

  it('breaks a rule exactly when the API would refuse the name', () => {
    const part = fc.constantFrom('api', 'App', 'xn', '--', '-', ' ', 'ß', '.', 'shop', '9', 'x'.repeat(30));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
        const { subdomain, fault } = subdomainFrom(parts.join(''));
        fc.pre(subdomain !== '');
        expect(brokenRule(addressRules(parts.join(''))) === undefined).toBe(fault === undefined);
      }),
      { numRuns: 2_000 },
    );
  });
});
