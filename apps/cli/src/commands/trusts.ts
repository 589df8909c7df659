import { defineGroup } from './command';
import { trustsCreateCommand } from './trusts-create';
import { trustsDeleteCommand } from './trusts-delete';
import { trustsListCommand } from './trusts-list';

export const trustsCommand = defineGroup('trusts', 'Let pipelines sign in without a stored secret', [
  trustsListCommand,
  trustsCreateCommand,
  trustsDeleteCommand,
]);
