import { defineGroup } from './command';
import { deploysListCommand } from './deploys-list';
import { deploysShowCommand } from './deploys-show';

export const deploysCommand = defineGroup('deploys', 'Show the history of an app', [
  deploysListCommand,
  deploysShowCommand,
]);
