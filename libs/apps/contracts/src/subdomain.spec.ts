import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { subdomainFrom } from './subdomain';

/** The rules once more, written another way: what DNS and a certificate accept, and nobody's reserved names. */
const ORACLE = /^(?!..--)(?!(api|www|admin|app|dashboard)$)[a-z0-9]([a-z0-9-]{1,61})[a-z0-9]$/;

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
  ])('refuses %j for its %s', (name, fault) => {
    expect(subdomainFrom(name)).toMatchObject({ fault });
  });

  it('closes what the configuration reserves', () => {
    expect(subdomainFrom('Status', ['status'])).toEqual({ subdomain: 'status', fault: 'reserved' });
  });

  it('agrees with an independent reading of the rules', () => {
    const word = fc.oneof(
      fc.constantFrom(
        'api',
        'App',
        'www',
        'xn--',
        '--',
        '-',
        ' ',
        'K',
        '\u212A',
        'ı',
        'ß',
        '.',
        '_',
        'shop',
        '9',
        '\t',
      ),
      fc.string({ unit: 'binary', maxLength: 5 }),
      fc.string({ unit: fc.constantFrom(...'aZ09-  '), maxLength: 70 }),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => {
        const name = words.join('');
        const { subdomain, fault } = subdomainFrom(name);
        expect(fault === undefined).toBe(ORACLE.test(subdomain));
      }),
      { numRuns: 10_000 },
    );
  });
});
