import { defineGroup } from './command';
import { envListCommand } from './env-list';
import { envRemoveCommand } from './env-remove';
import { envSetCommand } from './env-set';

export const envCommand = defineGroup('env', 'Set the environment variables of an SSR app', [
  envListCommand,
  envSetCommand,
  envRemoveCommand,
]);
