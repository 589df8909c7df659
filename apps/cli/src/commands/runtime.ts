import { defineGroup } from './command';
import { runtimeRestartCommand } from './runtime-restart';
import { runtimeShowCommand } from './runtime-show';

export const runtimeCommand = defineGroup('runtime', 'Show and restart the servers of an SSR app', [
  runtimeShowCommand,
  runtimeRestartCommand,
]);
