import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from '../run';
import type { Variables } from '../environment';

const LIMIT_MS = 10_000;

/** Runs a command. Unless a variable names a server, the first request ends it with the exit code 7. */
export async function runCommand(
  args: readonly string[],
  cwd: string,
  variables: Variables = {},
): Promise<{ readonly code: number; readonly stderr: string }> {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const code = await run({
    args,
    // `fetch` refuses this port.
    variables: { HOMEPORT_URL: 'http://127.0.0.1:1', HOMEPORT_TOKEN: 'token', ...variables },
    home: cwd,
    cwd,
    streams,
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  return { code, stderr: await text(streams.stderr.end()) };
}
