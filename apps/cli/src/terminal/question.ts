import { createInterface } from 'node:readline/promises';
import { UsageError } from '../cli.errors';
import type { Terminal } from './terminal';

/**
 * Asks a yes-or-no question.
 * @param flag the option that answers yes without a question.
 * @throws {UsageError} when no person can answer.
 */
export async function confirm(terminal: Terminal, question: string, flag: string): Promise<boolean> {
  if (!terminal.isInteractive) throw new UsageError(question, `Repeat the command with ${flag} to confirm.`);
  terminal.clearProgress();
  const { stdin, stderr } = terminal.streams;
  const dialog = createInterface({ input: stdin, output: stderr });
  try {
    return /^y(es)?$/i.test((await dialog.question(`${question} [y/N] `)).trim());
  } finally {
    dialog.close();
  }
}
