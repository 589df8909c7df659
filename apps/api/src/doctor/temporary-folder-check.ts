import { mkdtemp, rmdir, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config';
import { type Check, ok, warning } from './check';

/** Uploads of deploys are stored there until they are processed. The API does not start when it cannot write to it. */
export function temporaryFolderCheck({ DEPLOY_MAX_BYTES }: Pick<Config, 'DEPLOY_MAX_BYTES'>, folder = tmpdir()): Check {
  return {
    name: 'temporary-folder',
    explain: (code) => ({
      detail: `This user cannot write to the folder for temporary files, ${folder} (${code}).`,
      remedy: 'Set TMPDIR to a folder that the user of the API can write to, and free space there.',
    }),
    run: async () => {
      await rmdir(await mkdtemp(join(folder, 'homeport-doctor-')));
      const { bavail, bsize } = await statfs(folder);
      if (bavail * bsize >= DEPLOY_MAX_BYTES) return ok(`The API can store uploads in ${folder}.`);
      return warning(
        `The folder for temporary files, ${folder}, has less space than DEPLOY_MAX_BYTES, so that large deploys fail.`,
        'Free space there, or set TMPDIR to another folder.',
      );
    },
  };
}
