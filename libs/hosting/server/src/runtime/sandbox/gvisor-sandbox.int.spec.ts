import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sandboxContract } from '../../testing/sandbox.contract';
import { SandboxUnavailable } from '../application/sandbox.errors';
import { GvisorSandbox } from './gvisor-sandbox';

let runDirectory = '';
beforeAll(async () => {
  runDirectory = await newFolder();
});
afterAll(() => rm(runDirectory, { recursive: true }));

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-gvisor-'));
  await chmod(folder, 0o711);
  return folder;
}

const open = (folder: string) => GvisorSandbox.open({ runDirectory: folder, node: process.execPath });

/** @returns why this machine cannot run gVisor. */
async function missingHere(): Promise<string | undefined> {
  const folder = await newFolder();
  try {
    await open(folder);
    return undefined;
  } catch (error) {
    if (!(error instanceof SandboxUnavailable)) throw error;
    return error.message;
  } finally {
    await rm(folder, { recursive: true });
  }
}
const missing = await missingHere();
if (missing !== undefined) process.stderr.write(`The tests of gVisor are skipped: ${missing}\n`);

(missing === undefined ? describe : describe.skip)('on this machine', () => {
  let sandbox: GvisorSandbox;
  beforeAll(async () => void (sandbox = await open(runDirectory)));
  sandboxContract('GvisorSandbox', () => sandbox);

  it('holds all walls', async () => {
    await sandbox.examine(new AbortController().signal);
  });

  it('leaves nothing of its instances', async () => {
    expect((await readdir(runDirectory)).sort()).toEqual(['gvisor', 'root']);
  });
});

describe('GvisorSandbox', () => {
  it('says what is missing', async () => {
    const opened = GvisorSandbox.open({ runDirectory, node: process.execPath, program: '/nowhere/runsc' });
    const error = await opened.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SandboxUnavailable);
    const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
    if (isRoot) expect((error as Error).message).toContain('runsc is not on the PATH');
  });
});
