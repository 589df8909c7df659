import { expect, it } from '@jest/globals';
import { addressSuffix } from './address-suffix';

const hosting = { domain: 'apps.example.com' };
const shop = { subdomain: 'shop', hostname: 'shop.apps.example.net' };

it.each([
  [hosting, [], '.apps.example.com'],
  [hosting, [shop], '.apps.example.com'],
  [undefined, [shop], '.apps.example.net'],
  [undefined, [{ subdomain: 'shop', hostname: 'elsewhere.example' }], ''],
  [undefined, [], ''],
  [undefined, undefined, ''],
])('%#', (known, apps, suffix) => {
  expect(addressSuffix(known, apps)).toBe(suffix);
});
