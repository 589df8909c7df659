import { expect, it } from '@jest/globals';
import { addressSuffix } from './address-suffix';

const hosting = { domain: 'apps.example.com' };
const base = { kind: 'base', name: 'acme.com', status: 'active', is_primary: true } as const;

it.each([
  [hosting, [], '.apps.example.com'],
  [hosting, [base], '.acme.com'],
  [undefined, [base], '.acme.com'],
  [hosting, [{ ...base, is_primary: false }], '.apps.example.com'],
  [hosting, [{ ...base, status: 'pending' as const }], '.apps.example.com'],
  [hosting, [{ ...base, kind: 'hostname' as const }], '.apps.example.com'],
  [undefined, undefined, ''],
])('%#', (known, domains, suffix) => {
  expect(addressSuffix(known, domains)).toBe(suffix);
});
