// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import type { DnsStatus } from '@homeport/apps/contracts';
import { expect, it } from '@jest/globals';
import { appStatus } from './app-status';

it.each([
  [null, 'dns-active', false, 'No deploy', 'quiet'],
  [null, 'dns-pending', false, 'No deploy', 'quiet'],
  [null, 'dns-failed', false, 'Problem', 'bad'],
  ['a', 'dns-failed', false, 'Problem', 'bad'],
  ['a', 'dns-pending', false, 'DNS pending', 'busy'],
  ['a', 'dns-pending', true, 'Problem', 'warn'],
  ['a', 'dns-active', true, 'Problem', 'warn'],
  ['a', 'dns-active', false, 'Live', 'ok'],
] as const)(
  'with the live deploy %j, %s and a missing start page: %j',
  (active_deploy_id, dns_status, lacks, words, tone) => {
    const status = appStatus({ active_deploy_id, dns_status: dns_status satisfies DnsStatus }, lacks);
    expect(status).toMatchObject({ words, tone });
  },
);
