// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { expect, it } from '@jest/globals';
import { appStatus } from './app-status';

it.each([
  [{ active_deploy_id: null, dns_status: 'dns-active' }, false, { words: 'No deploy', tone: 'quiet' }],
  [{ active_deploy_id: null, dns_status: 'dns-pending' }, false, { words: 'No deploy', tone: 'quiet' }],
  [{ active_deploy_id: null, dns_status: 'dns-failed' }, false, { words: 'Problem', tone: 'bad' }],
  [{ active_deploy_id: 'a', dns_status: 'dns-failed' }, false, { words: 'Problem', tone: 'bad' }],
  [{ active_deploy_id: 'a', dns_status: 'dns-pending' }, false, { words: 'DNS pending', tone: 'busy' }],
  [{ active_deploy_id: 'a', dns_status: 'dns-pending' }, true, { words: 'Problem', tone: 'warn' }],
  [{ active_deploy_id: 'a', dns_status: 'dns-active' }, true, { words: 'Problem', tone: 'warn' }],
  [{ active_deploy_id: 'a', dns_status: 'dns-active' }, false, { words: 'Live', tone: 'ok' }],
] as const)('of %j, with a missing start page %j, is %j', (app, lacksStartPage, status) => {
  expect(appStatus(app, lacksStartPage)).toMatchObject(status);
});
