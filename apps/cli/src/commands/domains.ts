import { defineGroup } from './command';
import { domainsAddCommand } from './domains-add';
import { domainsCheckCommand } from './domains-check';
import { domainsListCommand } from './domains-list';
import { domainsRemoveCommand } from './domains-remove';
import { domainsShowCommand } from './domains-show';
import { domainsUpdateCommand } from './domains-update';

export const domainsCommand = defineGroup('domains', 'Show apps at domains of your own', [
  domainsListCommand,
  domainsAddCommand,
  domainsShowCommand,
  domainsCheckCommand,
  domainsUpdateCommand,
  domainsRemoveCommand,
]);
