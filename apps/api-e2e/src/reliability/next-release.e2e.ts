import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { buildNextRelease } from './next-release';

const run = promisify(execFile);

it('adds a migration to a copy of the build, which the rolling upgrade needs', async () => {
  const next = await buildNextRelease();
  try {
    const options = pathToFileURL(join(next.folder, 'apps/api/src/database-options.js')).href;
    const print = `import { databaseOptions } from '${options}'; console.log(databaseOptions({}).migrations.at(-1).name);`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', print]);
    expect(stdout.trim()).toBe(next.migration);
  } finally {
    await next.remove();
  }
});
