// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { expect, it } from '@jest/globals';
import type { SubdomainAvailability } from '@homeport/apps/contracts';
import { screenReaderMessage } from './screen-reader-message';

const said = (address: string, answer?: Partial<SubdomainAvailability>, fault?: string) =>
  screenReaderMessage({ address, fault, answer: answer as SubdomainAvailability | undefined });

it.each([
  ['', undefined, undefined, ''],
  ['acme', undefined, undefined, 'The address is acme.'],
  ['acme', { available: true, reason: null }, undefined, 'The address acme is free.'],
  ['acme', { available: false, subdomain: 'acme', reason: 'taken' }, undefined, '“acme” is taken. Try another name.'],
  ['ab', undefined, 'Use at least 3 characters.', 'Use at least 3 characters.'],
] as const)('says of %j, which is %j with the fault %j: %s', (address, answer, fault, words) => {
  expect(said(address, answer, fault)).toBe(words);
});
