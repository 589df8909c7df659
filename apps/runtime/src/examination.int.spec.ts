import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SandboxBreached } from '@homeport/hosting/server/runtime';
import { Examination } from './examination';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-examination-'));
  await writeFile(join(folder, 'node'), '');
});
afterEach(() => rm(folder, { recursive: true }));

/** Starts a runtime. @returns what its examination did. */
async function started({ breach, ends }: { breach?: string; ends?: () => void } = {}) {
  const found = { examinations: 0, fatal: 0 };
  const runtime = {
    ready: async () => {
      found.examinations += 1;
      if (breach !== undefined) throw new SandboxBreached([breach]);
    },
  };
  const log = { warn: () => undefined, fatal: () => void (found.fatal += 1) };
  const own = { RUNTIME_DIR: folder, RUNTIME_NODE: join(folder, 'node') };
  const config = { RUNTIME: 'pooled', RUNTIME_SANDBOX: 'bubblewrap', ...own } as const;
  const examination = new Examination(config, runtime, log, ends);
  const passing = examination.pass();
  return { examination, found, passing };
}

describe('Examination', () => {
  it('is passed before apps run, once', async () => {
    const first = await started();
    await first.passing;
    expect(first.found.examinations).toBe(1);
    const second = await started();
    await second.passing;
    expect(second.found.examinations).toBe(0);
  });

  it('is repeated after a start that did not wait for it, and ends the runtime when a wall is open', async () => {
    await (
      await started()
    ).passing;
    const { promise: hasEnded, resolve } = Promise.withResolvers<undefined>();
    const { examination, found, passing } = await started({
      breach: 'files: a folder can be written',
      ends: () => resolve(undefined),
    });
    await passing;
    examination.repeatIfPostponed(0);
    await hasEnded;
    expect(found).toEqual({ examinations: 1, fatal: 1 });
    const next = await started();
    await next.passing;
    expect(next.found.examinations).toBe(1);
  });

  it('waits again after a program has changed', async () => {
    await (
      await started()
    ).passing;
    await utimes(join(folder, 'node'), 1, 1);
    const next = await started();
    await next.passing;
    expect(next.found.examinations).toBe(1);
  });

  it('records nothing when a wall is open', async () => {
    const { passing } = await started({ breach: 'files: a folder can be written' });
    await expect(passing).rejects.toThrow(SandboxBreached);
    expect(await readdir(folder)).toEqual(['node']);
  });
});
