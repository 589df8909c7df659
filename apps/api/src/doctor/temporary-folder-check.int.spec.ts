import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runChecks } from './check';
import { lineOf } from './report';
import { temporaryFolderCheck } from './temporary-folder-check';

describe('the doctor of the folder for temporary files', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'homeport-temporary-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const line = async (path: string, DEPLOY_MAX_BYTES = 1) => {
    for await (const report of runChecks([temporaryFolderCheck({ DEPLOY_MAX_BYTES }, path)])) return lineOf(report, 0);
    return undefined;
  };

  it('writes to it, and leaves nothing', async () => {
    expect(await line(folder)).toBe(`ok       temporary-folder  The API can store uploads in ${folder}.`);
    expect(await readdir(folder)).toEqual([]);
  });

  it('names a folder that does not exist', async () => {
    const missing = join(folder, 'missing');
    expect(await line(missing)).toBe(
      `fault    temporary-folder  This user cannot write to the folder for temporary files, ${missing} (ENOENT). ` +
        'Set TMPDIR to a folder that the user of the API can write to, and free space there.',
    );
  });

  it('warns of a disk that is too small for the largest deploy', async () => {
    expect(await line(folder, Number.MAX_SAFE_INTEGER)).toMatch(
      /^warning {2}temporary-folder {2}The folder .* has less space than DEPLOY_MAX_BYTES, /,
    );
  });
});
