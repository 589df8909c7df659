import { expect, it } from '@jest/globals';
import type { SubdomainAvailability } from '@homeport/apps/contracts';
import { addressRules } from './address-rules';
import { screenReaderMessage } from './screen-reader-message';

const said = (name: string, answer?: Partial<SubdomainAvailability>) =>
  screenReaderMessage({
    address: name,
    rules: addressRules(name),
    answer: answer as SubdomainAvailability | undefined,
  });

it.each([
  ['', undefined, ''],
  ['acme', undefined, 'The address is acme.'],
  ['acme', { available: true, reason: null }, 'The address acme is free.'],
  ['acme', { available: false, reason: 'taken' }, 'The address acme is taken.'],
  ['ab', undefined, 'The address breaks a rule: 3 to 63 characters.'],
  ['a-', undefined, 'The address breaks 2 rules: 3 to 63 characters. No hyphen at the beginning or end.'],
] as const)('says of %j, which is %j: %s', (name, answer, words) => {
  expect(said(name, answer)).toBe(words);
});
