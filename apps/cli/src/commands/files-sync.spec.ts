import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { run } from '../run';

let cwd: string;

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'homeport-sync-'));
  await writeFile(join(cwd, 'file.txt'), 'a');
});

afterEach(() => rm(cwd, { recursive: true }));

it.each([
  ['does not exist', ['./missing', 'workspace:docs', '--delete'], 'missing'],
  ['is a file', ['./file.txt', 'workspace:docs'], 'file.txt'],
  ['is a file', ['workspace:docs', './file.txt'], 'file.txt'],
])('changes nothing when the folder %s', async (_, places, name) => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  // No server listens there: a request would end with the exit code 7.
  const variables = { HOMEPORT_URL: 'http://127.0.0.1:1', HOMEPORT_TOKEN: 'token' };
  const streams = { stdin, stdout, stderr };
  const signal = AbortSignal.timeout(10_000);
  const code = await run({ args: ['files', 'sync', ...places], variables, home: cwd, cwd, streams, signal });
  expect([code, await text(stderr.end())]).toEqual([2, expect.stringContaining(`${join(cwd, name)} is not a folder.`)]);
});
