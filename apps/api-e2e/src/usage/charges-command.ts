import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { settings } from '../homeport';

const MAIN = resolve(import.meta.dirname, '../../../../dist/api/apps/api/src/main.js');

export interface CommandResult {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs `main.js charges` of the built API. @param env added to the settings of the product under test. */
export async function charges(args: readonly string[], env: Readonly<Record<string, string>>): Promise<CommandResult> {
  const child = spawn(process.execPath, [MAIN, 'charges', ...args], {
    env: { ...settings, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | null>((done) => child.once('close', done));
  const [code, output, errors] = await Promise.all([exited, text(child.stdout), text(child.stderr)]);
  return { code, output, errors };
}
