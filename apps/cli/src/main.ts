#!/usr/bin/env node
import { run } from './run';

const interruption = new AbortController();
const { stdin, stdout, stderr } = process;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => interruption.abort());
}
// The reader of a pipe may end first, as head does.
stdout.once('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
process.exitCode = await run({
  args: process.argv.slice(2),
  variables: process.env,
  cwd: process.cwd(),
  streams: { stdin, stdout, stderr },
  signal: interruption.signal,
});
