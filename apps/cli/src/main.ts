#!/usr/bin/env node
import { homedir } from 'node:os';
import { EXIT_CODES } from './cli.errors';
import { run } from './run';

const interruption = new AbortController();
const { stdin, stdout, stderr } = process;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => interruption.abort());
}
// A reader such as `head` may close the pipe early.
stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(EXIT_CODES.ok);
  stderr.write(`Error: The result could not be written: ${message}\n`);
  process.exit(EXIT_CODES.failed);
});
stderr.on('error', () => undefined);
process.exitCode = await run({
  args: process.argv.slice(2),
  variables: process.env,
  home: homedir(),
  cwd: process.cwd(),
  streams: { stdin, stdout, stderr },
  signal: interruption.signal,
});
