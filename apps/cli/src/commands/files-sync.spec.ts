import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { runCommand } from '../testing/run-command';

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
  const { code, stderr } = await runCommand(['files', 'sync', ...places], cwd);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${join(cwd, name)} is not a folder.`)]);
});
