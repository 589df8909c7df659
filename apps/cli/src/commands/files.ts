import { defineGroup } from './command';
import { filesCatCommand } from './files-cat';
import { filesGetCommand } from './files-get';
import { filesLsCommand } from './files-ls';
import { filesMvCommand } from './files-mv';
import { filesPutCommand } from './files-put';
import { filesRmCommand } from './files-rm';
import { filesSyncCommand } from './files-sync';

export const filesCommand = defineGroup('files', 'Read, write and synchronize the files of your workspace', [
  filesLsCommand,
  filesCatCommand,
  filesGetCommand,
  filesPutCommand,
  filesRmCommand,
  filesMvCommand,
  filesSyncCommand,
]);
