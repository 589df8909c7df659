import { createInterface } from 'node:readline/promises';
import { CliError, UsageError } from '../cli.errors';
import { printable } from './printable';
import type { Terminal } from './terminal';

/**
 * Asks a yes-or-no question.
 * @param flag the option that answers yes without a question.
 * @throws {UsageError} when no person can answer. @throws {CliError} when the person presses Ctrl+C or Ctrl+D.
 */
export async function confirm(terminal: Terminal, question: string, flag: string): Promise<boolean> {
  if (!terminal.isInteractive) throw new UsageError(question, `Repeat the command with ${flag} to confirm.`);
  terminal.clearProgress();
  const { stdin, stderr } = terminal.streams;
  const dialog = createInterface({ input: stdin, output: stderr });
  try {
    const closed = new Promise<never>((_, reject) => {
      dialog.once('close', () => reject(new CliError('Nothing was changed.', 'interrupted')));
    });
    return /^y(es)?$/i.test((await Promise.race([dialog.question(`${printable(question)} [y/N] `), closed])).trim());
  } finally {
    dialog.close();
  }
}
