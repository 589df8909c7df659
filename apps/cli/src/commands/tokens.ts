import { defineGroup } from './command';
import { tokensCreateCommand } from './tokens-create';
import { tokensListCommand } from './tokens-list';
import { tokensRevokeCommand } from './tokens-revoke';

export const tokensCommand = defineGroup('tokens', 'Create, list and revoke access tokens', [
  tokensListCommand,
  tokensCreateCommand,
  tokensRevokeCommand,
]);
