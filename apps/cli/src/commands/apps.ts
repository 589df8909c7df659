import { appsDeleteCommand } from './apps-delete';
import { appsListCommand } from './apps-list';
import { appsOpenCommand } from './apps-open';
import { appsRegisterCommand } from './apps-register';
import { appsRetryDnsCommand } from './apps-retry-dns';
import { appsShowCommand } from './apps-show';
import { defineGroup } from './command';

export const appsCommand = defineGroup('apps', 'Register, show and delete apps', [
  appsListCommand,
  appsRegisterCommand,
  appsShowCommand,
  appsDeleteCommand,
  appsRetryDnsCommand,
  appsOpenCommand,
]);
