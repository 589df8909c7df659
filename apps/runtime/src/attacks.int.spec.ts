import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { bubblewrapHere } from '@homeport/hosting/server/testing';

const run = promisify(execFile);
const SCRIPT = resolve(import.meta.dirname, '../../../tools/bench/attacks.mjs');

interface Sample {
  /** What each attacker reads without a sandbox, and in bubblewrap. */
  readonly withoutWalls: readonly (readonly string[])[];
  readonly read: readonly (readonly string[])[];
  /** Responses of the third tenant by status. */
  readonly answers: Readonly<Record<string, number>>;
}

const TARGETS = [
  ...['files', 'temporary files', 'processes', 'memory', 'environment', 'abstract socket'].map(
    (what) => `${what} of the neighbor`,
  ),
  ...['signals to the neighbor', 'sockets of the runtime', 'settings of the kernel', 'control groups'],
  ...['PostgreSQL', 'S3', 'API', 'edge', 'DNS', 'metadata', 'private address'],
];

const isPossible = await run('unshare', ['--net', 'ip', 'link', 'set', 'lo', 'up']).then(
  () => bubblewrapHere(),
  (error: Error) => void process.stderr.write(`The test of attacks is skipped: ${error.message}\n`),
);

(isPossible ? describe : describe.skip)('two tenants that attack', () => {
  it('read everything without a sandbox and nothing in one, while a third tenant answers every request', async () => {
    const { stdout } = await run(process.execPath, [SCRIPT, '--sample'], { maxBuffer: 16 * 1024 ** 2 });
    const { withoutWalls, read, answers } = JSON.parse(stdout) as Sample;
    for (const reached of withoutWalls) expect([...reached].sort()).toEqual([...TARGETS].sort());
    expect(read).toEqual([[], []]);
    expect(answers).toEqual({ 200: 200 });
  });
});
