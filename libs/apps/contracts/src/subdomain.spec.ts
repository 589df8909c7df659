import { describe, expect, it } from '@jest/globals';
import { previewLabel } from '@homeport/hosting/contracts';
import fc from 'fast-check';
import { subdomainFrom } from './subdomain';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const RESERVED = new Set(['api', 'www', 'admin', 'app', 'dashboard']);

/**
 * A second implementation of the rules, character by character, without regular expressions or JavaScript's case
 * mapping.
 * @returns the subdomain, or undefined for a name that breaks a rule.
 */
function oracle(name: string): string | undefined {
  const parts = name.split(' ').filter((part) => part !== '');
  let subdomain = '';
  for (const character of parts.join('-')) {
    const upper = LETTERS.toUpperCase().indexOf(character);
    subdomain += upper === -1 ? character : LETTERS.charAt(upper);
  }
  const characters = [...subdomain];
  if (characters.some((character) => !`${LETTERS}0123456789-`.includes(character))) return undefined;
  if (characters.length < 3 || characters.length > 63) return undefined;
  if (characters[0] === '-' || characters.at(-1) === '-') return undefined;
  if (characters[2] === '-' && characters[3] === '-') return undefined;
  return RESERVED.has(subdomain) ? undefined : subdomain;
}

describe('subdomainFrom', () => {
  it.each([
    ['My Shop', 'my-shop'],
    ['  My   Shop  ', 'my-shop'],
    ['abc', 'abc'],
    ['A1-b', 'a1-b'],
    ['x'.repeat(63), 'x'.repeat(63)],
    ['a--b', 'a--b'],
    ['App 1', 'app-1'],
    ['123', '123'],
  ])('turns %j into %s', (name, subdomain) => {
    expect(subdomainFrom(name)).toEqual({ subdomain });
  });

  it.each([
    ['', 'length'],
    ['ab', 'length'],
    ['x'.repeat(64), 'length'],
    ['-abc', 'hyphen-at-edge'],
    ['abc-', 'hyphen-at-edge'],
    ['---', 'hyphen-at-edge'],
    ['xn--80ak6aa92e', 'punycode'],
    ['ab--cd', 'punycode'],
    ['my_shop', 'characters'],
    ['my.shop', 'characters'],
    ['müller', 'characters'],
    ['\u212Aube', 'characters'],
    ['my\tshop', 'characters'],
    ['my\u00a0shop', 'characters'],
    ['\nabc', 'characters'],
    ['shop\u0000', 'characters'],
    ['ＡＢＣ', 'characters'],
    ['api', 'reserved'],
    [' WWW ', 'reserved'],
    ['Admin', 'reserved'],
    ['APP', 'reserved'],
    ['dashboard', 'reserved'],
  ])('rejects %j because of the rule %s', (name, fault) => {
    expect(subdomainFrom(name)).toMatchObject({ fault });
  });

  it('rejects names that the configuration reserves', () => {
    expect(subdomainFrom('Status', ['status'])).toEqual({ subdomain: 'status', fault: 'reserved' });
  });

  it('agrees with an independent implementation of the rules', () => {
    const word = fc.oneof(
      fc.constantFrom(
        ...['xn--', '--', '-', ' ', '  ', 'K', '\u212A', 'ı', 'İ', 'ß', '.', '_', 'shop', '9', '\t', '\u00a0'],
      ),
      fc.mixedCase(fc.constantFrom(...RESERVED)),
      fc.string({ unit: 'binary', maxLength: 5 }),
      fc.string({ unit: 'grapheme', maxLength: 5 }),
      fc.string({ unit: fc.constantFrom(...'aZ09-  '), maxLength: 70 }),
    );
    const atTheLimits = fc
      .tuple(fc.constantFrom(1, 2, 3, 4, 62, 63, 64), fc.constantFrom(...'aZ0-'), fc.constantFrom(...'aZ0-'))
      .map(([length, first, rest]) => first + rest.repeat(length - 1));
    const padded = fc
      .tuple(
        fc.constantFrom('', ' ', '   '),
        fc.mixedCase(fc.constantFrom(...RESERVED)),
        fc.constantFrom('', ' ', '  '),
      )
      .map((parts) => parts.join(''));
    const anyName = fc.oneof(
      { arbitrary: fc.array(word, { maxLength: 6 }).map((words) => words.join('')), weight: 6 },
      { arbitrary: atTheLimits, weight: 3 },
      { arbitrary: padded, weight: 1 },
    );
    const counts = { accepted: 0, rejected: 0 };
    fc.assert(
      fc.property(anyName, (name) => {
        const { subdomain, fault } = subdomainFrom(name);
        const expected = oracle(name);
        counts[expected === undefined ? 'rejected' : 'accepted']++;
        return (fault === undefined ? subdomain : undefined) === expected;
      }),
      { numRuns: 20_000 },
    );
    expect(counts.accepted).toBeGreaterThan(1_000);
    expect(counts.rejected).toBeGreaterThan(1_000);
  });

  it('is never the label of a preview', () => {
    expect(subdomainFrom(previewLabel('0192f0a4-7b1c-4d2e-8f3a-5b6c7d8e9f00'), []).fault).toBe('punycode');
  });
});
