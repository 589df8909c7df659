import { describe, expect, it } from '@jest/globals';
import type { HttpProblem } from '@homeport/platform/web';
import { checkAddress, nameRefusal } from './address-check';

const problem = (code: string): HttpProblem =>
  ({ code, detail: 'In words.', errors: [{ field: 'name', reason: 'must be text' }] }) as unknown as HttpProblem;

describe('checkAddress', () => {
  it('shows what a name becomes', () => {
    expect(checkAddress(' Acme  Site ')).toEqual({ subdomain: 'acme-site' });
  });

  it.each([
    ['ab', '3 to 63'],
    ['Ünicode', 'letters a to z'],
    ['-ab', 'begin or end'],
    ['xn--abc', 'third and fourth'],
    ['Admin', 'api, www, admin, app and dashboard are reserved.'],
  ])('says which rule %s breaks', (name, words) => {
    expect(checkAddress(name).fault).toContain(words);
  });

  it.each(['', '   '])('says nothing about "%s"', (name) => {
    expect(checkAddress(name).fault).toBeUndefined();
  });
});

describe('nameRefusal', () => {
  it.each([
    ['apps.subdomain-taken', 'acme is taken. Choose another name.'],
    ['apps.subdomain-reserved', 'acme is reserved. Choose another name.'],
    ['apps.subdomain-invalid', 'In words.'],
    ['platform.invalid-request', 'must be text'],
    ['apps.quota-exceeded', undefined],
  ])('%s', (code, words) => {
    expect(nameRefusal(problem(code), 'acme')).toBe(words);
  });
});
