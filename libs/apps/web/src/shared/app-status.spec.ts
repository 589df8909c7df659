// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import type { ActiveDeploy } from '@homeport/apps/contracts';
import { expect, it } from '@jest/globals';
import { appStatus } from './app-status';

const deploy = (has_start_page: boolean): ActiveDeploy => ({
  ...{ number: 4, created_at: '2026-03-01T00:00:00Z', created_by: 'Ada', problem_count: 0, has_start_page },
});

it.each([
  ['dns-active', null, { words: 'No deploy', tone: 'quiet' }],
  ['dns-pending', null, { words: 'No deploy', tone: 'quiet' }],
  ['dns-failed', null, { words: 'DNS failed', tone: 'bad' }],
  ['dns-failed', deploy(true), { words: 'DNS failed', tone: 'bad' }],
  ['dns-pending', deploy(true), { words: 'DNS pending', tone: 'busy' }],
  ['dns-pending', deploy(false), { words: 'No start page', tone: 'warn' }],
  ['dns-active', deploy(false), { words: 'No start page', tone: 'warn' }],
  ['dns-active', deploy(true), { words: 'Live', tone: 'ok' }],
] as const)('of an app with %s and the deploy %j is %j', (dns_status, active_deploy, status) => {
  const active_deploy_id = active_deploy && 'a';
  expect(appStatus({ dns_status, active_deploy_id, active_deploy })).toMatchObject(status);
});

it.each([
  ['ready', 'Live'],
  ['idle', 'Live'],
  ['crash-loop', 'Crash loop'],
] as const)('of an app whose server is %s is %s', (state, words) => {
  const app = { dns_status: 'dns-active', active_deploy_id: 'a', active_deploy: deploy(true) } as const;
  expect(appStatus({ ...app, runtime: { state, instances: 0 } }).words).toBe(words);
});
