import { FISH_COMPLETION } from '../terminal/fish-completion';
import { defineCommand } from './command';

/** For fish; yargs has the scripts of bash and zsh. */
export const fishCompletionCommand = defineCommand({
  name: 'completion',
  summary: 'Print the completion script of your shell',
  run: async ({ terminal }) => terminal.result({ script: FISH_COMPLETION }, () => FISH_COMPLETION),
});
