// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { expect, it } from '@jest/globals';
import { liveHeadline } from './live-headline';

it.each([
  ['dns-active', false, 'Live now', 'ok'],
  ['dns-active', true, 'Live without a start page', 'warn'],
  ['dns-pending', false, 'Current deploy', 'quiet'],
  ['dns-failed', false, 'Current deploy', 'quiet'],
  ['dns-failed', true, 'Live without a start page', 'warn'],
] as const)('%s, broken: %j', (dns_status, isBroken, words, tone) => {
  expect(liveHeadline({ dns_status }, isBroken)).toMatchObject({ words, tone });
});

it('tells that the server crashes', () => {
  const app = { dns_status: 'dns-active', runtime: { state: 'crash-loop', instances: 0 } } as const;
  expect(liveHeadline(app, false)).toMatchObject({ words: 'Live, but its server crashes', tone: 'bad' });
});
