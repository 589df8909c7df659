// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { expect, it } from '@jest/globals';
import { liveHeadline } from './live-headline';

it.each([
  ['dns-active', false, 'Live now', 'ok'],
  ['dns-active', true, 'Live without a start page', 'warn'],
  ['dns-pending', false, 'Deployed, DNS is pending', 'warn'],
  ['dns-failed', false, 'Deployed, but DNS failed', 'bad'],
  ['dns-failed', true, 'Deployed, but DNS failed', 'bad'],
] as const)('%s, broken: %j', (dns_status, isBroken, words, tone) => {
  expect(liveHeadline({ dns_status }, isBroken)).toMatchObject({ words, tone });
});
