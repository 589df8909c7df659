import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnRuntime } from '../product-processes';
import { buildNextRelease, type NextRelease } from './next-release';

const run = promisify(execFile);

describe('the copy of the build that the rolling upgrade needs', () => {
  let next: NextRelease;

  beforeAll(async () => {
    next = await buildNextRelease();
  });
  afterAll(() => next?.remove());

  it('has one more migration', async () => {
    const options = pathToFileURL(join(next.folder, 'apps/api/src/database-options.js')).href;
    const print = `import { databaseOptions } from '${options}'; console.log(databaseOptions({}).migrations.at(-1).name);`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', print]);
    expect(stdout.trim()).toBe(next.migration);
  });

  it('has a runtime that starts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hp-host-'));
    await chmod(folder, 0o711);
    const runtime = await spawnRuntime(folder, {}, { release: next.folder });
    try {
      expect(runtime.main).toBe(join(next.folder, 'apps/runtime/src/main.js'));
    } finally {
      await runtime.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
