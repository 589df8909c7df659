// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { describe, expect, it } from '@jest/globals';
import type { App, DnsError } from '@homeport/apps/contracts';
import { attemptsMessage, dnsStatusMessage, isDnsInProgress } from './dns-messages';

const failure = { code: 'timeout', message: 'It did not answer.', attempts: 2, next_attempt_at: null } as const;
const failed = (retryable: boolean): App => app('dns-failed', { ...failure, retryable });

function app(dns_status: App['dns_status'], dns_error?: DnsError, active_deploy_id: string | null = 'live'): App {
  return { dns_status, active_deploy_id, ...(dns_error && { dns_error }) } as App;
}

describe('dnsStatusMessage', () => {
  it.each([
    [app('dns-active'), 'people can reach'],
    [app('dns-active', undefined, null), 'Deploy a site'],
    [app('dns-pending'), 'being created'],
    [failed(true), 'It did not answer.'],
    [app('dns-failed'), 'could not be created'],
  ])('%#', (of, words) => {
    expect(dnsStatusMessage(of)).toContain(words);
  });
});

describe('isDnsInProgress', () => {
  it.each([
    [app('dns-active'), false],
    [app('dns-pending'), true],
    [failed(true), true],
    [failed(false), false],
    [app('dns-failed'), false],
  ])('%#', (of, unsettled) => {
    expect(isDnsInProgress(of)).toBe(unsettled);
  });
});

it('counts attempts', () => {
  expect([1, 2, 1200].map(attemptsMessage)).toEqual(['Tried once.', 'Tried 2 times.', 'Tried 1,200 times.']);
});
