import { describe, expect, it } from '@jest/globals';
import { isAtOrBelow, parseDomainName } from './domain-name';
import { DomainRules, registrableDomainOf } from './domain-rules';
import type { DomainInvalid } from './domains.errors';

const rules = new DomainRules(['apps.homeport.example', 'console.homeport.example', 'cdn.homeport.example']);

/** The code of the error for a name; undefined for an allowed one. */
function codeFor(name: string): string | undefined {
  try {
    rules.assertAllowed(parseDomainName(name));
    return undefined;
  } catch (error) {
    return (error as DomainInvalid).code;
  }
}

const INVALID = [
  ...['', ' ', '.', '..', 'example', 'www', 'a..example.com', '.example.com', 'example.com.', 'example.com..'],
  ...['*.example.com', '*', 'www.*.com', 'https://www.example.com', 'www.example.com/path', 'www.example.com:443'],
  ...[
    'user@example.com',
    'www.example.com?x',
    'www.example.com#x',
    'www example.com',
    'www.example.com\n',
    'a\u0000.com',
  ],
  ...[
    '127.0.0.1',
    '::1',
    '[::1]',
    '2130706433',
    '0x7f.1',
    '1.2.3.4',
    '10.1',
    'example.1',
    'example.0x',
    '１２７.0.0.1',
  ],
  ...['-a.example.com', 'a-.example.com', '_dmarc.example.com', '_homeport.example.com', 'a_b.example.com'],
  ...[`${'a'.repeat(64)}.example.com`, `${'a.'.repeat(120)}com`, `${'a'.repeat(63)}.`.repeat(4).slice(0, -1)],
  ...['exаmple.com', 'аррӏе.com', 'xn--80ak6aa92e.com', 'xn--pple-43d.com', 'gοοgle.com', 'ab--cd.example.com'],
  ...['ｅxample.com', 'example。com', 'ⓔxample.com', 'exam\u200Dple.com', 'exam\u00ADple.com', 'xn--a.com', 'xn--.com'],
  ...['%77ww.example.com', 'www\\example.com', 'пaypal.com', 'www.exámple.com\u202E', '💩.example.com'],
];
/** What the error says of names whose fault is not obvious. */
const FAULTS: readonly (readonly [name: string, detail: RegExp])[] = [
  ['1.2.3.4.5', /IP address/],
  ['example.1', /IP address/],
  ['ab--cd.example.com', /hyphens/],
  ['xn--a.example.com', /hyphens/],
  ['xn--ls8h.example.com', /character/],
  ['\u0301a.example.com', /character/],
  [`${'a.'.repeat(15)}example.com`, /16 parts/],
  [`${'é'.repeat(300)}.example.com`, /too long/],
  ['ɡoogle.example', /look like other ones/],
  ['ᴀcme.example', /look like other ones/],
];
const SUFFIXES = [
  'co.uk',
  'github.io',
  'vercel.app',
  's3.amazonaws.com',
  'com.au',
  'cloudfront.net',
  'kobe.jp',
  'herokuapp.com',
];
const RESERVED = [
  ...['apps.homeport.example', 'x.apps.homeport.example', 'a.b.c.apps.homeport.example', 'homeport.example'],
  ...['console.homeport.example', 'x.console.homeport.example', 'cdn.homeport.example', 'APPS.Homeport.Example'],
  ...['shop.localhost', 'printer.local', 'x.onion', '1.0.0.127.in-addr.arpa', 'a.invalid', 'apps.localhost'],
];

describe('hostile names', () => {
  it('are at least sixty', () => {
    expect(INVALID.length + SUFFIXES.length + RESERVED.length).toBeGreaterThanOrEqual(60);
  });

  it.each(INVALID)('%j is invalid', (name) => {
    expect(codeFor(name)).toBe('apps.domain-invalid');
  });

  it.each(FAULTS)('%j: the error says %s', (name, detail) => {
    expect(() => parseDomainName(name)).toThrow(detail);
  });

  it.each(SUFFIXES)('%s is a public suffix', (name) => {
    expect(codeFor(name)).toBe('apps.domain-public-suffix');
  });

  it.each(RESERVED)('%s is reserved', (name) => {
    expect(codeFor(name)).toBe('apps.domain-reserved');
  });
});

describe('names of owners', () => {
  it.each([
    ['www.Example.COM', 'www.example.com'],
    ['example.co.uk', 'example.co.uk'],
    ['müller.example', 'xn--mller-kva.example'],
    ['xn--mller-kva.example', 'xn--mller-kva.example'],
    ['пример.рф', 'xn--e1afmkfd.xn--p1ai'],
    ['例え.jp', 'xn--r8jz45g.jp'],
    ['my-site.github.io', 'my-site.github.io'],
    ['1and1.example', '1and1.example'],
    [`${'a.'.repeat(14)}example.com`, `${'a.'.repeat(14)}example.com`],
    ['99999999999.0x7f.1.example', '99999999999.0x7f.1.example'],
    ['ısparta.example', 'xn--sparta-o9a.example'],
    ['other.homeport-example.com', 'other.homeport-example.com'],
  ])('%s is kept as %s', (name, kept) => {
    expect(codeFor(name)).toBeUndefined();
    expect(parseDomainName(name)).toBe(kept);
  });
});

it('a name covers itself and all depths below', () => {
  expect(isAtOrBelow('a.b.example.com', 'example.com')).toBe(true);
  expect(isAtOrBelow('example.com', 'example.com')).toBe(true);
  expect(isAtOrBelow('notexample.com', 'example.com')).toBe(false);
});

it('the registrable domain is one label below the public suffix', () => {
  expect(registrableDomainOf('a.b.example.co.uk')).toBe('example.co.uk');
  expect(registrableDomainOf('a.my-site.github.io')).toBe('my-site.github.io');
  expect(registrableDomainOf('a.corp.test')).toBe('corp.test');
  expect(registrableDomainOf('co.uk')).toBeUndefined();
});
